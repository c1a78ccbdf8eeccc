"""Tables in chunks: read where they lie, a chunk at a time, and what is computed on them chunk by chunk.

A pass makes a state of each chunk and merges states. Merging is exact, and neither the order nor the way of cutting
changes a bit, so chunks may be gone through here or on the workers of a cluster. Rows that describe or teach are drawn.
"""
