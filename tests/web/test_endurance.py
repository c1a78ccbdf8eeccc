"""Endurance: many questions in a row leave memory where it was."""

import os
from pathlib import Path

import pytest
import trying_house as trying
from trying_house import live, put_all, settle, small_tables, until_ready

from seethrough.web.messages import Asked

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc here"),
]
PAGES = ("files", "columns", "question", "run", "verdict", "scores", "people", "attacker", "map", "take")


def resident(process):
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_500_questions_in_a_row_leave_memory_flat(tmp_path):
    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables(200))
        await until_ready(house, audit)
        await settle(house, audit)
        await house.run(audit, {})
        await trying.events_of(house, audit)

        async def ask(times):
            for number in range(times):
                answer = await house.ask(audit, Asked(PAGES[number % len(PAGES)]))
                assert answer.status == 200, (PAGES[number % len(PAGES)], answer.said)

        await ask(100)  # what is kept for later questions is there by now
        worker = house.workers._by_audit[audit].process.pid
        before = resident(worker), resident(os.getpid())
        await ask(500)
        return before, (resident(worker), resident(os.getpid()))

    before, after = live(tmp_path / "state", work)
    for first, last in zip(before, after, strict=True):
        assert last <= 1.05 * first
