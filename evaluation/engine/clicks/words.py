"""What judgments and clicks say together, in sentences: never more than their numbers."""

from annotation.text.counted import counted
from evaluation.engine.clicks.comparison import LEAST_TOPICS, ClickComparison, Rate
from evaluation.engine.clicks.position_bias import CYCLES


def words_of_comparison(comparison: ClickComparison) -> list[str]:
    pairs = f"{counted(len(comparison.pairs), 'judged pair')} {'was' if len(comparison.pairs) == 1 else 'were'} shown"
    shown = f"{pairs}, of {comparison.n_judged:,} judged and {comparison.n_log:,} in the log"
    lines = [f"{shown}; {_topics(comparison.n_topics)}."]
    if all(one.clicks == one.impressions for one in comparison.positions):
        lines.append("Every impression was clicked: rows of what was shown and not clicked are missing.")
    if comparison.n_unknown:
        lines.append(f"{comparison.n_unknown:,.0f} impressions are left out: their positions have no known propensity.")
    if not comparison.converged:
        lines.append(f"Propensities did not converge in {CYCLES:,} cycles: their likelihood may not be the greatest.")
    conclusions = [_agreement(comparison), *_last_position(comparison), _order(comparison), _contradictions(comparison)]
    alone = ["All is of one topic: what holds for others cannot be said."] if comparison.n_topics < LEAST_TOPICS else []
    return [*lines, *conclusions, *alone, *_unconverged(comparison), *_left_out(comparison)]


def _unconverged(comparison: ClickComparison) -> list[str]:
    if not comparison.n_unconverged:
        return []
    draws = f"In {comparison.n_unconverged:,} of {comparison.question.n_resamples:,} resamples"
    return [f"{draws} propensities did not converge: intervals may be too narrow or too wide."]


def _left_out(comparison: ClickComparison) -> list[str]:
    if not comparison.n_left_out:
        return []
    draws = f"{comparison.n_left_out:,} of {comparison.question.n_resamples:,} resamples are left out of intervals"
    return [f"{draws}: their topics do not lead from the first position to others."]


def _topics(n: int) -> str:
    return f"{n:,} topic{'' if n == 1 else 's'}"


def _agreement(comparison: ClickComparison) -> str:
    if comparison.tau_corrected is None or comparison.tau_ctr is None:
        return "In no topic do both grades and clicks differ: whether they agree cannot be said."
    topics = _topics(comparison.n_ordered)
    return (
        f"Grades and corrected rates order pairs of a topic by τ-b {_shown(comparison.tau_corrected)} "
        f"(mean of {topics}); raw click-through rates by {_shown(comparison.tau_ctr)}."
    )


def _last_position(comparison: ClickComparison) -> list[str]:
    last = comparison.positions[-1]
    if last is comparison.positions[0]:
        return []
    first = comparison.positions[0]
    times = first.propensity.value / last.propensity.value
    return [f"Position {first.position} is looked at {times:,.1f} times as often as position {last.position}."]


def _order(comparison: ClickComparison) -> str:
    """Whether the rate rises from each grade to the next, and where it does not."""
    falls = [
        f"from {low.grade} to {high.grade}"
        for low, high in zip(comparison.grades, comparison.grades[1:], strict=False)
        if high.corrected.value <= low.corrected.value
    ]
    if len(comparison.grades) < 2:
        return "All judged pairs have one grade."
    if falls:
        return f"The corrected rate does not rise with the grade {', '.join(falls)}."
    return "The corrected rate rises from each grade to the next."


def _contradictions(comparison: ClickComparison) -> str:
    few, many = (sum(one.kind == kind for one in comparison.contradictions) for kind in ("few", "many"))
    if not few + many:
        return "No pair was shown to be clicked less than lower grades of its topic, or more than higher ones."
    pairs = "1 pair is" if few == 1 else f"{few:,} pairs are"
    return (
        f"{pairs} clicked less than lower grades of the same topic, {many:,} more than higher ones, at a false "
        f"discovery rate of {comparison.question.q:g} if impressions are independent and propensities right."
    )


def _shown(rate: Rate) -> str:
    if rate.low is None or rate.high is None:
        return f"{rate.value:.3f}"
    return f"{rate.value:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
