"""Pages are answered while answers are prepared: two threads at once get what each would get alone."""

from concurrent.futures import ThreadPoolExecutor

import seethrough as st


def test_answers_do_not_depend_on_who_asks_at_the_same_time(frames):
    checks = ["gcap", "zcap", "dcr", "crp", "auth", "nnaa", "cvp"]
    alone, shared = (st.explore(*frames, secret="ill", checks=checks, preset="attacks") for _ in range(2))
    for each in (alone, shared):
        each.run()
    wanted = [[alone.work_through(name, alone.person(row=row)) for name in checks] for row in range(12)]
    flags = alone.flags(alone.person(row=3))
    with ThreadPoolExecutor(3) as pool:
        prepared = pool.submit(shared.prepare)
        found = [
            pool.submit(lambda row=row: [shared.work_through(name, shared.person(row=row)) for name in checks])
            for row in range(12)
        ]
        prepared.result()
        assert [each.result() for each in found] == wanted
    assert shared.flags(shared.person(row=3)) == flags
