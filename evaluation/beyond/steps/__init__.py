"""What is asked is queued by its hash; a job reads, describes and keeps it, a module a kind."""
