"""Tables read and written by what a schema declares and by nothing else, for releases with a privacy guarantee.

Inference decides from all records what a column is, how it is spelt and how it is stored, so one record can change it
for all. Here each record is read by itself, and what is written has columns, types and texts of the schema alone.
"""
