"""Claim: where two runs are equal, the share of draws in which one beats the other is below p with a chance of about p.

    python benchmarks/share_calibration.py [replications] [uneven]

Two runs rank ten documents on each of some topics; a difference is one of discounted gains. A document has a worth and
a style, and an annotator a taste in styles and errors of his own: a grade, 0 to 3, is worth + taste · style + error,
rounded. Annotators judge every document, or three of twenty judge each; their grades become one by the median or the
mean; some are asked far oftener than others. The first run has one style, the second the other, so that tastes move the
difference on all topics at once. Both runs are drawn alike: equal over topics and annotators drawn anew. For judgments
drawn anew topics are laid in twos, with the documents of the two runs exchanged, so that the runs are equal on these
very topics. Topics are drawn anew under annotators without tastes. Printed is P(share ≤ p) in per cent, and for both
beside it what the plain sum of the two squared errors would give; `inside` are shares between .025 and .975, `error` is
the standard error that is stated, to the true scatter of differences. Then the same of grades drawn from their
calibrated probabilities, for runs that are equal by their true grades. Last, how often a new sample of topics has the
order of a first one whose share is between .94 and .96. A line says (withheld) where the program refuses the share, as
of the first replication. `uneven`: only the crowds of which some are asked far oftener than others.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.quality.adjudications import no_adjudications
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from annotation.quality.table import judgment_table
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.sensitivity.judgments import judgments_of
from evaluation.engine.sensitivity.shares.crossed import (
    crossed_errors,
    crossed_shares,
    share_of_both,
    share_of_two,
)
from evaluation.engine.sensitivity.shares.posterior import (
    as_judged_anew,
    calibrated_posterior,
    drawn_grades,
    reliability,
)
from evaluation.engine.sensitivity.shares.share import share_above, share_of_t
from evaluation.engine.sensitivity.shares.topics import share_by_topics

SEED, K, TOP, N_DRAWS = 16, 10, 3, 999
LEVELS = (0.025, 0.05, 0.1, 0.5, 0.9, 0.95, 0.975)
CROWDS = (
    (2, 2, "median"),
    (2, 2, "mean"),
    (3, 3, "median"),
    (3, 3, "mean"),
    (5, 5, "median"),
    (5, 5, "mean"),
    (20, 20, "median"),
    (20, 3, "median"),
)
UNEVEN = (  # how often each is asked beside the others, and how many judge a pair
    ("3 annotators, one half as often", (1, 1, 0.5), 2),
    ("6 annotators, three rarely", (1, 1, 1, 0.02, 0.02, 0.02), 3),
    ("8 annotators, two for most", (10, 10, 1, 1, 1, 1, 1, 1), 2),
    ("10 annotators, one for most", (30, 1, 1, 1, 1, 1, 1, 1, 1, 1), 2),
    ("10 annotators, each less", (30, 10, 5, 2, 1, 1, 1, 1, 1, 1), 3),
    ("4 annotators, one three times as often", (3, 1, 1, 1), 2),
    ("5 annotators, two five times as often", (5, 5, 1, 1, 1), 3),
    ("20 annotators, each less", tuple(1 / n for n in range(1, 21)), 3),
    ("30 annotators, each far less", tuple(n**-1.5 for n in range(1, 31)), 3),
    ("20 annotators, one for most", (50, *[1] * 19), 3),
)
GAIN = 1 / np.log2(np.arange(2, K + 2))


@dataclass(frozen=True)
class World:
    n_topics: int
    n_annotators: int
    each: int  # annotators of a document
    rule: str = "median"
    taste: float = 0.3
    error: float = 1.2
    in_twos: bool = False
    often: tuple[float, ...] = ()  # how often each annotator is asked; empty: alike


Drawn = tuple[
    Floats, Floats, Ints
]  # differences (n_topics,), without each (n_annotators, n_topics), how much each judged


def drawn(world: World, rng: np.random.Generator) -> Drawn:
    worth = rng.normal(1.2, 0.9, (world.n_topics, 2, K)) + rng.normal(0, 0.4, (world.n_topics, 2, 1))
    if world.in_twos:
        worth[1::2] = worth[::2, ::-1]
    shape = (*worth.shape, world.each)
    turn = rng.random((*worth.shape, world.n_annotators))
    who = np.argsort(-np.log(turn) / np.array(world.often) if world.often else turn, axis=-1)[..., : world.each]
    taste = rng.normal(0, world.taste, world.n_annotators)[who] * np.array([1, -1])[:, None, None]
    grade = np.clip(np.rint(worth[..., None] + taste + rng.normal(0, world.error, shape)), 0, TOP)
    full = consolidated(grade, world.rule)
    others = [consolidated(np.delete(grade, slot, axis=-1), world.rule) for slot in range(world.each)]
    difference = gained(full)
    without = np.tile(difference, (world.n_annotators, 1))
    for slot, other in enumerate(others):
        change = (other - full) * GAIN * np.array([1, -1])[:, None]
        topic = np.broadcast_to(np.arange(world.n_topics)[:, None, None], change.shape)
        np.add.at(without, (who[..., slot], topic), change)
    return difference, without, np.bincount(who.ravel(), minlength=world.n_annotators)


def consolidated(grade: Floats, rule: str) -> Floats:
    return np.asarray(grade.mean(axis=-1) if rule == "mean" else np.floor(np.median(grade, axis=-1)))


def gained(grade: Floats) -> Floats:
    total = (grade * GAIN).sum(axis=-1)
    return np.asarray(total[:, 0] - total[:, 1])


def shares(world: World, n: int) -> Iterator[tuple[float, ...]]:
    """Topics, judgments, both (also where `crossed_shares` withholds them), by the plain sum: of each replication."""
    rng = np.random.default_rng([SEED, world.n_topics, world.n_annotators, world.each, world.in_twos])
    for _ in range(n):
        difference, without, n_judged = drawn(world, rng)
        errors = crossed_errors(difference, without, n_judged)
        plain = share_of_two(errors, errors.topics, errors.annotators)
        judgments = share_of_t(errors.difference, errors.annotators**0.5, errors.n_annotators - 1.0)
        topics = share_by_topics(difference, n_draws=N_DRAWS, rng=rng).share if world.taste == 0 else None
        row = (topics or 0.0, judgments, share_of_both(errors), plain)
        yield (*row, errors.difference, errors.annotators, errors.both, errors.topics + errors.annotators)


def withheld(world: World) -> list[str]:
    """What the name of the line of judgments, and of both, has after it."""
    refused = crossed_shares(*drawn(world, np.random.default_rng(SEED)))
    return [" (withheld)" * (share.share is None) for share in refused]


def line(name: str, share: Floats, ratio: float | None = None) -> str:
    shares_below = "".join(f"{100 * (share <= level).mean():7.1f}" for level in LEVELS)
    inside = 100 * ((share > LEVELS[0]) & (share < LEVELS[-1])).mean()
    return f"  {name:48}{shares_below}{inside:8.1f}" + (f"{ratio:8.2f}" if ratio else "")


def ratio_of(table: Floats, square: int) -> float:
    """The standard error that is stated, to the scatter of the difference over replications."""
    return float((table[:, square].mean() / table[:, 4].var()) ** 0.5)


def report(n: int) -> None:
    for size in (25, 50, 100):
        table = np.array(list(shares(World(size, 5, 5, taste=0.0), n)))
        print(line(f"topics anew, {size} topics", table[:, 0]), flush=True)
    for people, each, rule in CROWDS:
        _report_crowd(f"{people} annotators, {each} a pair, {rule}", World(50, people, each, rule), n)


def report_uneven(n: int) -> None:
    for words, often, each in UNEVEN:
        _report_crowd(f"{words}, {each} a pair", World(50, len(often), each, often=often), n)


def _report_crowd(words: str, world: World, n: int) -> None:
    of_judgments, of_both = withheld(world)
    table = np.array(list(shares(replace(world, in_twos=True), n)))
    print(line(f"judgments anew{of_judgments}, {words}", table[:, 1], ratio_of(table, 5)), flush=True)
    table = np.array(list(shares(world, n)))
    print(line(f"both{of_both}, {words}", table[:, 2], ratio_of(table, 6)))
    print(line("     by the plain sum", table[:, 3], ratio_of(table, 7)), flush=True)


def by_grades(n: int, *, n_topics: int = 20, people: int = 5, n_gold: int = 4) -> Floats:
    """Shares by draws of grades, for runs equal by the true ones; gold is on other documents."""
    rng, scale = np.random.default_rng([SEED, 1]), Scale(tuple(range(TOP + 1)))
    policy = Policy(min_gold=0, accuracy_threshold=0.0, count_unproven=True, min_judgments=1, max_range=None)
    number = [f"{t:02}" for t in range(n_topics) for _ in range(2 * K + n_gold)]
    docno = [f"{d:02}" for _ in range(n_topics) for d in range(2 * K + n_gold)]
    result = []
    for _ in range(n):
        true = rng.choice(TOP + 1, (n_topics, 2 * K + n_gold), p=(0.4, 0.3, 0.2, 0.1))
        true[1::2, : 2 * K] = np.roll(true[::2, : 2 * K], K, axis=1)
        seen = np.clip(np.rint(true[..., None] + rng.normal(0, 0.9, (*true.shape, people))), 0, TOP).astype(np.int64)
        table = judgment_table(
            number=list(np.repeat(number, people)),
            docno=list(np.repeat(docno, people)),
            annotator=[f"a{a}" for a in range(people)] * len(number),
            grade=seen.ravel(),
        )
        known = [at for at in range(len(number)) if int(docno[at]) >= 2 * K]
        gold = gold_pairs(
            table,
            number=[number[at] for at in known],
            docno=[docno[at] for at in known],
            grade=true.ravel()[known],
            scale=scale,
        )
        result.append(_by_grades(Inputs(table, scale, gold, no_adjudications()), policy, n_topics, rng))
    return np.array(result)


def _by_grades(inputs: Inputs, policy: Policy, n_topics: int, rng: np.random.Generator) -> float:
    judgments = judgments_of(inputs, policy)
    place = {(judgments.pairs.numbers[t], d): at for at, (t, d) in enumerate(_pairs(judgments.pairs))}
    order = np.array([[place[f"{t:02}", f"{d:02}"] for d in range(2 * K)] for t in range(n_topics)])
    posterior, grades = calibrated_posterior(judgments), inputs.scale.values
    draws = [
        _gained(grade[:, order].astype(np.float64))
        for grade in drawn_grades(posterior, grades, n_draws=N_DRAWS, rng=rng)
    ]
    return share_above(as_judged_anew(np.concatenate(draws), reliability(posterior, grades)))


def _pairs(pairs: object) -> list[tuple[int, str]]:
    return list(zip(pairs.topic.tolist(), pairs.docno, strict=True))  # type: ignore[attr-defined]


def _gained(grade: Floats | Ints) -> Floats:
    """(n_draws, n_topics, 2K) → (n_draws,)."""
    total = (grade.reshape(*grade.shape[:2], 2, K) * GAIN).sum(axis=-1)
    return np.asarray((total[..., 0] - total[..., 1]).mean(axis=1))


def repeated(n: int, *, n_topics: int = 50) -> tuple[float, int]:
    """How often a second sample of topics has the order of a first whose share is near .95, and of how many."""
    rng = np.random.default_rng([SEED, 2])
    again = []
    for _ in range(n):
        worth = rng.normal(0, 1)  # far wider than the standard error: any true difference there is as likely
        first, second = rng.normal(worth, 1.0, (2, n_topics))
        share = share_of_t(float(first.mean()), float(first.std(ddof=1)) / n_topics**0.5, n_topics - 1.0)
        if 0.94 <= share <= 0.96:
            again.append(second.mean() > 0)
    return float(np.mean(again)), len(again)


def main(replications: str = "2000", which: str = "all") -> None:
    n, start = int(replications), time.perf_counter()
    print(f"{n} replications a line, seed {SEED}")
    print(f"{'P(share ≤ p), per cent':62}" + "".join(f"{100 * level:7.1f}" for level in LEVELS) + "  inside   error")
    if which == "all":
        report(n)
    report_uneven(n)
    if which == "all":
        report_grades(n)
    print(f"{time.perf_counter() - start:.0f} s")


def report_grades(n: int) -> None:
    for people, n_topics in ((3, 20), (5, 20), (9, 20), (5, 50)):
        words = f"{people} annotators, {4 * n_topics} pairs of gold"
        print(line(f"grades drawn, {words}", by_grades(n, people=people, n_topics=n_topics)), flush=True)
    again, of = repeated(100 * n)
    print(f"of shares near .95, a new sample has the same order in {100 * again:.1f} % (of {of})")


if __name__ == "__main__":
    main(*sys.argv[1:3])
