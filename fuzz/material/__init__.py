"""What cases are made of: names, columns, tables, damage."""
