"""What an interleaving experiment says, in sentences: never more than its numbers."""

from evaluation.engine.interleaving.preferences import Interleaving, Preference

FEW_TOPICS = 100


def words_of(found: Interleaving) -> list[str]:
    silent = f", of them {found.n_silent:,} without a click" if found.n_silent else ""
    lines = [f"{found.n_impressions:,} impressions{silent}; clicks on {found.n_topics:,} topics; {found.method}."]
    lines += [_preference(one, found) for one in found.preferences]
    if found.method == "balanced":
        lines.append("Balanced interleaving can prefer a ranker under clicks at random; team draft does not.")
    if any(one.clustered is not None and one.topics_decided < FEW_TOPICS for one in found.preferences):
        lines.append(
            f"With fewer than {FEW_TOPICS} decided topics intervals over topics are too narrow; the test is not."
        )
    return lines


def _preference(one: Preference, found: Interleaving) -> str:
    pair = f"{one.first} and {one.second}"
    if one.share is None:
        return f"{pair}: every impression with clicks is a tie ({one.ties:,})."
    counts = (
        f"{one.wins:,} impressions prefer {one.first}, {one.losses:,} prefer {one.second}, {one.ties:,} are ties; "
        f"{one.first} wins {100 * one.share:.1f}% of the decided ones"
    )
    if one.p is None or one.p_adjusted is None:
        return f"{counts}. They are of one topic: what holds for others cannot be said."
    interval = _interval(one)
    level = 1 - found.confidence
    p = f"p = {one.p_adjusted:.3g} over topics" + (f" ({found.correction})" if len(found.preferences) > 1 else "")
    if one.p_adjusted <= level:
        better = one.first if one.share > 0.5 else one.second
        return f"{counts}{interval}. {better} is preferred; {p}."
    return f"{counts}{interval}. No preference was shown, which does not say that there is none; {p}."


def _interval(one: Preference) -> str:
    if one.clustered is None:
        return ", and as many in each topic: an interval over topics cannot be given"
    return f" [{100 * one.clustered.low:.1f}%, {100 * one.clustered.high:.1f}%]"
