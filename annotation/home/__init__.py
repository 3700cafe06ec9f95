"""Where people arrive: their batches, a collection at a glance, its jobs and its audit log."""
