"""Evidence: members against people outside, on the same release.

`pool` mixes both, `battery` runs every attack on the mixture, `significance` tests whether the answers know who is who,
`grading` turns that into findings and a verdict, `people` combines rows by person, lists single people and bounds
epsilon, `comparability` asks whether members and people outside are alike without any release, `several` compares files
and attacks them together. docs/evidence.md says why and with what error rates.
"""
