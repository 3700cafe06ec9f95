"""The flow of this subject: runs evaluated and compared in jobs."""
