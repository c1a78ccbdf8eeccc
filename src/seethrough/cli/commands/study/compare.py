"""`seethrough study compare`: the numbers of a study beside the published ones."""

from seethrough.cli.commands.study.options import STORE, Form, Store, StudyName, study_name
from seethrough.cli.output import say


def compare(plan: StudyName, store: Store = STORE, form: Form = None) -> None:
    """Show the numbers of a study beside the published ones, and whether they agree by a stated rule."""
    from seethrough.study.kinds.comparison import compare_with_published, comparison_rule
    from seethrough.study.store.frame import load

    results = load(store, study_name(plan), form)
    comparisons = compare_with_published(results)
    say(comparison_rule(results))
    if not comparisons:
        say("no published number is about what this study has")
    for each in comparisons:
        ours = f"here {each.ours or 'not measured'}"
        say(f"{each.verdict}: {each.what}: {ours}; {each.source}: {each.published}")
