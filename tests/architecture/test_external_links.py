"""Addresses outside: listed here, asked only where somebody wants that, for nothing else uses the network."""

import os
import re
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md"), ROOT / "llms.txt"]
ADDRESS = re.compile(r"https?://[^\s)>\"'`\]|,]+")
MADE_UP = re.compile(r"example|127\.0\.0\.1|localhost|HOST|ADDRESS")
"""Hosts of examples."""


def addresses():
    """Give the addresses that pages lead to, each once."""
    found = {each.rstrip(".;:") for page in PAGES for each in ADDRESS.findall(page.read_text(encoding="utf-8"))}
    return sorted(each for each in found if not MADE_UP.search(each))


def test_addresses_are_found_and_encrypted():
    assert addresses()
    assert [each for each in addresses() if not each.startswith("https://")] == []


@pytest.mark.slow
@pytest.mark.parametrize("address", addresses())
def test_an_address_answers(address):
    if "SEETHROUGH_ASKS_LINKS" not in os.environ:
        pytest.skip("asks other machines: set SEETHROUGH_ASKS_LINKS=1")
    asked = urllib.request.Request(address, headers={"User-Agent": "link check"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        assert answer.status == 200
