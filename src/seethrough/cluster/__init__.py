"""Dask: a cluster by its address, or one inside this process that nobody else can reach; for studies and for audits."""
