"""A corpus in parts, searched part by part in one process or on many machines, and merged (docs/shards.md)."""
