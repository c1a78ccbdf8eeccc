"""Nearest rows on key columns, all ties kept, and what they say of a further column.

`hamming` counts keys that differ. Where columns take turns as the secret and all others are known, one pass serves all
turns: leaving a column out lowers a total by 1 where the two rows differ in it and by nothing else, so whatever is
nearest in some turn lies within 1 of the nearest with all columns. `within_reach` finds those pairs, `nearest_in_turn`
tells the turns apart, `agreement_in_turn` counts who shares a secret, `majorities_in_turn` what most of them say.
`labels_in_turn` finds the nearest row of each label without some columns, and a label may differ from turn to turn.
"""
