"""The page of files: three places to give tables, and how each was read."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from seethrough.web.messages import Answer, Asked, conflict, not_found, redirect
from seethrough.web.pages.framing import make_frame
from seethrough.web.rendering import render
from seethrough.web.session.session import ROLES, FileDesk, GivenFile, OfferedFile, Session

SEPARATORS = (
    ("", "found by itself"),
    ("comma", "comma ,"),
    ("semicolon", "semicolon ;"),
    ("tab", "tab"),
    ("bar", "bar |"),
)
_CHARACTERS = {"": "", "comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_NAMES = {character: name for name, character in _CHARACTERS.items()}
ENCODINGS = ("utf-8", "windows-1252", "iso-8859-1", "utf-16")
_COLUMNS_SHOWN = 40
_TITLES = {
    "real": ("Real table", "The people whose data the synthetic table was made from."),
    "synthetic": ("Released: synthetic tables", "What is or would be given away. Several can be compared."),
    "holdout": ("Kept out", "Real people like those above whose data was not used for the synthesis: the yardstick."),
}
_NO_HOLDOUT = (
    "Without people who were kept out there is no verdict beyond signs of copied rows: nothing tells what the release "
    "shows of its people from what it shows of anybody. The honest way: divide the real table before the synthesis:"
)


GivenFiles = Mapping[str, tuple[GivenFile, ...]]
"""Files by their role."""


@dataclass(frozen=True)
class DropZone:
    """A place for files of one role; `next` is the number of the next file, `offered` are those of the command line."""

    role: str
    title: str
    explained: str
    files: tuple[SimpleNamespace, ...]
    offered: tuple[tuple[str, str], ...]
    takes_several: bool
    next: int


def page(session: Session, asked: Asked) -> Answer:
    """Show the files, or change one of them."""
    if asked.form is not None:
        return _change(session, asked)
    # Files are read while this is made, so that what stands on the page is looked up once.
    files = {role: tuple(session.files[role]) for role in ROLES}
    lacks = _what_lacks(files)
    is_settling = not lacks and session.state in {"empty", "files"}
    html = render(
        "files",
        make_frame(session, "files", "Files"),
        zones=tuple(_zone(session, role, files) for role in ROLES),
        separators=SEPARATORS,
        separator_names=_NAMES,
        encodings_with=_encodings,
        is_read_only=session.is_read_only,
        missing_holdout="" if lacks or files["holdout"] else _NO_HOLDOUT,
        can_run=not lacks and session.state not in {"empty", "files", "waiting", "running"},
        is_settling=is_settling,
        lacks=lacks or ("The columns are being read." if is_settling else "The run is under way."),
    )
    return Answer(200, html=html)


def _change(session: Session, asked: Asked) -> Answer:
    role, number = asked.path.get("role", ""), asked.path.get("n", "")
    if role not in ROLES or not number.isdecimal():
        return not_found("There is no such file.")
    desk = session.desk
    if session.is_read_only or desk is None:
        return conflict("This audit is open in another Seethrough, so it can only be read here.")
    if session.state in {"waiting", "running"}:
        return conflict("Files cannot change while the run is under way. Stop it first.")
    match asked.first("do"):
        case "choose":
            return _choose(session, desk, (role, int(number)), asked.first("listed"))
        case "remove":
            desk.remove_file(role, int(number))
        case "read":
            separator = _CHARACTERS.get(asked.first("separator"), "")
            desk.read_again(role, int(number), separator, asked.first("encoding"))
    return redirect("files")


def _choose(session: Session, desk: FileDesk, place: tuple[str, int], listed: str) -> Answer:
    if not any(str(offered.number) == listed for offered in session.offered):
        return not_found("There is no such file on the command line.")
    desk.choose(*place, int(listed))
    return redirect("files")


def _what_lacks(files: GivenFiles) -> str:
    given = {role: [file for file in files[role] if not file.problem] for role in ROLES}
    if not given["real"]:
        return "Give the real table first."
    if not given["synthetic"]:
        return "Give at least one synthetic table."
    if any(not file.is_read for each in given.values() for file in each):
        return "The files are being read."
    return ""


def _zone(session: Session, role: str, given: GivenFiles) -> DropZone:
    title, explained = _TITLES[role]
    files, several = given[role], role == "synthetic"
    chosen = {file.path for each in given.values() for file in each}
    offered = [each for each in session.offered if each.path not in chosen] if not session.is_read_only else []
    return DropZone(
        role,
        title,
        explained,
        tuple(_file(session, file) for file in files),
        tuple(map(_offer, offered)),
        several,
        max((file.number for file in files), default=-1) + 1 if several else 0,
    )


def _offer(offered: OfferedFile) -> tuple[str, str]:
    return str(offered.number), offered.label


def _file(session: Session, file: GivenFile) -> SimpleNamespace:
    """Give a file as the template shows it: values hidden where they are to be, columns beyond sight left out."""
    shown: dict[str, Any] = vars(file) | {
        "names": file.names[:_COLUMNS_SHOWN],
        "first_rows": tuple(tuple(map(session.say, row[:_COLUMNS_SHOWN])) for row in file.first_rows),
        "more": max(len(file.names) - _COLUMNS_SHOWN, 0),
    }
    return SimpleNamespace(**shown)


def _encodings(found: str) -> tuple[tuple[str, str], ...]:
    known = ENCODINGS if found in ("", *ENCODINGS) else (found, *ENCODINGS)
    return (("", "found by itself"), *((name, name) for name in known))
