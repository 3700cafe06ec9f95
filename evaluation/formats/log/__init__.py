"""Logs: rows with named columns, as CSV, TSV, JSONL or Parquet, read block by block."""
