"""Whom a change of gold would touch, before anybody makes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Exists, OuterRef, QuerySet

from annotation.gold.read.current import GoldChange
from annotation.gold.read.judged import JudgedGold, judged_gold
from annotation.gold.read.known_grades import KnownGrade, Pair
from annotation.judging.read.pauses import current_exclusions, current_pauses
from annotation.kernel.visible import laid_out
from annotation.models import (
    Assignment,
    Batch,
    Collection,
    Document,
    ExclusionEvent,
    Feedback,
    GoldEvent,
    Participation,
    PauseEvent,
    Planting,
    Rule,
    Slot,
    StockItem,
    Topic,
)
from annotation.quality.accuracy import Accuracy
from annotation.quality.arrays import Ints
from annotation.quality.gold_pairs.regrading import Regrading, regrading_of
from annotation.quality.purpose import CRITERION
from annotation.quality.standing import STANDINGS, Standing
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.watch import watch_settings


@dataclass(frozen=True)
class Score:
    """How somebody does on gold."""

    n_right: int
    n_gold: int
    standing: str

    @property
    def percent(self) -> int | None:
        return round(100 * self.n_right / self.n_gold) if self.n_gold else None


@dataclass(frozen=True)
class Touched:
    """Somebody whose judgment of the pair would be scored otherwise. `exclusion` and `pause`: those that hold now.

    `exclusion_over`, `pause_over`: they came of a rule that reads gold, and the rule would have no reason any more.
    """

    pseudonym: str
    before: Score
    after: Score
    exclusion: ExclusionEvent | None
    pause: PauseEvent | None
    exclusion_over: bool
    pause_over: bool

    @property
    def is_freed(self) -> bool:
        return self.exclusion_over or self.pause_over

    @property
    def changes(self) -> bool:
        return self.before.standing != self.after.standing

    @property
    def rises(self) -> bool:
        return self.changes and self.after.standing == STANDINGS[Standing.RELIABLE]


@dataclass(frozen=True)
class Effect:
    """`n_told`: people who were told of the pair, and will be told what holds now; `n_ahead`: cards of it, planted as
    gold, that people still have before them. `last_event`: the key of the pair's last event, 0 if there is none; `now`:
    that event where the pair is gold."""

    n_rescored: int
    people: Sequence[Touched]
    n_told: int
    n_ahead: int
    last_event: int
    now: GoldEvent | None

    @cached_property
    def changed(self) -> list[Touched]:
        return [person for person in self.people if person.changes]

    @cached_property
    def freed(self) -> list[Touched]:
        """To be brought back, if whoever confirms agrees."""
        return [person for person in self.people if person.is_freed]

    @cached_property
    def notable(self) -> list[Touched]:
        """Those whose standing changes, or who are excluded or paused."""
        return [person for person in self.people if person.changes or person.exclusion or person.pause]

    @property
    def n_quiet(self) -> int:
        return len(self.people) - len(self.notable)

    @property
    def is_nothing(self) -> bool:
        return not (self.n_rescored or self.n_told or self.n_ahead)


def effect_of(collection: Collection, change: GoldChange, *, criterion: str = CRITERION) -> Effect:
    """Whom the change would touch. A constant number of queries, and nothing is changed."""
    topic, document = change.topic, change.document
    pair = (topic.number, document.docno)
    before = judged_gold(collection, criterion, also=pair)
    regrading = regrading_of(
        before.inputs,
        before.with_gold(changed_gold(before.gold_by_pair, pair, change.grade, change.accepted)).inputs,
        default_parameters(collection),
        watch_settings(collection),
        before.moment,
    )
    last = _events(collection, topic, document, criterion).order_by("-pk").first()
    return Effect(
        n_rescored=regrading.n_rescored,
        people=_people(collection, before, regrading),
        n_told=_n_told(collection, topic, document, criterion),
        n_ahead=_ahead(collection, topic, document),
        last_event=last.pk if last else 0,
        now=last if last and last.action == GoldEvent.Action.SET else None,
    )


def freed_now(collection: Collection, judged: JudgedGold) -> list[Touched]:
    """Who is held by a rule that reads gold and has no reason left as gold stands, by whatever way it was changed."""
    policy, watch = default_parameters(collection), watch_settings(collection)
    standing = regrading_of(judged.inputs, judged.inputs, policy, watch, judged.moment)
    return [person for person in _people(collection, judged, standing, everybody=True) if person.is_freed]


def still_held(collection: Collection, people: Sequence[Touched]) -> list[Touched]:
    """Those whom the same events still hold that held them before. No query where there is nobody."""
    if not people:
        return []
    exclusions, pauses = current_exclusions(collection), current_pauses(collection)
    return [
        person
        for person in people
        if (exclusions.get(person.pseudonym), pauses.get(person.pseudonym)) == (person.exclusion, person.pause)
    ]


def changed_gold(
    gold_by_pair: Mapping[Pair, KnownGrade], pair: Pair, grade: int | None, accepted: Sequence[int]
) -> dict[Pair, KnownGrade]:
    others = {each: grade for each, grade in gold_by_pair.items() if each != pair}
    return others if grade is None else {**others, pair: KnownGrade(grade, frozenset({grade, *accepted}))}


def _events(collection: Collection, topic: Topic, document: Document, criterion: str) -> QuerySet[GoldEvent]:
    return GoldEvent.objects.filter(collection=collection, topic=topic, document=document, criterion=criterion)


def _people(
    collection: Collection, judged: JudgedGold, regrading: Regrading, *, everybody: bool = False
) -> list[Touched]:
    """Those whose standing changes first, then by pseudonym. `everybody` who is held, instead of whom it touches."""
    names = judged.inputs.table.annotators
    exclusions, pauses = current_exclusions(collection), current_pauses(collection)
    chosen = [name in exclusions or name in pauses for name in names] if everybody else regrading.touched
    rows = [
        Touched(
            pseudonym=name,
            before=_score(regrading.before, regrading.standing_before, i),
            after=_score(regrading.after, regrading.standing_after, i),
            exclusion=exclusions.get(name),
            pause=pauses.get(name),
            exclusion_over=_is_over(exclusions.get(name), regrading, i),
            pause_over=_is_over(pauses.get(name), regrading, i),
        )
        for i, name in enumerate(names)
        if chosen[i]
    ]
    return sorted(rows, key=lambda person: (not person.changes, person.pseudonym))


def _is_over(event: ExclusionEvent | PauseEvent | None, regrading: Regrading, i: int) -> bool:
    """Whether there is one by a rule that reads gold, and the rule has no reason left."""
    if event is None:
        return False
    if event.rule in (Rule.STOP, Rule.ALARM):
        return not regrading.stopped_after[i]
    return event.rule == Rule.ACCURACY and bool(regrading.standing_after[i] != Standing.UNRELIABLE)


def _score(accuracy: Accuracy, standings: Ints, i: int) -> Score:
    standing = Standing(int(standings[i]))
    return Score(int(accuracy.n_correct[i]), int(accuracy.n_gold[i]), STANDINGS[standing])


def _n_told(collection: Collection, topic: Topic, document: Document, criterion: str) -> int:
    feedback = Feedback.objects.filter(batch__collection=collection, batch__criterion=criterion)
    feedback = feedback.filter(assignment__item__topic=topic, assignment__item__document=document)
    return feedback.values("annotator").distinct().count()


def _ahead(collection: Collection, topic: Topic, document: Document) -> int:
    slots = Slot.objects.filter(collection=collection, item__topic=topic, item__document=document, reading=1)
    slots = slots.filter(item__planting__purpose=Planting.Purpose.GOLD, reserved_for__isnull=False)
    slots = slots.filter(laid_out()).exclude(state=Slot.State.JUDGED)
    return slots.exclude(batch__state=Batch.State.CLOSED).count() + _in_stock(collection, topic, document)


def _in_stock(collection: Collection, topic: Topic, document: Document) -> int:
    """People whose coins may yet bring the pair: it is in the stock of a batch in which they take part."""
    pair = {"item__topic": topic, "item__document": document}
    stock = StockItem.objects.filter(
        item__planting__purpose=Planting.Purpose.GOLD, batch__collection=collection, **pair
    )
    live = stock.filter(laid_out()).exclude(batch__state=Batch.State.CLOSED)
    met = Assignment.objects.filter(annotator=OuterRef("annotator"), **pair)
    kept = Slot.objects.filter(reserved_for=OuterRef("annotator"), batch=OuterRef("batch"), transferable=False, **pair)
    people = Participation.objects.filter(~Exists(met), ~Exists(kept), batch__in=live.values("batch"), is_active=True)
    return people.count()
