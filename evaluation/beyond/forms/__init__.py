"""What is described, and by what: files that are sent, or runs, vectors and snapshots of the collection."""
