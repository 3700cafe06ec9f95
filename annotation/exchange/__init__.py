"""Everything that comes in as a file or leaves as one: imports, bundles, exports."""
