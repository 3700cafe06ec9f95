"""Which pairs to judge next: those that tell runs apart, and pools that grow as judging goes on."""
