"""Cells: the single results of a study, what computes and what identifies them."""
