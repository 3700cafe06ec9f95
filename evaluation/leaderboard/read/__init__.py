"""What is read of this subject."""
