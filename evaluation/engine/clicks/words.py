"""What judgments and clicks say together, in sentences: never more than their numbers."""

from annotation.text.counted import counted
from evaluation.engine.clicks.comparison import LEAST_TOPICS, ClickComparison, Rate
from evaluation.engine.clicks.position_bias import CYCLES


def words_of_comparison(found: ClickComparison) -> list[str]:
    pairs = f"{counted(len(found.pairs), 'judged pair')} {'was' if len(found.pairs) == 1 else 'were'} shown"
    shown = f"{pairs}, of {found.n_judged:,} judged and {found.n_log:,} in the log"
    lines = [f"{shown}; {_topics(found.n_topics)}."]
    if all(one.clicks == one.impressions for one in found.positions):
        lines.append("Every impression was clicked: rows of what was shown and not clicked are missing.")
    if found.n_unknown:
        lines.append(f"{found.n_unknown:,.0f} impressions are left out: their positions have no known propensity.")
    if not found.converged:
        lines.append(f"Propensities did not converge in {CYCLES:,} cycles: their likelihood may not be the greatest.")
    said = [_agreement(found), *_last_position(found), _order(found), _contradictions(found)]
    alone = ["All is of one topic: what holds for others cannot be said."] if found.n_topics < LEAST_TOPICS else []
    return [*lines, *said, *alone, *_unconverged(found), *_left_out(found)]


def _unconverged(found: ClickComparison) -> list[str]:
    if not found.n_unconverged:
        return []
    draws = f"In {found.n_unconverged:,} of {found.question.n_resamples:,} resamples propensities did not converge"
    return [f"{draws}: intervals may be too narrow or too wide."]


def _left_out(found: ClickComparison) -> list[str]:
    if not found.n_left_out:
        return []
    draws = f"{found.n_left_out:,} of {found.question.n_resamples:,} resamples are left out of intervals"
    return [f"{draws}: their topics do not lead from the first position to others."]


def _topics(n: int) -> str:
    return f"{n:,} topic{'' if n == 1 else 's'}"


def _agreement(found: ClickComparison) -> str:
    if found.tau_corrected is None or found.tau_ctr is None:
        return "In no topic do both grades and clicks differ: whether they agree cannot be said."
    topics = _topics(found.n_ordered)
    return (
        f"Grades and corrected rates order pairs of a topic by τ-b {_shown(found.tau_corrected)} (mean of {topics}); "
        f"raw click-through rates by {_shown(found.tau_ctr)}."
    )


def _last_position(found: ClickComparison) -> list[str]:
    last = found.positions[-1]
    if last is found.positions[0]:
        return []
    first = found.positions[0]
    times = first.propensity.value / last.propensity.value
    return [f"Position {first.position} is looked at {times:,.1f} times as often as position {last.position}."]


def _order(found: ClickComparison) -> str:
    """Whether the rate rises from each grade to the next, and where it does not."""
    falls = [
        f"from {low.grade} to {high.grade}"
        for low, high in zip(found.grades, found.grades[1:], strict=False)
        if high.corrected.value <= low.corrected.value
    ]
    if len(found.grades) < 2:
        return "All judged pairs have one grade."
    if falls:
        return f"The corrected rate does not rise with the grade {', '.join(falls)}."
    return "The corrected rate rises from each grade to the next."


def _contradictions(found: ClickComparison) -> str:
    few, many = (sum(one.kind == kind for one in found.contradictions) for kind in ("few", "many"))
    if not few + many:
        return "No pair was shown to be clicked less than lower grades of its topic, or more than higher ones."
    pairs = "1 pair is" if few == 1 else f"{few:,} pairs are"
    return (
        f"{pairs} clicked less than lower grades of the same topic, {many:,} more than higher ones, at a false "
        f"discovery rate of {found.question.q:g} if impressions are independent and propensities right."
    )


def _shown(rate: Rate) -> str:
    if rate.low is None or rate.high is None:
        return f"{rate.value:.3f}"
    return f"{rate.value:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
