"""How sure a difference between systems is: intervals, tests, corrections, and what tests can tell apart.

Callers import from the modules. Every result is a frozen dataclass; whatever draws at random takes
`rng`, a numpy generator or a seed.
"""
