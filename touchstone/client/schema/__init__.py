"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""
