"""What pages of batches say: tables, and words of dynamic overlap."""
