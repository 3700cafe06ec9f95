"""What the pages of this subject show: words, plots and tables."""
