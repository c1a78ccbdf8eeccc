"""Watching a case: what it prints, warns of and leaves behind."""

import os
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fuzz.case import Broken, Case, Ending, Played, Target


class Spill:
    """Standard output and error of this process, put into a file, so that nothing printed there goes unseen."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - it lives as long as the process
        self._kept = [os.dup(1), os.dup(2)]
        for stream in (1, 2):
            os.dup2(self._file.fileno(), stream)

    def take(self) -> str:
        """Give what was printed since, and forget it."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        size = os.fstat(self._file.fileno()).st_size
        if not size:
            return ""
        text = os.pread(self._file.fileno(), min(size, 2000), 0).decode(errors="replace")
        os.ftruncate(self._file.fileno(), 0)
        os.lseek(self._file.fileno(), 0, os.SEEK_SET)
        return text

    def close(self) -> None:
        """Give both streams back."""
        for stream, kept in zip((1, 2), self._kept, strict=True):
            os.dup2(kept, stream)
            os.close(kept)
        self._file.close()


@contextmanager
def own_folder(session: Path) -> Iterator[Path]:
    """Work in an empty folder, with an empty one for temporary files inside it; both go afterwards."""
    folder, before, temporary = Path(tempfile.mkdtemp(dir=session)), os.getcwd(), tempfile.tempdir
    (folder / "tmp").mkdir()
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder / "tmp")
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)
        tempfile.tempdir = temporary
        shutil.rmtree(folder, ignore_errors=True)


def play(target: Target, case: Case, spill: Spill | None) -> Played:
    """Run one case and tell how it ended."""
    begun, played = time.perf_counter(), Played(case.number, rows=case.rows)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ending = target.play(case)
        played.how, played.did, played.tables = ending.how, ending.did, ending.tables
        _expect_nothing_left(case, ending)
    except Broken as broken:
        played.broken = str(broken)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of a reader is no Exception
        played.broken, played.trace = _place(error), traceback.format_exc()
    if spill and (printed := spill.take()) and not played.broken:
        played.broken, played.trace = "something was printed", printed
    played.seconds = time.perf_counter() - begun
    return played


def _expect_nothing_left(case: Case, ending: Ending) -> None:
    left = sorted(path.name for path in (case.folder / "tmp").iterdir())
    if left:
        raise Broken(f"{ending.did} left temporary files")


def _place(error: BaseException) -> str:
    """Name the error and the last line of ours that it passed; its text may hold anything."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "seethrough" in Path(frame.filename).parts] or frames
    where = ours[-1]
    return f"{type(error).__name__} in {Path(where.filename).name}, {where.name}"
