"""Measured figures, as people read them."""


def number(value: float) -> str:
    """Four digits: 0.6213, 2e-05, 12,400."""
    return f"{value:.4g}" if abs(value) < 9_999.5 else f"{value:,.0f}"
