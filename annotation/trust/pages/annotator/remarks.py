"""What a careful reader would say of an annotator: a sentence for each thing that stands out."""

from collections.abc import Iterator

from annotation.quality.annotators import Figure, Profiles
from annotation.quality.annotators.falling_accuracy import Falling
from annotation.quality.annotators.pace import FAR
from annotation.text.counted import percent

# When to worry; docs/quality.md gives them with their grounds.
SHIFT = 0.25  # steps, the nearer end of the interval from 0
CRITICAL = 0.15
APART = 0.10  # below the agreement of the others among each other
SAME_AGAIN = 0.7
MORE_OFTEN = 1.25  # times the others' share above the lowest grade, the nearer end of the interval
ONE_GRADE = 0.8
BY_CHANCE = 0.001
HASTY = 0.05
LEAST = 10  # gold pairs before one grade for all is held against an accuracy


def standing_out(profiles: Profiles, i: int, *, threshold: float) -> list[str]:
    """Only what an interval bears out, where there is one. `threshold`: the accuracy that the policy asks for."""
    return [
        *_on_gold(profiles, i, threshold),
        *_beside_others(profiles, i),
        *_habits(profiles, i),
        *_over_time(profiles, i),
    ]


def _on_gold(profiles: Profiles, i: int, threshold: float) -> Iterator[str]:
    right = profiles.right.accepted.of(i)
    if right.value is None:
        yield "Nothing is known of this person’s accuracy: no gold was judged."
    elif right.high is not None and right.high < threshold:
        yield f"Accuracy on gold is below {percent(threshold)}, and chance does not explain it."
    elif right.low is not None and right.low >= threshold:
        yield f"Accuracy on gold is {percent(threshold)} or more, and not by chance."
    constant = profiles.right.constant.of(i).value
    enough = right.n >= LEAST and (right.value or 0) >= threshold
    if enough and constant is not None and constant >= (right.value or 0):
        yield (
            f"One grade for all would be right on {percent(constant)} of the gold this person met: their accuracy does "
            "not show that they read."
        )
    critical = profiles.severity.critical.of(i)
    if _above(critical, CRITICAL):
        yield f"Critical errors are frequent: {percent(critical.value or 0)} of gold."
    yield from _shifted(profiles.leniency.from_gold.of(i), "than gold")


def _beside_others(profiles: Profiles, i: int) -> Iterator[str]:
    yield from _shifted(profiles.leniency.from_others.of(i), "than the others on the same pairs")
    yield from _above_bottom(profiles.above_bottom.own.of(i), profiles.above_bottom.others.of(i))
    same, among = profiles.others.same.of(i), profiles.others.among.of(i)
    if same.high is not None and among.value is not None and same.high < among.value - APART:
        own, theirs = percent(same.value or 0), percent(among.value)
        yield f"Agrees less with the others ({own}) than they do among each other ({theirs})."
    again = profiles.consistency.same.of(i)
    if again.high is not None and again.high < SAME_AGAIN:
        yield "Often gives another grade when a pair comes a second time."


def _above_bottom(own: Figure, others: Figure) -> Iterator[str]:
    if own.value is None or own.low is None or own.high is None or not others.value:
        return
    if own.low > MORE_OFTEN * others.value or own.high < others.value / MORE_OFTEN:
        yield (
            f"Gives more than the lowest grade {own.value / others.value:.1f} times as often as the others on the same "
            f"pairs: {percent(own.value)}, the others {percent(others.value)}."
        )


def _shifted(shift: Figure, than: str) -> Iterator[str]:
    if _above(shift, SHIFT):
        yield f"Grades milder {than}, by {shift.value:.2f} steps on average."
    elif shift.high is not None and shift.high < -SHIFT:
        yield f"Grades stricter {than}, by {abs(shift.value or 0):.2f} steps on average."


def _habits(profiles: Profiles, i: int) -> Iterator[str]:
    commonest = profiles.variety.commonest.of(i)
    if _above(commonest, ONE_GRADE):
        grade = profiles.inputs.scale.grades[int(profiles.variety.grade[i])]
        yield f"Nearly always gives grade {grade}: {percent(commonest.value or 0)} of the answers."
    chance = profiles.straight.by_chance.of(i).value
    if chance is not None and chance <= BY_CHANCE:
        n = profiles.straight.longest.of(i).value
        yield f"{n:.0f} answers in a row have one grade, which chance does not explain: look whether one topic does."
    beside, hasty = profiles.pace.beside.of(i).value, profiles.pace.hasty.of(i)
    if beside is not None and beside < -FAR:
        yield "Works much faster than nearly everybody."
    if _above(hasty, HASTY):
        yield f"{percent(hasty.value or 0)} of the answers came faster than nearly anybody reads."


def _over_time(profiles: Profiles, i: int) -> Iterator[str]:
    tiring, drifting = profiles.fatigue.right.of(i), profiles.drift.right.of(i)
    if tiring.high is not None and tiring.high < 0:
        yield "Gets less accurate in the course of a session: shorter sessions may help."
    elif tiring.high is None and (falling := profiles.falling_in_session(i)) and falling.is_sure:
        yield from _falling(falling, "Gets less accurate in the course of a session")
    if drifting.high is not None and drifting.high < 0:
        yield "Has become less accurate in the course of the work."
    elif drifting.high is None:
        yield from _falling(profiles.falling(i), "Has become less accurate in the course of the work")
    shift = profiles.drift.shift.of(i)
    if shift.low is not None and shift.high is not None and (shift.low > 0 or shift.high < 0):
        yield f"Has become {'milder' if shift.low > 0 else 'stricter'} in the course of the work."


def _falling(falling: Falling | None, words: str) -> Iterator[str]:
    """Of few gold pairs, where a line has no interval."""
    if falling is None or not (falling.is_sure or falling.may_be_the_gold):
        return
    shares = ", then ".join(percent(share) for share in falling.shares)
    other = "" if falling.is_sure else "; gold of other grades came later, which may be why"
    yield f"{words}: right on {shares} of {falling.n} gold pairs, in thirds{other}."


def _above(figure: Figure, least: float) -> bool:
    return figure.low is not None and figure.low > least
