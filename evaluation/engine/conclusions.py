"""What comparisons of runs may conclude, in sentences that say what the numbers say and no more.

Pages, the API, the commands and the library all take them from here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from annotation.text.counted import with_sign
from annotation.text.watch import Watch, say_nothing
from evaluation.engine.comparison import Comparison, Design, Pair, compare
from evaluation.engine.many_runs import OF_MEANS, ManyRuns, many_of
from evaluation.engine.order_changes import SAME
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.inputs import is_constant
from evaluation.engine.significance.pairs import PairsTest
from evaluation.engine.two_runs import TwoRuns, beside_others

NAMED = 6  # tags in a sentence, at most
SCOPE = "This holds for topics like these, under these judgments, by this measure"
NOT_EQUAL = "That does not show that they are equal."
OF_SIGNS = ("randomization", "sign", "wilcoxon", "tukey")  # of two runs all of these turn differences round
NARROW, NARROW_BELOW = ("percentile", "basic", "bca"), 250
NOT_OF_MEANS = "This test speaks of ranks or counts of topics, not of the mean: it does not say which is better by it."
TEST_WORDS: Mapping[PairsTest, str] = {
    "randomization": "randomization test",
    "t": "paired t-test",
    "bootstrap": "bootstrap test",
    "wilcoxon": "Wilcoxon's test of signed ranks",
    "sign": "sign test",
    "tukey": "randomised Tukey test",
}
CORRECTION_WORDS: Mapping[Correction, str] = {
    "none": "no correction",
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "hochberg": "Hochberg's correction",
    "hommel": "Hommel's correction",
    "bh": "Benjamini and Hochberg's correction",
    "by": "Benjamini and Yekutieli's correction",
}


def compare_by(
    measures: Iterable[str],
    evaluations: Sequence[MeasureValues],
    design: Design,
    *,
    rng: np.random.Generator,
    seed: int,
    watch: Watch = say_nothing,
) -> list[Comparison]:
    """`compare` by each measure, one generator for all of them, each with its conclusion. `seed` is that of the other
    tests of two runs, which stand beside the one that decides. `watch` is told how far the comparison by each measure
    is. Raises `ValueError` as `compare` does."""
    comparisons = [
        compare(evaluations, name, design, rng=rng, watch=partial(_watch_measure, watch, name)) for name in measures
    ]
    return [replace(one, conclusion=_concluded(one, evaluations, seed)) for one in comparisons]


def _watch_measure(watch: Watch, measure: str, done: int, total: int) -> None:
    watch(done, total, f"comparing by {measure}")


def conclusion_of_two(runs: TwoRuns) -> list[str]:
    """The test that decides was named beforehand; the others are there to be looked at, not to be chosen from."""
    pair, design, n = runs.pair, runs.comparison.design, len(runs.comparison.numbers)
    if not pair.difference.any():
        return [f"{pair.first} and {pair.second} have the same value on each of the {n} topics."]
    sentences = [_difference(pair, runs.comparison.measure, n), *_missing(runs.comparison), _decision(pair, design)]
    if others := _other_tests(runs):
        sentences.append(others)
    if is_constant(pair.difference):
        sentences.append("All topics differ by the same: an interval without width says nothing of other topics.")
    elif design.minimum is not None:
        sentences += _minimum(pair, design, n)
    sentences += _narrow(design, n)
    return [*sentences, f"{SCOPE}; it says nothing of single topics."]


def conclusion_of_many(many: ManyRuns) -> list[str]:
    """How many pairs are told apart, what that level means, and how the best run stands to the others."""
    design = many.design
    pairs = f"{many.n_apart:,} of {many.n_pairs:,} pairs of {len(many.runs)} runs can be told apart"
    level = f"at the level of {design.alpha:g} ({_tested(design)}, {_draws(many)})"
    sentences = [f"Over {len(many.numbers)} topics {pairs} in {many.measure} {level}.", _meaning(many)]
    sentences += _lacking({run.tag: run.n_missing for run in many.runs})
    if many.least_p > design.alpha:
        sentences.append(_out_of_reach(many))
    sentences.append(_best_run(many))
    if many.n_apart < many.n_pairs:
        sentences.append("Runs that cannot be told apart are not shown to be equal.")
    return [*sentences, f"{SCOPE}."]


def conclusion_against(comparison: Comparison) -> list[str]:
    """Runs against a baseline, named from the best to the worst."""
    design = comparison.design
    pairs = sorted(comparison.pairs, key=lambda pair: (-pair.interval.mean, pair.first))
    apart = [pair for pair in pairs if pair.adjusted <= design.alpha]
    better = [pair.first for pair in apart if pair.interval.mean > 0]
    worse = [pair.first for pair in apart if pair.interval.mean < 0]
    n_open = len(pairs) - len(better) - len(worse)
    family = f"{_tested(design)} over {_counted(len(pairs), 'run')} against {design.baseline}"
    scope = (
        f"Over {len(comparison.numbers)} topics, in {comparison.measure} at the level of {design.alpha:g} ({family})"
    )
    sentences = [f"{scope}, better than {design.baseline}: {_named(better)}; worse: {_named(worse)}."]
    sentences += _missing(comparison)
    if n_open:
        sentences.append(f"{_counted(n_open, 'run')} cannot be told apart from it. {NOT_EQUAL}")
    sentences += _narrow(design, len(comparison.numbers))
    return [*sentences, f"{SCOPE}; it says nothing of the other runs among each other."]


def _concluded(comparison: Comparison, evaluations: Sequence[MeasureValues], seed: int) -> tuple[str, ...]:
    if len(comparison.tags) == 2:
        return tuple(conclusion_of_two(beside_others(comparison, evaluations, seed=seed)))
    if comparison.test not in OF_MEANS:
        return tuple(_without_order(comparison))
    if comparison.design.baseline is not None:
        return tuple(conclusion_against(comparison))
    return tuple(conclusion_of_many(many_of(comparison)))


def _without_order(comparison: Comparison) -> list[str]:
    apart, design = comparison.apart, comparison.design
    pairs = f"{apart.n_apart:,} of {apart.n_pairs:,} pairs of runs can be told apart"
    level = f"at the level of {design.alpha:g} ({_tested(design)})"
    return [
        f"Over {len(comparison.numbers)} topics {pairs} in {comparison.measure} {level}.",
        *_missing(comparison),
        NOT_OF_MEANS,
    ]


def _difference(pair: Pair, measure: str, n_topics: int) -> str:
    mean, low, high = pair.interval.mean, pair.interval.low, pair.interval.high
    confidence = f"{100 * pair.interval.confidence:g} % interval {with_sign(low, '.4f')} to {with_sign(high, '.4f')}"
    difference = f"{pair.first} minus {pair.second} is {with_sign(mean, '.4f')} in {measure}"
    return f"Over {n_topics} topics {difference} ({confidence})."


def _missing(comparison: Comparison) -> list[str]:
    return _lacking(dict(zip(comparison.tags, comparison.n_missing, strict=True)))


def _lacking(n_missing: Mapping[str, int]) -> list[str]:
    """Which runs count 0 for topics only because they have nothing there."""
    lacking = [f"{tag} {n}" for tag, n in n_missing.items() if n]
    return [f"Topics that a run has no document for count 0: {_named(lacking)}."] if lacking else []


def _narrow(design: Design, n_topics: int) -> list[str]:
    """Which intervals hold the true mean less often than they say, by `benchmarks/interval_coverage.py`."""
    if design.interval not in NARROW or n_topics >= NARROW_BELOW:
        return []
    narrow = f"Intervals by {design.interval} are too narrow for fewer than {NARROW_BELOW} topics"
    return [f"{narrow}: they hold the true difference less often than they say. Take t."]


def _decision(pair: Pair, design: Design) -> str:
    better, worse = (pair.first, pair.second) if pair.interval.mean > 0 else (pair.second, pair.first)
    level = f"at the level of {design.alpha:g} ({TEST_WORDS[design.test]}, p {_p(pair.p)})"
    if pair.p <= design.alpha and design.test not in OF_MEANS:
        return f"{pair.first} and {pair.second} can be told apart {level}. {NOT_OF_MEANS}"
    if pair.p <= design.alpha:
        return f"{better} is better than {worse} {level}."
    n = int(np.count_nonzero(pair.difference))
    if design.test in OF_SIGNS and 2.0 ** (1 - n) > design.alpha:
        few = f"This test can find nothing: {_counted(n, 'topic')} that differ give no p below {2.0 ** (1 - n):.3g}."
        return f"The two cannot be told apart {level}. {few} {NOT_EQUAL}"
    return f"The two cannot be told apart {level}. {NOT_EQUAL}"


def _other_tests(runs: TwoRuns) -> str:
    alpha, decided = runs.comparison.design.alpha, runs.pair.p <= runs.comparison.design.alpha
    others = [TEST_WORDS[name] for name, one in runs.others.items() if (one.pairs[0].p <= alpha) != decided]
    if not others:
        return ""
    words = "would not" if decided else "would"
    return f"By other tests the two {words} be told apart: {', '.join(others)}. Choose a test before you look."


def _minimum(pair: Pair, design: Design, n_topics: int) -> list[str]:
    least, low, high = design.minimum or 0.0, pair.interval.low, pair.interval.high
    if low >= least or high <= -least:
        sentences = [f"Even the end of the interval nearer to 0 is a difference of {least:g} or more."]
    elif -least < low and high < least:
        sentences = [f"The whole interval is nearer to 0 than {least:g}, the smallest difference that would matter."]
    else:
        sentences = [f"Whether the difference reaches {least:g} is open: the interval holds smaller and larger ones."]
    if pair.power and pair.needed:
        power = f"{pair.power.power:.2f}" if pair.power.power < 0.995 else "above 0.99"
        sentences.append(
            f"To find a true difference of {least:g} with a power of {design.power:g} a paired t-test needs "
            f"{pair.needed.n_topics:,} topics, if differences vary as here; with {n_topics} its power is {power}."
        )
    return sentences


def _tested(design: Design) -> str:
    words = TEST_WORDS[design.test]
    return words if design.test == "tukey" else f"{words}, {CORRECTION_WORDS[design.correction]}"


def _draws(many: ManyRuns) -> str:
    return "exact" if many.exact else f"{many.n_draws:,} draws" if many.n_draws else "by its formula"


def _meaning(many: ManyRuns) -> str:
    alpha = many.design.alpha
    if many.correction in ("bh", "by"):
        return f"On average at most {100 * alpha:g} % of the pairs told apart are so by chance."
    if many.correction == "none" and many.design.test != "tukey":
        return (
            f"Each pair is tested by itself: were all runs alike, about {alpha * many.n_pairs:.0f} pairs would be told "
            "apart by chance. This shows no order of runs."
        )
    return "The level holds for all pairs together, and so do the ranges of ranks."


def _out_of_reach(many: ManyRuns) -> str:
    what, remedy = ("topics", "") if many.exact else ("draws", " Take more of them, or a test without draws.")
    least = f"the least adjusted p that they can give is {many.least_p:.2g}"
    return f"So few {what} can tell no pair apart: {least}.{remedy}"


def _best_run(many: ManyRuns) -> str:
    best = many.runs[0]
    alike = [run.tag for run, p in zip(many.runs[1:], many.adjusted[0, 1:], strict=True) if p > many.design.alpha]
    if not alike:
        return f"{best.tag} is better than every other run."
    others, mean = f"{_counted(len(alike), 'other')}: {_named(alike)}", best.interval.mean
    equal = [run.tag for run in many.runs if mean - run.interval.mean <= SAME]
    if len(equal) > 1:
        return f"{_named(equal)} have the highest mean, {mean:.4f}. {best.tag} cannot be told apart from {others}."
    return f"{best.tag} has the highest mean, {mean:.4f}, and cannot be told apart from {others}."


def _named(tags: Sequence[str]) -> str:
    more = [f"and {len(tags) - NAMED} more"] if len(tags) > NAMED else []
    return ", ".join([*tags[:NAMED], *more]) or "none"


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}"


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "below 0.0001"
