"""Beyond the verdict: columns, groups and single checks of each synthetic table."""
