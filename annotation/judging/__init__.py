"""The desk of an annotator: claim, grade, leases, their own work. It knows nothing of what is known beforehand."""
