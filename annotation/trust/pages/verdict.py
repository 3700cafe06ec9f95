"""What a careful reader would conclude of people and policy before anything is frozen, a sentence each."""

from collections.abc import Sequence
from statistics import median

from annotation.quality.coverage import Coverage
from annotation.quality.gold_pairs.worth import Worth
from annotation.text.counted import counted
from annotation.trust.pages.people import PersonRow

TRIED = ("median", "accuracy_weighted", "dawid_skene", "ordinal")  # what stands side by side where the page leads on
NO_GOLD = (
    "Nobody has judged gold, so nobody can say how often anybody is right, and a policy that asks for gold counts no "
    "one. Add gold; until then there is only agreement to go by."
)


def verdict_of(worth: Worth | None, people: Sequence[PersonRow], coverage: Coverage, threshold: float) -> list[str]:
    """Empty where nobody has judged anything. `threshold`: the policy's; 0 asks nothing of people."""
    counted = [person for person in people if not person.exclusion]
    if not counted:
        return []
    if worth is None:
        return [NO_GOLD]
    return [_of_judgments(worth), *([_of_people(counted, threshold)] if threshold else []), _of_policy(coverage)]


def _of_judgments(worth: Worth) -> str:
    span = f" ({_percent(worth.low)} to {_percent(worth.high)} with other topics)" if worth.low is not None else ""
    here = f", {worth.n_here:,} of them in these batches," if worth.n_here < worth.n else ""
    shares = (
        f"{_percent(worth.right)} of the {counted(worth.n, 'judgment')} on gold{here} are right{span}; "
        f"giving grade {worth.grade} every time would be right on {_percent(worth.constant)} of the same."
    )
    if worth.constant == 1:
        return f"{shares} Gold on which one grade is always right cannot tell who reads: add gold of other grades."
    if worth.gap_low is None or worth.gap_high is None:
        return shares
    if worth.gap_low > 0:
        return f"{shares} So a single judgment says more than the commonest grade alone."
    worse = "is right less often than" if worth.gap_high < 0 else "is not known to be right more often than"
    return (
        f"{shares} So a single judgment {worse} that one grade: do not count heads. A rule that weighs people by their "
        "errors may still find what they know."
    )


def _of_people(people: Sequence[PersonRow], threshold: float) -> str:
    below = sum(person.n_gold > 0 and person.high < threshold for person in people)
    above = sum(person.n_gold > 0 and person.low >= threshold for person in people)
    reliable = [person for person in people if person.standing == "reliable"]
    luck = sum(person.low < threshold for person in reliable)
    blind = sum((person.figures.one_grade.value or 0) >= (person.accuracy or 0) for person in reliable)
    doubts = [
        *([f"{luck:,} may be there by luck"] if luck else []),
        *([f"{blind:,} would be as right with one grade for all of their gold"] if blind else []),
    ]
    near = f" Of {len(reliable):,} who count as reliable, {', and '.join(doubts)}." if doubts else ""
    unknown = len(people) - below - above
    unsure = (
        f"; for {unknown:,} there is not enough gold to tell: half of all have judged "
        f"{_pairs(median(person.n_gold for person in people))} or fewer"
    )
    return (
        f"{below:,} of {counted(len(people), 'person', 'people')} {'is' if below == 1 else 'are'} clearly below the "
        f"{_percent(threshold)} right that the policy asks for, {above:,} clearly above"
        f"{unsure if unknown else ''}.{near}"
    )


def _of_policy(coverage: Coverage) -> str:
    if not coverage.total:
        return (
            "All pairs here are gold, whose grade is known: nothing is left to decide. What ways of deciding come to:"
        )
    kept = f"The policy keeps {coverage.kept:,} of {counted(coverage.total, 'pair')}"
    if coverage.enough:
        return f"{kept}. To see how often it is right there, check it on gold that it did not learn from:"
    return (
        f"{kept}: it asks more than these judgments give. Keeping more is not being right more often; before you make "
        "it milder, see how often each way of deciding is right on gold that it did not learn from:"
    )


def _pairs(n: float) -> str:
    return f"{n:g} gold pair{'' if n == 1 else 's'}"


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.0f} %"
