"""How `seethrough demo` ends: with how to open the page, or with the page opened."""

import os
import webbrowser

import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.api import audit as api
from seethrough.cli.main import app


@pytest.fixture
def quick(monkeypatch):
    """Audits that are over soon; the sentence at the end is not about them."""
    release = st.samples.acs_release()
    report = st.audit(release.real[:100], release.synthetic[:100], release.holdout[:100], checks="crp", preset="fast")
    monkeypatch.setattr(api, "audit", lambda *tables, **words: report)


@pytest.fixture
def opened(monkeypatch):
    """Addresses that a browser was asked for; no browser is opened."""
    asked = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or bool(asked))
    return asked


def test_without_open_it_says_how(quick, opened, tmp_path):
    found = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "demo")])
    assert found.exit_code == 0, found.output
    page = tmp_path / "demo" / "report.html"
    assert page.is_file()
    assert os.name == "nt" or {path.stat().st_mode & 0o777 for path in page.parent.iterdir()} == {0o600}
    assert found.stderr.splitlines()[-2:] == [
        f"Open {page} in a browser to read the report; `seethrough demo --open` does it for you.",
        f"`seethrough open {tmp_path / 'demo'}/` shows single people, attackers and columns in the browser.",
    ]
    assert opened == []


def test_open_opens_the_page(quick, opened, tmp_path):
    found = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "demo"), "--open"])
    assert found.exit_code == 0, found.output
    assert opened == [(tmp_path / "demo" / "report.html").as_uri()]
    assert "in a browser to read" not in found.stderr


def test_where_there_is_no_browser_it_says_where_the_page_is(quick, monkeypatch, tmp_path):
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    found = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "demo"), "--open"])
    assert found.exit_code == 0, found.output
    assert f"no browser could be opened; the page is {tmp_path / 'demo' / 'report.html'}" in found.stderr
