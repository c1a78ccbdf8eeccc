"""Deal a view to an attack, keep the secret, compare.

`dealing` draws a table, targets and their new secrets. The deal stays in this folder: an attack gets an
`AttributeView` made from it, a type that has no place for the truth. Attacks, synthesizers and measures of utility
stand beside games, not below them; whoever starts a game hands them over. Each game has its own random stream, and so
has each attack in it; `running` spreads games over processes, which changes no number.
"""
