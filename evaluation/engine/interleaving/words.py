"""What an interleaving experiment says, in sentences: never more than its numbers."""

from annotation.text.counted import counted, percent
from annotation.text.p_values import stated_p
from evaluation.engine.interleaving import METHODS
from evaluation.engine.interleaving.preferences import Interleaving, Preference

FEW_TOPICS = 100
FEW_DECIDED = 30  # impressions, where credits are compared


def words_of(experiment: Interleaving) -> list[str]:
    """What was shown of each pair, those that differ first; then what it rests on."""
    silent = f", of them {experiment.n_silent:,} without a click" if experiment.n_silent else ""
    level = 1 - experiment.confidence
    order = sorted(experiment.preferences, key=lambda one: one.p_adjusted is None or one.p_adjusted > level)
    lines = [_preference(one, experiment) for one in order]
    method = METHODS[experiment.method].title
    clicks = f"clicks on {counted(experiment.n_topics, 'topic')}"
    lines.append(f"{counted(experiment.n_impressions, 'impression')}{silent}; {clicks}; {method}.")
    if experiment.method == "balanced":
        lines.append("Balanced interleaving can prefer a ranker under clicks at random; team draft does not.")
    if any(one.clustered is not None and one.topics_decided < FEW_TOPICS for one in experiment.preferences):
        narrow = f"With fewer than {FEW_TOPICS} decided topics intervals over topics are too narrow"
        lines.append(f"{narrow}; {_of_test(experiment)}.")
    return lines


def _of_test(experiment: Interleaving) -> str:
    """Of ten skewed credits random signs find a difference twice as often as they say."""
    decided = [one.wins + one.losses for one in experiment.preferences if one.p is not None]
    if METHODS[experiment.method].by_credit and min(decided, default=FEW_DECIDED) < FEW_DECIDED:
        return f"with fewer than {FEW_DECIDED} decided impressions the test of credits finds differences too often"
    return "the test is not"


def _preference(one: Preference, experiment: Interleaving) -> str:
    if one.share is None:
        return f"{one.first} and {one.second}: every impression with clicks is a tie ({one.ties:,})."
    part = "has {} of the credit" if METHODS[experiment.method].by_credit else "wins {} of the decided ones"
    counts = (
        f"{_who(one.wins, one.first, ' impression')}, {_who(one.losses, one.second)}, {_ties(one.ties)}; "
        f"{one.first} {part.format(percent(one.share, 1))}"
    )
    if one.p is None or one.p_adjusted is None:
        return f"{counts}. They are of one topic: what holds for others cannot be said."
    rule = f" ({experiment.correction})" if len(experiment.preferences) > 1 else ""
    p = f"p {stated_p(one.p_adjusted)} over topics{rule}"
    return f"{_verdict(one, 1 - experiment.confidence)}; {p}. {counts}{_interval(one)}."


def _who(n: int, ranker: str, noun: str = "") -> str:
    return f"{n:,}{noun} prefers {ranker}" if n == 1 else f"{n:,}{noun and f'{noun}s'} prefer {ranker}"


def _ties(n: int) -> str:
    return f"{n:,} is a tie" if n == 1 else f"{n:,} are ties"


def _verdict(one: Preference, level: float) -> str:
    assert one.share is not None
    assert one.p_adjusted is not None
    if one.p_adjusted > level:
        return f"No preference between {one.first} and {one.second} was shown, which does not say that there is none"
    better, other = (one.first, one.second) if one.share > 0.5 else (one.second, one.first)
    return f"{better} is preferred to {other}"


def _interval(one: Preference) -> str:
    if one.clustered is None:
        return ", and as many in each topic: an interval over topics cannot be given"
    return f" [{percent(one.clustered.low, 1)}, {percent(one.clustered.high, 1)}]"
