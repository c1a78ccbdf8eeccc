"""The supervised attack: what an auditor, who knows who was a member, can learn about how members look.

`features` describes people without labels, `folds` deals them, `forward` tests, `attack` rates.
"""
