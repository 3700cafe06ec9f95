"""Reports of a collection: an evaluation or a comparison of runs against a snapshot, as a folder to print and keep."""
