"""Names of columns: plain ones, and those that a program may take for something else."""

from fuzz.case import Case

PLAIN = ("age", "sex", "zip", "income", "job", "town", "ill", "weight", "date", "children", "x", "y")
HOSTILE = (
    "",
    " ",
    "a b",
    "^a$",
    "^.*$",
    "*",
    "row",
    "synthetic",
    "index",
    "__index_level_0__",
    "NaN",
    "null",
    "a,b",
    'say "x"',
    "it's",
    "a\nb",
    "a\rb",
    "tab\there",
    "\x1b[31mred",
    "\u202eright to left",
    "\u0000zero",
    "=1+1",
    "@SUM(A1)",
    "<script>alert(1)</script>",
    "{{ 7*7 }}",
    "[link](http://a)",
    "|pipe|",
    "`code`",
    "é",
    "e\u0301",
    "名前",
    "👩‍👩‍👧",
    "ﬁ",
    "literal",
    "len",
    "count",
    "membership_p",
    "gcap",
    "0",
    "1.5",
    "true",
    "a.b",
    "[columns]",
    "%s %d",
    "{name}",
    "\\",
    "../up",
    "C:\\x",
    "x" * 300,
    "x" * 10_000,
)


def draw_names(case: Case, count: int) -> list[str]:
    """Draw different names; most tables have plain ones alone."""
    hostile = 0.5 if case.chance(0.25) else 0.0
    found: list[str] = []
    while len(found) < count:
        name = case.pick(HOSTILE) if case.chance(hostile) else case.pick(PLAIN)
        found.append(name if name not in found else f"{name}{len(found)}")
    return found
