"""Claim: how long an answer takes does not tell gold from ordinary cards.

    python benchmarks/blindness.py [--rounds 3]

A batch of 3,500 cards is made in a new SQLite file and judged to its end by five people in turns, in this process. A
classifier (`tests/annotation/blindness`) gets, of 1,000 gold cards (of all where they are fewer) and as many ordinary
ones drawn by chance, the seconds of the answer that brought the card and of the answer to its grade: as they are, by
logarithm, by rank among the person's last twenty; then all that a browser can count; then both. Printed is the area
under the ROC curve in held-out parts, the median and each round: 0.5 is chance, and a single round varies by 0.015. The
aim is at most 0.53.
"""

import argparse
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

import django
import numpy as np
from django.core.management import call_command

sys.path[0] = str(Path(__file__).resolve().parent.parent)
VAR = tempfile.TemporaryDirectory()
os.environ |= {
    "DATABASE_URL": f"sqlite:///{VAR.name}/blindness.sqlite3",
    "TOUCHSTONE_VAR": VAR.name,
    "TOUCHSTONE_ALLOWED_HOSTS": "testserver",
    "DJANGO_SETTINGS_MODULE": "touchstone.settings",
}
django.setup()

from tests.annotation.blindness.classifier import Array, held_out_auc  # noqa: E402 -- Django is set up first
from tests.annotation.blindness.observer import Observer, judged_in_turns, truth_of  # noqa: E402
from tests.annotation.blindness.test_statistics import N_EACH, balanced, laid_out  # noqa: E402

LAST = 20
AIM = 0.53


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    call_command("migrate", verbosity=0)
    rounds = [_round(number) for number in range(parser.parse_args().rounds)]
    middle = {name: median(each[name] for each in rounds) for name in rounds[0]}
    for name, value in middle.items():
        print(f"{name:24}{value:8.3f}    {' '.join(f'{each[name]:.3f}' for each in rounds)}")
    return int(max(middle.values()) > AIM)


def _round(number: int) -> dict[str, float]:
    """The areas under the curve, by what the classifier is given."""
    call_command("flush", interactive=False, verbosity=0)
    chance = Random(number)
    secrets.token_urlsafe = lambda nbytes=None: f"{chance.getrandbits(128):032x}"[: nbytes or 22]
    batch = laid_out(seed=number)
    (observers,) = judged_in_turns(batch, chance, clock=time.perf_counter)
    seen = [card for observer in observers for card in observer.seen]
    truth = truth_of(seen, batch)
    kept = balanced(truth, np.random.default_rng(number), min(N_EACH, int(truth.sum())))
    people = [seen[at].person for at in kept]
    times = np.concatenate([_times(observer) for observer in observers])[kept]
    countable = np.array([seen[at].features for at in kept])
    features_of = {"times": times, "all that is countable": countable, "both": np.column_stack([countable, times])}
    return {name: held_out_auc(features, truth[kept], people) for name, features in features_of.items()}


def _times(observer: Observer) -> Array:
    """For each card (n, 6)."""
    taken = np.array([(card.brought_in, observer.graded_in[card.token]) for card in observer.seen])
    ranks = np.array([(taken[max(0, at - LAST) : at + 1] <= row).mean(axis=0) for at, row in enumerate(taken)])
    return np.column_stack([taken, np.log(taken), ranks])


if __name__ == "__main__":
    sys.exit(main())
