"""The interactive tool, `seethrough open`: a server that lets nobody else in, and workers that know the tables.

Two processes. The server (guard, serving, app, uploads, audits, events, processes, messages, rendering) imports neither
NumPy nor the tables, so it starts at once and holds no data; a worker for each open audit reads, computes and renders.
"""
