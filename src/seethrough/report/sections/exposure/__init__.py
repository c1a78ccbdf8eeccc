"""Who and what is exposed: records, columns, groups and single checks of each synthetic table."""
