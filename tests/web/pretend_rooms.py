"""Audits without tables and workers: every answer holds `DATA`, which nobody may see who has no cookie."""

import asyncio
import os
from pathlib import Path

from seethrough.web.messages import Answer, redirect

DATA = "row 4,211: nurse, 61"
AUDIT = "0123456789abcdef"


class PretendRooms:
    """Holds one audit, remembers what it is asked, and stores what it is sent in `folder`."""

    def __init__(self, folder, wishes=None):
        self.folder, self.wishes, self.asked, self.is_closed = Path(folder), wishes, [], False
        self.busy = False
        self.folder.mkdir(mode=0o700, exist_ok=True)
        (self.folder / "report.html").write_text(DATA)

    async def start(self):
        pass

    async def close(self):
        self.is_closed = True
        (self.folder / "closed").touch()

    def is_busy(self):
        return self.busy

    def opening(self):
        return ""

    def listing(self):
        row = {"id": AUDIT, "name": DATA, "note": "", "when": "today", "rows": 1, "verdict": "", "severity": "unknown"}
        return ({**row, "state": "done", "has_tables": True, "keeps": False, "held": False},)

    async def create(self, *, sample):
        return AUDIT

    def holds(self, audit):
        return audit == AUDIT

    async def ask(self, audit, asked):
        self.asked.append(asked)
        if asked.query.get("row", "1") != "1" or asked.query.get("check", "gcap") != "gcap":
            return Answer(404, said="There is no such person or check.")
        if asked.path.get("name") == "broken":
            raise RuntimeError(DATA)
        return Answer(200, html=f"<!doctype html><title>x</title><p>{DATA}</p>")

    async def run(self, audit, form):
        return redirect("run")

    async def cancel(self, audit):
        return redirect("run?row=1")

    async def receive(self, audit, place, label, length, pieces):
        self.asked.append((place, label, length))
        part = self.folder / f"{place[0]}-{place[1]}.part"
        try:
            with part.open("wb") as file:
                async for piece in pieces:
                    file.write(piece)
            os.replace(part, part.with_suffix(""))
        finally:
            part.unlink(missing_ok=True)
        return Answer(200, html=DATA)

    def follow(self, audit, after):
        if after == 4:
            return None

        async def stream():
            yield f"id: {after + 1}\ndata: {DATA}\n\n".encode()
            if after == 3:
                await asyncio.sleep(60)

        return stream()

    async def download(self, audit, name):
        return self.folder / "report.html" if name == "report-html" else None

    async def manage(self, audit, what, form):
        return redirect("../../")
