"""Whom the rules would pause, with their numbers, and whom they hold no more. Annotators never wait for it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from annotation.gold.read.judged import judged_gold
from annotation.judging.read.pauses import current_pauses
from annotation.kernel.results.recipes import BatchChoice, Recipe
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.models import Annotator, Batch, Collection, ExclusionEvent, PauseEvent, Rule
from annotation.quality.annotators.pace import pace_of
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy as Parameters
from annotation.quality.purpose import CRITERION
from annotation.quality.standing import Standing, standing_of
from annotation.quality.trust.rules import RULES, PauseRules
from annotation.text.counted import percent
from annotation.trust.read.gold_effect import Touched, freed_now
from annotation.trust.read.judgments import by_scale, kept_inputs
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.reinstatements import BACK, last_before_return, parted_at
from annotation.trust.read.results import result_of
from annotation.trust.read.watch import watched_people

WATCH = frozenset({Rule.STOP.value, Rule.ALARM.value})

Reasons = dict[str, str]  # by rule


@dataclass(frozen=True)
class Proposal:
    """`reasons`: by rule, of all that hold and may speak, its numbers in a sentence; never empty."""

    pseudonym: str
    reasons: Reasons

    @property
    def rule(self) -> str:
        """The first of them."""
        return next(iter(self.reasons))

    @property
    def reason(self) -> str:
        return self.reasons[self.rule]

    @property
    def labelled_reasons(self) -> list[tuple[str, str]]:
        """Each rule as a page names it, and its reason."""
        return [(str(Rule(rule).label), reason) for rule, reason in self.reasons.items()]


def rules_of(collection: Collection) -> PauseRules:
    """Those chosen, else the built-in ones. Raises `SettingError` if what is stored makes no rules."""
    return PauseRules.of(collection.pausing)


def proposals(collection: Collection, *, among: AbstractSet[str] = frozenset(RULES)) -> list[Proposal]:
    """Of the people at work in open and paused batches who get cards now, by pseudonym; by the rules `among`.

    After a person was brought back by hand, a rule that had held them is silent, and any other rule that spoke against
    them at that moment goes by what they have judged since.
    """
    silent = _silenced(collection)
    by_person: dict[str, Reasons] = defaultdict(dict)
    for batches in _batches(collection):
        for name, reasons in result_of(REASONS, BatchChoice(collection, batches, CRITERION), {}):
            by_person[name] = reasons | by_person[name]
    rows = []
    for name in sorted(by_person.keys() & set(_at_work(collection))):
        may_speak = [rule for rule in RULES if rule in by_person[name] and rule in among - silent[name]]
        if may_speak:
            rows.append(Proposal(name, {rule: by_person[name][rule] for rule in may_speak}))
    return rows


def releases(collection: Collection, *, among: AbstractSet[str]) -> list[Touched]:
    """By pseudonym, of the rules `among` that read gold. Whom a person paused or excluded waits for a person."""
    pauses = current_pauses(collection).values()
    if not any(_is_its_own(pause.created_by_id, pause.rule, among) for pause in pauses):
        return []
    return [
        person
        for person in freed_now(collection, judged_gold(collection))
        if person.pause is not None
        and person.pause_over
        and person.exclusion is None
        and _is_its_own(person.pause.created_by_id, person.pause.rule, among)
    ]


def _is_its_own(paused_by: int | None, rule: str, among: AbstractSet[str]) -> bool:
    return paused_by is None and rule in among


def _make(choice: BatchChoice, _parameters: Asked) -> list[tuple[str, Reasons]]:
    """As `_news`, of the batches."""
    collection = choice.collection
    return list(_news(collection, kept_inputs(collection, choice.batches), last_before_return(collection)))


def _usual(collection: Collection) -> list[tuple[BatchChoice, Asked]]:
    return [(BatchChoice(collection, batches, CRITERION), {}) for batches in _batches(collection)]


REASONS: Recipe[list[tuple[str, Reasons]]] = Recipe("reasons", _make, usual=_usual)


def _news(collection: Collection, inputs: Inputs, back: Mapping[str, int]) -> Iterator[tuple[str, Reasons]]:
    """By person, what each rule says against them now, and of those brought back by hand what was not known then."""
    if not back:
        yield from _reasons(collection, inputs)
        return
    before = dict(_reasons(collection, parted_at(inputs, back, since=False)))
    since = dict(_reasons(collection, parted_at(inputs, back, since=True)))
    for name, reasons in _reasons(collection, inputs):
        yield name, _unknown(reasons, before[name], since[name]) if name in back else reasons


def _unknown(reasons: Reasons, before: Reasons, since: Reasons) -> Reasons:
    """The reasons of now; of the rules that spoke before the person came back, those of what they judged since."""
    spoke = before.keys() | (WATCH if before.keys() & WATCH else set())
    return {rule: reason for rule, reason in reasons.items() if rule not in spoke} | {
        rule: reason for rule, reason in since.items() if rule in spoke
    }


def _at_work(collection: Collection) -> Iterator[str]:
    people = Annotator.objects.filter(collection=collection, gets_cards=True, user__isnull=False)
    return people.values_list("pseudonym", flat=True).iterator()


def _batches(collection: Collection) -> list[list[Batch]]:
    """Those where people judge, together where their scales have the same grades."""
    at_work = Batch.objects.filter(collection=collection, state__in=Batch.RUNNING)
    return by_scale(at_work.select_related("scale").order_by("pk"))


def _reasons(collection: Collection, inputs: Inputs) -> Iterator[tuple[str, Reasons]]:
    """By person, what each rule says against them."""
    watched = watched_people(collection, inputs)
    accurate = _accuracy_reasons(inputs, default_parameters(collection))
    fast = _speed_reasons(inputs, rules_of(collection))
    for i, name in enumerate(inputs.table.annotators):
        reasons = {watched[i].rule: watched[i].reason, Rule.ACCURACY.value: accurate[i], Rule.SPEED.value: fast[i]}
        yield name, {rule: reason for rule, reason in reasons.items() if reason}


def _accuracy_reasons(inputs: Inputs, policy: Parameters) -> list[str]:
    accuracy = inputs.accuracy
    standing = standing_of(accuracy, min_gold=policy.min_gold, threshold=policy.accuracy_threshold)
    return [
        f"Accuracy on gold {percent(accuracy.share[i])} ({accuracy.n_correct[i]} of {accuracy.n_gold[i]} right): below "
        f"{percent(policy.accuracy_threshold)}, which the default policy asks for from {policy.min_gold} gold pairs on."
        if standing[i] == Standing.UNRELIABLE
        else ""
        for i in range(len(standing))
    ]


def _speed_reasons(inputs: Inputs, rules: PauseRules) -> list[str]:
    pace = inputs.once(pace_of)
    reasons = []
    for i in range(len(inputs.table.annotators)):
        beside, seconds = pace.beside.of(i), pace.seconds.of(i)
        is_fast = beside.value is not None and beside.n >= rules.speed_answers and -beside.value > rules.speed_spreads
        reasons.append(
            f"Answers in {seconds.value:.1f} s (median of {beside.n}): {-(beside.value or 0):.1f} spreads below the "
            f"usual pace, more than {rules.speed_spreads:g}."
            if is_fast
            else ""
        )
    return reasons


def _silenced(collection: Collection) -> dict[str, set[str]]:
    """By pseudonym: the rules that held somebody whom a person brought back afterwards."""
    by_person: dict[str, set[str]] = defaultdict(set)
    silent: dict[str, set[str]] = defaultdict(set)
    for kind in (ExclusionEvent, PauseEvent):
        events = kind._default_manager.filter(collection=collection).order_by("pk")  # noqa: SLF001
        for name, action, rule in events.values_list("annotator__pseudonym", "action", "rule"):
            if action not in BACK:
                by_person[name] |= WATCH if rule in WATCH else {rule}
            elif not rule:
                silent[name] |= by_person[name]
    return silent
