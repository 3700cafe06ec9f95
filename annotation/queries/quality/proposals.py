"""Whom the rules would pause, with their numbers. Off the request path of those who judge."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from annotation.models import Annotator, Batch, Collection, ExclusionEvent, PauseEvent, Rule
from annotation.quality.accuracy import gold_accuracy
from annotation.quality.annotators.pace import pace_of
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy as Parameters
from annotation.quality.standing import Standing, standing_of
from annotation.quality.trust.rules import RULES, PauseRules
from annotation.queries.judgment_table import policy_inputs
from annotation.queries.policies import DEFAULT, parameters_of, policies_of
from annotation.queries.quality.watch import watch_rows

WATCH = frozenset({Rule.STOP.value, Rule.ALARM.value})
BACK = (ExclusionEvent.Action.REINSTATE, PauseEvent.Action.RESUME)

Reasons = dict[str, str]  # by rule


@dataclass(frozen=True)
class Proposal:
    """`rule`: the first that holds, of those that may speak; `reason`: its numbers in a sentence."""

    pseudonym: str
    rule: str
    reason: str

    @property
    def words(self) -> str:
        return str(Rule(self.rule).label)


def rules_of(collection: Collection) -> PauseRules:
    """Those chosen, else the built-in ones. Raises `RuleError` if what is stored makes no rules."""
    return PauseRules.of(collection.pausing)


def default_policy(collection: Collection) -> Parameters:
    """What the accuracy rule goes by: the newest version of the policy of this name."""
    return parameters_of(next(policy for policy in policies_of(collection) if policy.name == DEFAULT))


def proposals(collection: Collection, *, among: AbstractSet[str] = frozenset(RULES)) -> list[Proposal]:
    """Of the people at work in open and paused batches who get cards now, by pseudonym; by the rules `among`.

    A rule is silent on somebody whom it had held and who was brought back by hand: somebody has looked.
    """
    at_work = set(_at_work(collection))
    silent = _silenced(collection)
    found: dict[str, Reasons] = defaultdict(dict)
    for batches in _batches(collection):
        for name, reasons in _reasons(collection, policy_inputs(collection, batches)):
            found[name] = reasons | found[name]
    spoken = {name: _first(found[name], among - silent[name]) for name in sorted(at_work & found.keys())}
    return [Proposal(name, *said) for name, said in spoken.items() if said is not None]


def _first(reasons: Reasons, among: AbstractSet[str]) -> tuple[str, str] | None:
    return next(((rule, reasons[rule]) for rule in RULES if rule in reasons and rule in among), None)


def _at_work(collection: Collection) -> Iterator[str]:
    people = Annotator.objects.filter(collection=collection, gets_cards=True, user__isnull=False)
    return people.values_list("pseudonym", flat=True).iterator()


def _batches(collection: Collection) -> list[Sequence[Batch]]:
    """Those where people judge, together where their scales have the same grades."""
    at_work = Batch.objects.filter(collection=collection, state__in=[Batch.State.OPEN, Batch.State.PAUSED])
    by_grades: dict[tuple[int, ...], list[Batch]] = defaultdict(list)
    for batch in at_work.select_related("scale").order_by("pk"):
        by_grades[tuple(int(each["grade"]) for each in batch.scale.grades)].append(batch)
    return list(by_grades.values())


def _reasons(collection: Collection, inputs: Inputs) -> Iterator[tuple[str, Reasons]]:
    """By person, what each rule says against them."""
    watch = watch_rows(collection, inputs)
    accurate = _accuracy_reasons(inputs, default_policy(collection))
    fast = _speed_reasons(inputs, rules_of(collection))
    for i, name in enumerate(inputs.table.annotators):
        said = {watch[i].rule: watch[i].reason, Rule.ACCURACY.value: accurate[i], Rule.SPEED.value: fast[i]}
        yield name, {rule: reason for rule, reason in said.items() if reason}


def _accuracy_reasons(inputs: Inputs, policy: Parameters) -> list[str]:
    found = gold_accuracy(inputs.table, inputs.gold, inputs.scale)
    standing = standing_of(found, min_gold=policy.min_gold, threshold=policy.accuracy_threshold)
    return [
        f"Accuracy on gold {found.share[i]:.2f} ({found.n_correct[i]} of {found.n_gold[i]} right): below "
        f"{policy.accuracy_threshold:g}, which the default policy asks for from {policy.min_gold} golds on."
        if standing[i] == Standing.UNRELIABLE
        else ""
        for i in range(len(standing))
    ]


def _speed_reasons(inputs: Inputs, rules: PauseRules) -> list[str]:
    pace = pace_of(inputs)
    said = []
    for i in range(len(inputs.table.annotators)):
        beside, seconds = pace.beside.of(i), pace.seconds.of(i)
        is_fast = beside.value is not None and beside.n >= rules.speed_answers and -beside.value > rules.speed_spreads
        said.append(
            f"Answers in {seconds.value:.1f} s (median of {beside.n}): {-(beside.value or 0):.1f} spreads below the "
            f"usual pace, more than {rules.speed_spreads:g}."
            if is_fast
            else ""
        )
    return said


def _silenced(collection: Collection) -> dict[str, set[str]]:
    """By pseudonym: the rules that held somebody whom a person brought back afterwards."""
    held: dict[str, set[str]] = defaultdict(set)
    silent: dict[str, set[str]] = defaultdict(set)
    for kind in (ExclusionEvent, PauseEvent):
        events = kind._default_manager.filter(collection=collection).order_by("pk")  # noqa: SLF001
        for name, action, rule in events.values_list("annotator__pseudonym", "action", "rule"):
            if action not in BACK:
                held[name] |= WATCH if rule in WATCH else {rule}
            elif not rule:
                silent[name] |= held[name]
    return silent
