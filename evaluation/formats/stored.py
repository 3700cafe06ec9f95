"""Figures as databases keep them."""

import math
from typing import Any


def finite(value: Any) -> Any:
    """Numbers, lists and objects without infinities and without what is not a number: these are null."""
    if isinstance(value, dict):
        return {name: finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
