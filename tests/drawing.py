"""What chance does in tests: the same in every run of the suite, anew and for longer in `make fuzz`."""

import os
import random
import secrets
from collections.abc import Callable, Iterable

import hypothesis
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

FUZZ_TIMES = int(os.environ.get("TOUCHSTONE_FUZZ_TIMES") or 0)  # examples of `make fuzz` for one that a test asks for
IN_SUITE = 0.5  # … of the suite, which draws the same ones every time
TIMES = FUZZ_TIMES or IN_SUITE
_SETTINGS = "_hypothesis_internal_use_settings"


def load_profile() -> None:
    """Nothing fails for being slow: a busy machine is not wrong."""
    patient = hypothesis.settings(
        deadline=None, print_blob=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.register_profile("fuzz", patient)
    hypothesis.settings.register_profile("suite", patient, derandomize=True)
    hypothesis.settings.load_profile("fuzz" if FUZZ_TIMES else "suite")
    if not FUZZ_TIMES:
        draw_nothing_from_code()


def draw_nothing_from_code() -> None:
    """Hypothesis also tries the constants of all code imported so far, which is other code in every worker."""
    nothing = Constants()
    providers._get_local_constants = lambda: nothing


def draw_times(tests: Iterable[Callable[..., object]], times: float = TIMES) -> None:
    """Multiply what each property test draws, also where the test says how much."""
    for test in set(tests):
        settings = getattr(test, _SETTINGS)
        setattr(test, _SETTINGS, hypothesis.settings(settings, max_examples=round(times * settings.max_examples)))


def seed_chance(name: str) -> None:
    """Everything drawn in this process from now on, tokens of Django and of ours among it, follows from the name.

    A token that happens to hold a word or a number would turn a test that asks for it on the page, once in thousands
    of runs. What a test starts as a process of its own draws as in production.
    """
    random.seed(name)
    drawn = random.Random(name)
    secrets._sysrand = drawn  # type: ignore[attr-defined]
    secrets.choice = drawn.choice
    secrets.randbits = drawn.getrandbits  # type: ignore[assignment]
