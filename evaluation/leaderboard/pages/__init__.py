"""What pages of this subject show: rows, words and drawings."""
