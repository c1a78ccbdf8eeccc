"""Ranks and linkage in rank space.

Apart from `kernels.neighbours`, because the norm is a sum of absolute differences, which is no matrix product.
"""
