"""What pages of this subject say: words, tones, plots and tables."""
