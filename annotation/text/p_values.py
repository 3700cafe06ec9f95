"""How a p is written: never as 0, which no test shows."""

LEAST = 1e-300  # numbers end at 0 a little below


def tabled_p(p: float, digits: int = 3) -> str:
    """As in a table: `0.0123`, `1.2e-07`, `< 1e-300`."""
    return f"{p:.{digits}g}" if p >= LEAST else f"< {LEAST:g}"


def stated_p(p: float, digits: int = 3) -> str:
    """As in a sentence, behind the name: `= 0.0123`, `< 1e-300`."""
    shown = tabled_p(p, digits)
    return shown if shown.startswith("<") else f"= {shown}"
