"""Points, distances and exact nearest neighbours.

`nearest` is the search and says how it is exact although it uses single-precision matrix products; `points` are what
is searched, `products` the matrix products with their error bound, `blocks` the pairs measured at once, `clusters`
and `boxes` the lower bounds that leave blocks out. `all_nearest` collects all nearest, `extreme_distances` the few
nearest and the farthest, by the same blocks; `keys` has searches on key columns, one pass for columns that take turns.
`nearest_rounds` is the search for many points in few columns: small clusters are left out for each point by itself,
for all points in few operations. `k_nearest` makes lists of the k nearest, in the Manhattan norm, in such rounds
(`lists`), and leaves out pairs by bounds in `whole_steps`. Distances are rounded to twelve digits, so that a tie does
not depend on the order in which columns were added up. Blocks with far outliers fall back to double precision, blocks
with too many candidates to direct measurement.

Measured when choosing, one thread, 20,000 x 20,000 rows of the American Community Survey in blocks of 1024 x 1024:
all products in single precision 0.8 s; row minima, column minima and maximum 0.03 s each; a comparison with a
threshold of another type 0.3 s, hence thresholds in the block's type. With the lower bounds, 100,000 x 100,000 rows
on two threads take 2.5 s with blocks of 1024 (4.7 s without bounds), 5.4 s with 512 and 12 s with 256, whose bounds
leave out more but whose calls cost more. In rounds, where a small cluster costs no call, both directions of 100,000 x
100,000 rows take 2.4 s of processor time and 5.4 in blocks, the 20 nearest of 13,000 people 1.0 s and 3.3 with a call
for each cluster.
"""
