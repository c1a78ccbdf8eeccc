"""Nothing is for POSIX only by accident: what Windows lacks is guarded, and every text file has its encoding said."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEEPER = "seethrough.system.program_keeper"
"""A script that is started on POSIX only, and that no module imports."""
FILES = sorted((ROOT / "src").rglob("*.py"))
POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
OF_OS = """
    fork forkpty killpg getuid geteuid getgid getegid setsid setpgid getpgid sched_getaffinity sched_setaffinity mkfifo
    sysconf uname getloadavg nice getpriority chown fchown lchown chroot statvfs wait3 wait4 WNOHANG O_NOFOLLOW pread
    O_DIRECTORY O_CLOEXEC O_NONBLOCK O_SYNC pwrite posix_fadvise memfd_create ttyname openpty
"""
OF_SIGNAL = """
    SIGHUP SIGKILL SIGQUIT SIGALRM SIGUSR1 SIGUSR2 SIGPIPE SIGCHLD SIGXCPU SIGSTOP SIGCONT setitimer alarm pause
    pthread_sigmask sigwait
"""
POSIX_NAMES = {"os": set(OF_OS.split()), "signal": set(OF_SIGNAL.split()), "time": {"tzset"}}
GUARDS = ("os.name", "sys.platform", 'hasattr(os, "')
BLOCKED = """
import importlib, os, pkgutil, signal, sys
import numpy, scipy, sklearn, polars, narwhals, rich.console, typer, threadpoolctl, jinja2, lightgbm, highspy
import multiprocessing.connection, multiprocessing.spawn, asyncio, sqlite3, webbrowser, secrets, tempfile
import starlette.applications, uvicorn
sys.platform, posix = "win32", sys.platform
import types
sys.modules["msvcrt"] = types.SimpleNamespace(locking=None, LK_NBLCK=1)
extras = ("torch", "dask", "distributed", "resvg_py")
for name in (*{modules!r}, *extras):
    sys.modules[name] = None
for module, names in {names!r}.items():
    for name in names:
        if hasattr(sys.modules[module], name):
            delattr(sys.modules[module], name)
import seethrough
skipped = []
for each in pkgutil.walk_packages(seethrough.__path__, "seethrough."):
    if each.name.endswith("__main__") or each.name == {keeper!r}:
        continue
    try:
        importlib.import_module(each.name)
    except ModuleNotFoundError as error:
        assert (error.name or "").partition(".")[0] in extras, (each.name, error)
        skipped.append(each.name)
print(len(skipped))
"""


def attributes(tree):
    """The names `module.name` that a file uses, and where."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr, node.lineno


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_what_windows_lacks_is_guarded(path):
    if path.stem == KEEPER.rpartition(".")[2]:
        return
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    imported = {
        name.name.partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
    }
    assert not imported & POSIX_MODULES, (
        "imported where Windows has no such module; import it behind a test of sys.platform"
    )
    used = [
        f"{module}.{name}, line {line}"
        for module, name, line in attributes(tree)
        if name in POSIX_NAMES.get(module, ())
    ]
    assert not used or any(guard in text for guard in GUARDS), used


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_text_files_say_their_encoding(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        keywords = {keyword.arg for keyword in node.keywords}
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in {"read_text", "write_text"} and "encoding" not in keywords:
            assert not isinstance(node.func, ast.Attribute) or len(node.args) > 1, f"line {node.lineno}"
        if isinstance(node.func, ast.Name) and name == "open":
            modes = [each.value for each in node.args[1:2] if isinstance(each, ast.Constant)]
            assert "encoding" in keywords or any("b" in mode for mode in modes), f"line {node.lineno}"


def test_everything_is_imported_without_what_windows_lacks():
    names = {key: sorted(some) for key, some in POSIX_NAMES.items()}
    script = BLOCKED.format(modules=sorted(POSIX_MODULES), names=names, keeper=KEEPER)
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr[-2000:]


def test_the_script_for_posix_is_imported_by_nobody_and_started_behind_a_guard():
    name = KEEPER.rpartition(".")[2]
    users = [path for path in FILES if name in path.read_text(encoding="utf-8") and path.stem != name]
    for path in users:
        text = path.read_text(encoding="utf-8")
        assert f"import {name}" not in text
        assert any(guard in text for guard in GUARDS), path
