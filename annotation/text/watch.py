"""How long work says how far it is."""

from collections.abc import Callable
from typing import TypeAlias

Watch: TypeAlias = Callable[[int, int, str], None]  # done, of how much, what is being done
WordlessWatch: TypeAlias = Callable[[int, int], None]  # done, of how much


def say_nothing(done: int, total: int, message: str = "") -> None:
    pass
