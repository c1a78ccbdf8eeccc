"""Evidence: members against people outside, on the same release.

`pool` mixes both, `battery` runs every attack on the mixture, `significance` tests whether the answers know who is who,
`grading` turns that into findings and a verdict, `exposed` lists single people, `comparability` asks whether members
and people outside are alike without any release. docs/evidence.md says why and with what error rates.
"""
