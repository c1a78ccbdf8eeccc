"""Plans: what a study computes, read from TOML.

format = 1
name = "mine"
seed = 0
figures = ["roc"]        # which figures and tables come out; all that are usual if left out

[data.people]            # file or sample, secret, keys, ignore, categorical, schema
[[games]]                # each kind of part has its own keys; see docs/studies.md
[[metrics]]
[[linkage]]
[small]                  # what the small form has instead: any of seed, data and the kinds
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from seethrough.data.files.toml_files import parse_toml
from seethrough.errors import ConfigError, no_such, suggest_names
from seethrough.study.cells.results import FULL
from seethrough.study.kinds.figures import check_figure_names
from seethrough.study.kinds.protocol import PlanPart
from seethrough.study.kinds.registry import study_kinds
from seethrough.study.reading.fields import Fields

FORMAT = 1
"""Grows whenever a reader of plans has to change."""
_HEAD = ("format", "name", "title", "source", "about", "seed", "like", "data", "small", "figures")
_DATA = ("about", "file", "sample", "schema", "secret", "keys", "ignore", "categorical")


@dataclass(frozen=True)
class DataSource:
    """A table of a plan: `file` or `sample` says where it comes from, the rest how it is read.

    `fallback` is what the small form reads where the plan names neither file nor sample and the user gives no file.
    """

    name: str
    where: str
    file: Path | None = None
    sample: str = ""
    schema: Path | None = None
    secret: str = ""
    keys: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    categorical: tuple[str, ...] | bool = ()
    about: str = ""
    fallback: "DataSource | None" = None

    @property
    def is_named(self) -> bool:
        """Tell whether there is something to read."""
        return self.file is not None or bool(self.sample)


@dataclass(frozen=True, eq=False)
class Plan:
    """One form of a plan."""

    name: str
    form: str
    title: str
    source: str
    about: str
    seed: int
    data: tuple[DataSource, ...]
    parts: tuple[PlanPart, ...]
    figures: tuple[str, ...]
    text: str

    @property
    def where(self) -> str:
        """Name the plan, for messages."""
        return f"plan {self.name}:"

    def with_files(self, given: Mapping[str, Path]) -> "Plan":
        """Take tables from the files that the user names."""
        known = [source.name for source in self.data]
        for name in given:
            if name not in known:
                hint = suggest_names(name, known, f"it has {', '.join(known) or 'none'}")
                raise ConfigError(f"--data {name}: plan {self.name} has no data of this name; {hint}")
        found = tuple(
            replace(source, file=given[source.name], sample="", fallback=None) if source.name in given else source
            for source in self.data
        )
        return replace(self, data=found)


def shipped_plans() -> tuple[str, ...]:
    """Name the plans that come with the program."""
    folder = files("seethrough.study.plan") / "plans"
    return tuple(sorted(each.name[:-5] for each in folder.iterdir() if each.name.endswith(".toml")))


def read_plan(given: str | Path, form: str = FULL) -> Plan:
    """Read a shipped plan by its name, or a file."""
    name = str(given)
    if name in shipped_plans():
        text = (files("seethrough.study.plan") / "plans" / f"{name}.toml").read_text(encoding="utf-8")
        return parse_plan(text, name, form, folder=None)
    path = Path(given)
    if not path.suffix and not path.exists():
        otherwise = f"shipped are {', '.join(shipped_plans())}, or name a TOML file"
        raise no_such("plan", name, shipped_plans(), otherwise)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a plan: a TOML file in UTF-8 is expected") from error
    return parse_plan(text, path.stem, form, folder=path.parent)


def parse_plan(text: str, name: str, form: str, folder: Path | None) -> Plan:
    """Read the text of a plan; `folder` is where the files that it names are looked for."""
    found = parse_toml(text, f"plan {name}")
    whole = Fields(found, f"plan {found.get('name', name)}:").only(*_HEAD, *study_kinds())
    if found.get("format") != FORMAT:
        raise ConfigError(f"{whole.where} says format {found.get('format')!r}; format = {FORMAT} is expected")
    if "like" in found:
        return _like(whole, form)
    fields = _in_form(whole, form)
    return Plan(
        name=_checked_name(whole, name),
        form=form,
        title=whole.text("title", ""),
        source=whole.text("source", ""),
        about=whole.text("about", ""),
        seed=fields.count("seed", 0, least=0),
        data=tuple(_data(each, label, folder) for label, each in fields.tables("data")),
        parts=_parts(fields),
        figures=_figures(whole),
        text=text,
    )


def _checked_name(whole: Fields, usual: str) -> str:
    """Refuse a name that could not be that of a file: results are written under it."""
    name = whole.text("name", usual)
    if not re.fullmatch(r"[\w.-]*\w[\w.-]*", name):
        raise ConfigError(
            f"{whole.place('name')} is {name!r}; letters, digits, dots, dashes and underscores are expected"
        )
    return name


def _like(whole: Fields, form: str) -> Plan:
    """Take the cells of another shipped plan: both share them in a store."""
    other = whole.text("like")
    if other not in shipped_plans():
        hint = suggest_names(other, shipped_plans(), "one of the shipped plans is expected")
        raise ConfigError(f"{whole.place('like')} is {other!r}; {hint}")
    whole.only("format", "name", "title", "source", "about", "like", "figures")
    return replace(
        read_plan(other, form),
        name=_checked_name(whole, other),
        title=whole.text("title", ""),
        source=whole.text("source", ""),
        about=whole.text("about", ""),
        figures=_figures(whole),
    )


def _figures(whole: Fields) -> tuple[str, ...]:
    return check_figure_names(whole.texts("figures", ()), whole.place("figures"))


def _in_form(whole: Fields, form: str) -> Fields:
    """Put what the small form has in the place of what the full form has."""
    small = whole.table("small")
    if form == FULL or small is None:
        return whole
    kinds = study_kinds()
    small.only("seed", "data", *kinds)
    has_parts = any(key in kinds for key in small.values)
    kept = {key: value for key, value in whole.values.items() if not (has_parts and key in kinds)}
    return Fields({**kept, **small.values}, whole.where)


def parts_of(text: str, form: str) -> dict[str, tuple[Mapping[str, Any], ...]]:
    """Give the parts of a plan that was read before, by kind, as they stand in its file."""
    fields = _in_form(Fields(parse_toml(text, "the plan"), "plan:"), form)
    return {name: tuple(part.values for part in fields.list_of_tables(name)) for name in study_kinds()}


def _parts(fields: Fields) -> tuple[PlanPart, ...]:
    kinds = study_kinds()
    found = tuple(kinds[key].read(part) for key in fields.values if key in kinds for part in fields.list_of_tables(key))
    if not found:
        raise ConfigError(f"{fields.where} asks for nothing; a table such as [[{next(iter(kinds))}]] is expected")
    known = {name for name, _ in fields.tables("data")}
    for part in found:
        for name in part.data:
            if name not in known:
                hint = suggest_names(name, known, f"the plan has {', '.join(sorted(known)) or 'none'}")
                raise ConfigError(f"{part.where}.data names {name!r}; {hint}")
    return found


def _data(fields: Fields, name: str, folder: Path | None) -> DataSource:
    fields.only(*_DATA, "default")
    default = fields.table("default")
    return replace(_source(fields, name, folder), fallback=_source(default, name, folder) if default else None)


def _source(fields: Fields, name: str, folder: Path | None) -> DataSource:
    fields.only(*_DATA, "default")

    def path(key: str) -> Path | None:
        given = fields.text(key, "")
        return (folder or Path()) / given if given else None

    categorical: Any = fields.values.get("categorical", ())
    return DataSource(
        name,
        fields.where,
        path("file"),
        fields.text("sample", ""),
        path("schema"),
        fields.text("secret", ""),
        fields.texts("keys", ()),
        fields.texts("ignore", ()),
        categorical if isinstance(categorical, bool) else fields.texts("categorical", ()),
        fields.text("about", ""),
    )
