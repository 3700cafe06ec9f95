"""Words that several forms offer."""

AVERAGING = [
    ("complete", "all topics of the snapshot (a missing one counts 0)"),
    ("retrieved", "only topics that the run has"),
]
