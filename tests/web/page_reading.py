"""Reads a page of the tool as a browser would, and says what is wrong with it."""

from html.parser import HTMLParser

VOID = frozenset(
    {"meta", "link", "input", "br", "img", "hr", "wbr", "path", "circle", "rect", "line", "use", "polyline"}
)
MOST_CHARACTERS = 200_000


class PageReader(HTMLParser):
    """Walks through a page and notes its elements, its text and its defects."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(page)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        self.faults += [f"{name}= in <{tag}>" for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.faults.append(f"<{tag}> of its own")
        if "id" in given:
            self.faults += [f"id {given['id']} twice"] if given["id"] in self.ids else []
            self.ids.append(given["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> where it does not belong")

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts.setdefault(tag, []).append(data)

    def text(self, tag: str = "body") -> str:
        """Give the text inside all elements of a kind, on one line."""
        return " ".join("".join(self.texts.get(tag, [])).split())

    def count(self, tag: str) -> int:
        """Count the elements of a kind."""
        return sum(name == tag for name, _ in self.elements)


def faults_of(page: str) -> list[str]:
    """List what no page of the tool may have, and what every page must have."""
    read = PageReader(page)
    found = list(read.faults)
    found += [] if read.count("h1") == 1 else [f"{read.count('h1')} h1"]
    found += [] if read.text("title") else ["no title"]
    found += [] if len(page.encode()) < MOST_CHARACTERS else [f"{len(page.encode()):,} bytes"]
    unlabelled = [given for tag, given in read.elements if tag == "select" and not given.get("aria-label")]
    found += [f"a list without a label: {given}" for given in unlabelled]
    found += [
        f"a heading of a table without scope: {given}"
        for tag, given in read.elements
        if tag == "th" and "scope" not in given
    ]
    found += ['the word "safe"'] if "safe" in read.text("main").lower().split() else []
    return found
