"""What an analysis says, in sentences: never more than its numbers."""

from evaluation.engine.experiments.analysis import Analysis, Comparison, Guardrail, Question
from evaluation.engine.experiments.effects import Interval

ODD_COVARIATE = 0.001  # of p: a covariate from before assignment differs so much once in a thousand experiments


def words_of(found: Analysis) -> list[str]:
    """The sample ratio first: where it does not fit, no difference is spoken of."""
    ratio = found.ratio
    counts = ", ".join(f"{name} {n:,} (expected {ratio.expected[name]:,.1f})" for name, n in ratio.n.items())
    fit = f"chi-square p = {ratio.p:.3g}, threshold {ratio.threshold:g}"
    if ratio.mismatch:
        wrong = "assignment or logging went wrong. Find out where before any difference is read"
        return [f"The sample ratio does not fit: {counts}; {fit}: {wrong}."]
    odd = [name for name, p in found.covariate_p.items() if p < ODD_COVARIATE]
    lines = [f"No mismatch of the sample ratio was found: {counts}; {fit}."]
    lines += [_oddness(found, name) for name in odd]
    lines += [_difference(one, found.question) for one in found.comparisons]
    return lines + [_guardrail(one, found.question) for one in found.guardrails]


def _oddness(found: Analysis, name: str) -> str:
    return (
        f"The covariate {found.question.covariate} differs between {found.question.control} and {name} "
        f"(p = {found.covariate_p[name]:.3g}): either it is not from before assignment, or assignment went wrong."
    )


def _difference(one: Comparison, question: Question) -> str:
    what, pair = f"{one.measure}: {one.variant}", f"{question.control} by {_size(one)}"
    if one.p_adjusted <= question.alpha:
        way = "above" if one.effect.difference > 0 else "below"
        shown = f"{what} is {way} {pair}; adjusted p = {one.p_adjusted:.3g} ({question.correction})"
    else:
        shown = (
            f"{what}: no difference from {question.control} was shown, which does not say that there is none; measured "
            f"{_size(one)}; adjusted p = {one.p_adjusted:.3g} ({question.correction})"
        )
    return f"{shown}, for a single look that was planned. {_at_every_look(one, question)}"


def _size(one: Comparison) -> str:
    """The difference with its intervals; signs say its direction."""
    effect = one.effect
    shown = f"{effect.difference:+.4g} {_brackets(effect.interval)}"
    if effect.relative is None or effect.relative_interval is None:
        return f"{shown}, unknown in per cent of a value that cannot be told from 0"
    low, high = effect.relative_interval.low, effect.relative_interval.high
    return f"{shown}, {100 * effect.relative:+.3g}% [{100 * low:+.3g}%, {100 * high:+.3g}%]"


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
    scale, unit = (100, "%") if margin.relative else (1, "")
    limit = f"{scale * margin.value:+.4g}{unit}"
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
    return f"[{interval.low:+.4g}, {interval.high:+.4g}]"
