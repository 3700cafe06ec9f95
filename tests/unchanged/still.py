"""A world in which the same is the same every time: the clock stands, and what is drawn is drawn from a seed."""

import random
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from django.utils import timezone

BEGINNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass
class Clock:
    """Stands still until somebody lets time pass."""

    moment: datetime = BEGINNING

    def now(self) -> datetime:
        return self.moment

    def seconds(self) -> float:
        return self.moment.timestamp()

    def let_pass(self, **times: float) -> None:
        self.moment += timedelta(**times)


@contextmanager
def still_world(seed: int = 13) -> Iterator[Clock]:
    """Each kind of draw has a sequence of its own, so that one draw more of a kind moves no other."""
    clock = Clock()
    tokens, texts, choices, numbers = (random.Random(seed + n) for n in range(4))

    def token_urlsafe(size: int = 32) -> str:
        return "".join(tokens.choices(_LETTERS, k=-(-size * 4 // 3)))

    def token_hex(size: int = 32) -> str:
        return texts.randbytes(size).hex()

    def choice(among: Sequence[Any]) -> Any:
        return choices.choice(among)

    drawn: dict[str, Any] = {
        "token_urlsafe": token_urlsafe,
        "token_hex": token_hex,
        "choice": choice,
        "randbelow": numbers.randrange,
    }
    with (
        patch.object(timezone, "now", clock.now),
        patch.object(time, "time", clock.seconds),
        patch.multiple(secrets, **drawn),
    ):
        yield clock
