"""Atomic writing of files: complete or not at all.

What is written stands in a hidden folder beside its place until all of it is there, and is then renamed; a crash or an
error in the middle leaves the files of before, and what a killed process left beside them goes when the next command
begins, or with the next files that are written there. Only their owner may read files that speak of people, and a
folder that is made for them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path

from seethrough.errors import ConfigError
from seethrough.system.held_folders import BESIDE, LOCK, OWNER_FOLDER, make_held_folder, remove_held_folder
from seethrough.system.private_folders import place_noted

OWNER_ONLY = 0o600
"""The mode of files that speak of people; `None` leaves the mode to the user's umask."""
_written: list[Path] = []


@contextmanager
def whole_file(path: Path, mode: int | None = OWNER_ONLY) -> Iterator[Path]:
    """Give the place to write a file to; it takes the place of `path` when the block ends without an error."""
    with _staged(path.parent, str(path), mode) as hidden:
        yield hidden / path.name


@contextmanager
def whole_files(folder: Path, mode: int | None = OWNER_ONLY) -> Iterator[Path]:
    """Give a hidden folder; the files in it move to `folder` when the block ends without an error."""
    with _staged(folder, f"to {folder}", mode) as hidden:
        yield hidden


def write_whole_text(path: Path, text: str) -> Path:
    """Write a text with its line ends as they are; only its owner may read it."""
    with whole_file(path) as place:
        place.write_text(text, encoding="utf-8", newline="")
    return path


@contextmanager
def _staged(folder: Path, where: str, mode: int | None) -> Iterator[Path]:
    with _refused(where):
        folder.mkdir(0o777 if mode is None else OWNER_FOLDER, parents=True, exist_ok=True)
    with place_noted(folder), _hidden(folder, where) as hidden, _refused(where):
        yield hidden
        written = sorted(each for each in hidden.iterdir() if each.name != LOCK)
        _move(written, folder, mode)


@contextmanager
def _hidden(folder: Path, where: str) -> Iterator[Path]:
    with _refused(where):
        hidden = make_held_folder(folder, BESIDE)
    try:
        yield hidden
    finally:
        remove_held_folder(hidden)


def _move(written: list[Path], folder: Path, mode: int | None) -> None:
    """Put files in their places, and remember them."""
    for file in written:
        if mode is not None:
            file.chmod(mode)
    for file in written:
        if (folder / file.name).is_dir():
            raise IsADirectoryError(EISDIR, f"{folder / file.name} is a directory")
    for file in written:
        file.replace(folder / file.name)
        _written.append(folder / file.name)


def written_files() -> tuple[Path, ...]:
    """Name the files that this process has put in their places so far."""
    return tuple(dict.fromkeys(_written))


@contextmanager
def _refused(where: str) -> Iterator[None]:
    """Say in one sentence why nothing could be written."""
    try:
        yield
    except OSError as error:
        raise ConfigError(f"cannot write {where}: {error.strerror or error}") from error
