"""An audit: checks run on a release and on its controls.

`controls` makes what a check is measured on: the release, a copy of the real table, an independent table. `run` runs
the checks, `stopwatch` measures what they cost. `artefacts` come before any check; `diagnostics` after, from answers
that checks have asked the bench for. `checks` are those that run an attack of `attacks/` on the release.
"""
