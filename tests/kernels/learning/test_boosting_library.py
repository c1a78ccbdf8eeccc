"""Where the system lacks a library, one sentence says which package has it."""

import sys

import pytest

from seethrough.errors import ConfigError
from seethrough.kernels.learning.boosting_library import load_lightgbm


def test_the_library_is_there():
    assert load_lightgbm().__name__ == "lightgbm"


def test_a_missing_runtime_is_named(tmp_path, monkeypatch):
    (tmp_path / "lightgbm.py").write_text('raise OSError("libgomp.so.1: cannot open shared object file")\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lightgbm", raising=False)
    with pytest.raises(ConfigError, match=r"libgomp\.so\.1.*install the runtime of OpenMP.*libgomp1 on Debian"):
        load_lightgbm()
