"""What an analysis says, in sentences: never more than its numbers."""

from annotation.text.counted import with_sign
from annotation.text.p_values import stated_p
from evaluation.engine.ab_tests.analysis import Analysis, Comparison, Guardrail
from evaluation.engine.ab_tests.effects import Interval
from evaluation.engine.ab_tests.looks import Look, Path, time_in_words, time_of
from evaluation.engine.ab_tests.question import Question
from evaluation.engine.ab_tests.segments import Interaction

ODD_COVARIATE = 0.001  # of p: a covariate from before assignment differs so much once in a thousand experiments


def words_of(analysis: Analysis) -> list[str]:
    """The sample ratio first: where it does not fit, no difference is spoken of."""
    ratio = analysis.ratio
    clusters = f"clusters by {analysis.question.cluster}, " if analysis.question.cluster else ""
    counts = clusters + ", ".join(f"{name} {n:,} (expected {ratio.expected[name]:,.1f})" for name, n in ratio.n.items())
    fit = f"{ratio.test} p {stated_p(ratio.p)}, threshold {ratio.threshold:g}"
    if ratio.mismatch:
        wrong = "assignment or logging went wrong. Find out where before any difference is read"
        return [f"The sample ratio does not fit: {counts}; {fit}: {wrong}."]
    odd = [name for name, p in analysis.covariate_p.items() if p < ODD_COVARIATE]
    lines = [f"No mismatch of the sample ratio was found: {counts}; {fit}."]
    lines += [_oddness(analysis, name) for name in odd]
    lines += [_difference(one, analysis.question) for one in analysis.comparisons]
    lines += [_guardrail(one, analysis.question) for one in analysis.guardrails]
    lines += [_path(one, analysis) for one in analysis.paths]
    lines += [_interaction(one, analysis) for one in analysis.interactions]
    return [*lines, *_warnings(analysis)]


def _oddness(analysis: Analysis, name: str) -> str:
    return (
        f"The covariate {analysis.question.covariate} differs between {analysis.question.control} and {name} "
        f"(p {stated_p(analysis.covariate_p[name])}): either it is not from before assignment, "
        "or assignment went wrong."
    )


def _difference(one: Comparison, question: Question) -> str:
    what, pair = f"{one.measure}: {one.variant}", f"{question.control} by {_size(one)}"
    if one.p_adjusted <= question.alpha:
        way = "above" if one.effect.difference > 0 else "below"
        shown = f"{what} is {way} {pair}; adjusted p {stated_p(one.p_adjusted)} ({question.correction})"
    else:
        shown = (
            f"{what}: no difference from {question.control} was shown, which does not say that there is none; measured "
            f"{_size(one)}; adjusted p {stated_p(one.p_adjusted)} ({question.correction})"
        )
    return f"{shown}, for a single look that was planned. {_at_every_look(one, question)}"


def _size(one: Comparison) -> str:
    """The difference with its intervals; signs say its direction."""
    effect = one.effect
    shown = f"{with_sign(effect.difference, '.4g')} {_brackets(effect.interval)}"
    if effect.relative is None or effect.relative_interval is None:
        return f"{shown}, unknown in per cent of a value that cannot be told from 0"
    shares = (effect.relative, effect.relative_interval.low, effect.relative_interval.high)
    relative, low, high = (with_sign(100 * share, ".3g") for share in shares)
    return f"{shown}, {relative} % [{low} %, {high} %]"


def _at_every_look(one: Comparison, question: Question) -> str:
    if one.always_valid is None:
        return (
            f"No interval for repeated looks yet: it needs {question.start:,} units and {question.events:,} events in "
            f"each group; events in the smaller: {one.n_events:,}."
        )
    open_ = one.always_valid.low <= 0 <= one.always_valid.high
    return (
        f"At every look from {question.start:,} units a group on: {_brackets(one.always_valid)}, which "
        f"{'includes' if open_ else 'excludes'} 0."
    )


def _guardrail(one: Guardrail, question: Question) -> str:
    margin, effect = one.margin, one.effect
    scale, unit = (100, " %") if margin.relative else (1, "")
    limit = f"{with_sign(scale * margin.value, '.4g')}{unit}"
    interval = effect.relative_interval if margin.relative else effect.interval
    if interval is None:
        return f"Guardrail {margin.measure}, {one.variant}: undecided; {question.control}'s value is too close to 0."
    shown = f"{_brackets(Interval(scale * interval.low, scale * interval.high))}{unit}"
    return f"Guardrail {margin.measure}, {one.variant}: {_VERDICTS[one.verdict].format(limit=limit)}: {shown}."


_VERDICTS = {
    "holds": "holds, the interval lies on the safe side of {limit}",
    "broken": "broken, the interval lies at {limit} or beyond",
    "undecided": "undecided, the interval includes {limit}",
}


def _brackets(interval: Interval) -> str:
    return f"[{with_sign(interval.low, '.4g')}, {with_sign(interval.high, '.4g')}]"


def _path(one: Path, analysis: Analysis) -> str:
    what, question = f"{one.measure}, {one.variant}, over time", analysis.question
    if one.begin is None:
        return f"{what}: no look of {len(one.looks)} is from the start on; nothing could have been decided early."
    begin = f"looks count from {_end(one, one.begin, analysis)} on"
    if one.stop is None:
        rest = "includes 0 at each of them: none was a reason to stop"
        return f"{what}: {begin}; the always-valid interval {rest}."
    at, end = one.looks[one.stop], _end(one, one.stop, analysis)
    return (
        f"{what}: {begin}; the always-valid interval first excludes 0 at the look of {end}, with "
        f"{sum(at.n):,} units of both: {_brackets_of(at)}. If this measure was named before to decide, it could have "
        f"been stopped there, at {100 * (1 - question.alpha):.4g} % over all looks."
    )


def _end(one: Path, at: int, analysis: Analysis) -> str:
    return time_in_words(time_of(one.looks[at].end, are_dates=analysis.times_are_dates))


def _brackets_of(look: Look) -> str:
    return _brackets(look.always_valid) if look.always_valid else "no interval"


def _interaction(one: Interaction, analysis: Analysis) -> str:
    what = f"Segments by {one.column}, {one.measure}, {one.variant}"
    test = f"Cochran's Q = {one.statistic:.4g}, df = {one.df}, adjusted p {stated_p(one.p_adjusted)}"
    if one.p_adjusted <= analysis.question.alpha:
        return f"{what}: the difference is not the same in all segments; {test} ({analysis.question.correction})."
    return f"{what}: that segments differ was not shown; {test} ({analysis.question.correction})."


def _warnings(analysis: Analysis) -> list[str]:
    if not analysis.segments:
        return []
    n_tests = sum(one.effect is not None for one in analysis.segments)
    rule = analysis.question.correction
    family = f"p adjusted over all {n_tests:,} differences in segments ({rule}), apart from those of all units"
    return [
        f"Segments: {family}. A segment that was not named before is an idea for another experiment, not a finding.",
        "One segment with p below the level beside one above it does not show that the two differ: Cochran's Q does.",
    ]
