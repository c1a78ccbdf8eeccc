"""JSON, Parquet, CSV and spreadsheets."""
