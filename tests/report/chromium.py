"""The browser that pages are tested in: a Chromium or Chrome of this machine."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), NAMES[0])
"""Its path; where there is none a name, so that what is not skipped says what is missing."""
needs_browser = pytest.mark.skipif(
    shutil.which(BROWSER) is None and "CI" not in os.environ,
    reason="no Chromium or Chrome is installed to open the page in",
)
"""Skips where there is no browser, except in CI, which has to have one: `make browser`."""
