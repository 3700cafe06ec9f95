"""What a careful reader would conclude of people and policy before anything is frozen: three
sentences, each with its number and the deed that follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low
from urllib.parse import urlencode

from annotation.quality.coverage import Coverage
from annotation.quality.gold_pairs.worth import Worth
from annotation.text.counted import counted
from annotation.trust.pages.people import PersonRow

TRIED = ("median", "accuracy_weighted", "dawid_skene", "ordinal")  # rules that are chosen on the page of comparisons


@dataclass(frozen=True)
class Deed:
    """`page`: the name of its address, which has the collection's slug and `kind`.

    `chosen`: whether the link has the chosen batches and policy, before `query`.
    """

    text: str
    page: str
    query: str = ""
    chosen: bool = True
    kind: str = ""
    for_admins: bool = False


@dataclass(frozen=True)
class Sentence:
    """It begins with its number; `more` qualifies it."""

    number: str
    text: str
    more: str
    deed: Deed

    @property
    def whole(self) -> str:
        return f"{self.number} {self.text} {self.more}".rstrip()


IMPORT_GOLD = Deed("Import gold", "import_new", kind="gold", chosen=False, for_admins=True)
SUSPECTS = Deed("See gold that good people miss", "gold_suspects", chosen=False)
SUPPLY = Deed("See how much gold is left for whom", "gold_supply", chosen=False)
PEOPLE = Deed("See the annotators", "quality_annotators")
STOPPED = Deed("See whom the watch stopped", "quality_annotators", query="&sort=watch")
_RULES = f"&{urlencode({'rule': TRIED}, doseq=True)}"
COMPARE = Deed("Compare this policy with others", "policies_compare", query=_RULES)
CONTESTED = Deed("Decide on contested pairs", "adjudication")
FREEZE = Deed("Freeze a snapshot", "snapshot_new")


def verdict_of(
    worth: Worth | None, people: Sequence[PersonRow], coverage: Coverage, threshold: float
) -> list[Sentence]:
    """Of judgments, people and policy; empty where nobody has judged anything. `threshold`: the policy's; 0 asks
    nothing of people."""
    asked = [person for person in people if not person.exclusion]
    if not asked:
        return []
    return [_of_judgments(worth), _of_people(asked, threshold), _of_policy(coverage, has_gold=worth is not None)]


def _of_judgments(worth: Worth | None) -> Sentence:
    if worth is None:
        more = "A policy that asks for gold counts no one. Add gold; until then there is only agreement to go by."
        return Sentence("0", "judgments are on gold: nobody can say how often anybody is right.", more, IMPORT_GOLD)
    span = f" ({_percent(worth.low)} to {_percent(worth.high)} with other topics)" if worth.low is not None else ""
    here = f", {worth.n_here:,} of them in these batches," if worth.n_here < worth.n else ""
    text = f"of the {counted(worth.n, 'judgment')} on gold{here} are right{span}."
    deed = IMPORT_GOLD if worth.constant == 1 else SUSPECTS
    return Sentence(_percent(worth.right), text, _beside_one_grade(worth), deed)


def _beside_one_grade(worth: Worth) -> str:
    shares = f"Giving grade {worth.grade} every time would be right on {_percent(worth.constant)} of the same."
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


def _of_people(people: Sequence[PersonRow], threshold: float) -> Sentence:
    if not threshold or not any(person.n_gold for person in people):
        return _of_believed(people, threshold)
    below = sum(person.n_gold > 0 and person.high < threshold for person in people)
    above = sum(person.n_gold > 0 and person.low >= threshold for person in people)
    unknown = len(people) - below - above
    text = (
        f"{'person' if len(people) == 1 else 'people'} {'is' if below == 1 else 'are'} clearly below the "
        f"{_percent(threshold)} right that the policy asks for, {above:,} clearly above"
        f"{f'; for {unknown:,} there is not enough gold to tell' if unknown else ''}."
    )
    most_of_half = counted(median_low(person.n_gold for person in people), "gold pair")
    half = f"Half of all have judged {most_of_half} or fewer." if unknown else ""
    deed = _deed_of(people) if below or not unknown else SUPPLY
    return Sentence(f"{below:,} of {len(people):,}", text, f"{half} {_doubts(people, threshold)}".strip(), deed)


def _of_believed(people: Sequence[PersonRow], threshold: float) -> Sentence:
    """Where no threshold or no gold tells people apart."""
    believed = sum(person.believed for person in people)
    verb = "counts" if 1 in (believed, len(people)) else "count"
    text = f"{'person' if len(people) == 1 else 'people'} {verb} under this policy."
    more = "" if threshold else "It asks nobody to be right on gold."
    return Sentence(f"{believed:,} of {len(people):,}", text, more, _deed_of(people))


def _deed_of(people: Sequence[PersonRow]) -> Deed:
    return STOPPED if any(person.watch.reason for person in people) else PEOPLE


def _doubts(people: Sequence[PersonRow], threshold: float) -> str:
    reliable = [person for person in people if person.standing == "reliable"]
    luck = sum(person.low < threshold for person in reliable)
    no_better = sum((person.figures.one_grade.value or 0) >= (person.accuracy or 0) for person in reliable)
    doubts = [
        *([f"{luck:,} may be there by luck"] if luck else []),
        *([f"{no_better:,} would be as right with one grade for all of their gold"] if no_better else []),
    ]
    return f"Of {len(reliable):,} who count as reliable, {', and '.join(doubts)}." if doubts else ""


def _of_policy(coverage: Coverage, *, has_gold: bool) -> Sentence:
    if not coverage.total:
        text = "pairs are left to decide: all here are gold, whose grade is known."
        return Sentence("0", text, "What ways of deciding come to, the comparison says.", COMPARE)
    number, dropped = f"{coverage.kept:,} of {coverage.total:,}", coverage.kept < coverage.total
    text = f"{'pair is' if coverage.total == 1 else 'pairs are'} kept under this policy."
    if not has_gold:
        return Sentence(number, text, "" if coverage.enough else _TOO_MUCH, CONTESTED if dropped else FREEZE)
    if coverage.enough:
        more = "How often it is right there, only gold that it did not learn from tells."
        return Sentence(number, text, more, COMPARE)
    more = (
        f"{_TOO_MUCH} Keeping more is not being right more often; before you make it milder, see how often each way of "
        "deciding is right on gold that it did not learn from."
    )
    return Sentence(number, text, more, COMPARE)


_TOO_MUCH = "It asks for more than these judgments can give."


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.0f} %"
