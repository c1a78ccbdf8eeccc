"""The annex: findings of a report in the order in which a data protection officer asks for them.

`custodian` reads what only the custodian knows, `questions` maps findings to questions, `pages` writes the annex. It is
built from a `Report` alone, so that the annex of a report for others shows nothing that this report does not show.
"""
