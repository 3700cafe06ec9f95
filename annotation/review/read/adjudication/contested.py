"""The contested pairs of batches, in order; cached, for 100,000 judgments take a second."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from time import monotonic

import numpy as np
from django.db.models import Count, Max, Q

from annotation.gold.read.known_grades import Pair
from annotation.kernel.judgment_counts import all_judgments
from annotation.kernel.results.recipes import BatchChoice, Recipe
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.kernel.visible import visible_judgments
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    ExclusionEvent,
    Feedback,
    GoldEvent,
    Item,
    SentPair,
    Slot,
)
from annotation.quality.adjudications import no_adjudications
from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Floats, Ints
from annotation.quality.contested import Contested, among, cannot_judge, contested_pairs, unsure_of
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.pairs import known_pairs
from annotation.quality.policy import Policy as Parameters
from annotation.quality.purpose import CRITERION
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.results import is_large, result_of
from annotation.trust.read.withheld import usual_choices

MOST_CACHED, CACHE_SECONDS = 8, 600
WIDE = 3  # steps, or the whole of a shorter scale
_SKIP = Assignment.SkipReason
_ROOM = Q(reading=1, state__in=(Slot.State.OPEN, Slot.State.LEASED))
_cache: OrderedDict[tuple[object, ...], tuple[float, "ContestedPairs"]] = OrderedDict()  # first its collection's key
_lock = Lock()


@dataclass(frozen=True)
class ContestedOptions:
    """What counts as contested. `wide` in steps, None: the usual; `posterior`: the second opinion,
    which is unsure `below` so high a confidence."""

    policy: Parameters
    wide: int | None = None
    posterior: Parameters | None = None
    below: float = 0.7


@dataclass(frozen=True, eq=False)
class ContestedPairs:
    """`arrays`, what to decide first in front, decided or not. `topic`, `document` and `median`: of
    all pairs, the median of the reliable grades, NaN where there is none."""

    arrays: Contested
    scale: Scale
    wide: int
    numbers: tuple[str, ...]
    docnos: tuple[str, ...]
    topic: Ints
    document: Ints
    median: Floats

    def pair(self, index: int) -> Pair:
        """The external ids of a contested pair by its index in the order."""
        return self.numbers[self.arrays.topic[index]], self.docnos[self.arrays.document[index]]

    @cached_property
    def index_by_pair(self) -> dict[Pair, int]:
        """The index of each contested pair in the order."""
        return {self.pair(index): index for index in range(len(self.arrays.row))}

    @cached_property
    def medians(self) -> dict[Pair, float]:
        """Of all pairs, contested or not."""
        rows = zip(self.topic.tolist(), self.document.tolist(), self.median.tolist(), strict=True)
        return {(self.numbers[topic], self.docnos[document]): median for topic, document, median in rows}


def contested_of(
    collection: Collection, batches: Sequence[Batch], options: ContestedOptions, criterion: str = CRITERION
) -> ContestedPairs:
    """Decisions play no part in it. `ValueError` as `policy_inputs` raises it.

    Cached for ten minutes in this process, or until something is judged, skipped, laid out, excluded,
    closed or known anew.
    """
    choice, asked = BatchChoice(collection, batches, criterion), _asked(options)
    if is_large(choice):
        _forget(collection)
        return result_of(CONTESTED, choice, asked)
    _forget()
    key = (collection.pk, tuple(sorted(batch.pk for batch in batches)), options, criterion, _state_of(collection))
    with _lock:
        if key in _cache:
            return _cache[key][1]
    pairs = _computed(collection, batches, options, criterion)
    with _lock:
        _cache[key] = (monotonic(), pairs)
        while len(_cache) > MOST_CACHED:
            _cache.popitem(last=False)
    return pairs


def _forget(collection: Collection | None = None) -> None:
    """What is too old, and what was worked out while the batches of this collection were small."""
    latest = monotonic() - CACHE_SECONDS
    with _lock:
        for key, (at, _) in list(_cache.items()):
            if at < latest or (collection and key[0] == collection.pk):
                del _cache[key]


def _asked(options: ContestedOptions) -> Asked:
    policies = {"policy": options.policy, "posterior": options.posterior}
    texts = {name: policy.to_json() if policy else None for name, policy in policies.items()}
    return {**texts, "wide": options.wide, "below": options.below}


def _make(choice: BatchChoice, asked: Asked) -> ContestedPairs:
    names = ("policy", "posterior")
    policies = {name: Parameters.from_json(asked[name]) if asked[name] else None for name in names}
    options = ContestedOptions(**{**asked, **policies})
    return _computed(choice.collection, choice.batches, options, choice.criterion)


def _usual(collection: Collection) -> list[tuple[BatchChoice, Asked]]:
    asked = _asked(ContestedOptions(default_parameters(collection)))
    return [(choice, asked) for choice in usual_choices(collection)]


def _computed(
    collection: Collection, batches: Sequence[Batch], options: ContestedOptions, criterion: str
) -> ContestedPairs:
    inputs = replace(kept_inputs(collection, batches, criterion), adjudications=no_adjudications())
    outcome = inputs.once(apply_policy, options.policy)
    second = apply_policy(inputs, options.posterior) if options.posterior else None
    wide = options.wide or min(WIDE, len(inputs.scale.grades) - 1)
    flagged = _keys(outcome.table, _flagged(collection, batches, criterion))
    arrays = contested_pairs(
        outcome,
        inputs,
        wide=wide,
        unsure=None if second is None else unsure_of(second, below=options.below),
        cannot=_cannot(outcome, inputs, batches),
        flagged=among(outcome, flagged),
        awaited=among(outcome, _keys(outcome.table, awaited_pairs(batches))),
        sent=among(outcome, _keys(outcome.table, sent_pairs(collection, criterion))),
    )
    table = outcome.table
    every = (outcome.topic, outcome.document, outcome.reliable.median)
    return ContestedPairs(arrays, inputs.scale, wide, table.numbers, table.docnos, *every)


def _cannot(outcome: Outcome, inputs: Inputs, batches: Sequence[Batch]) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    skips = Assignment.objects.filter(
        batch__in=batches, state=Assignment.State.SKIPPED, skip_reason__in=Assignment.CANNOT_JUDGE
    )
    meetings = skips.values_list("item__topic__number", "item__document__docno", "annotator_id").distinct()
    withheld = Item.objects.filter(batch__in=batches, withheld=True)
    kept_back = _keys(outcome.table, withheld.values_list("topic__number", "document__docno"))
    skipped = _keys(outcome.table, ((number, docno) for number, docno, _ in meetings))
    return cannot_judge(outcome, inputs, skipped) | among(outcome, kept_back)


def awaited_pairs(batches: Sequence[Batch], **of_items: object) -> Iterable[Pair]:
    """Pairs that are still to be handed out, also of a batch not yet opened, or are with somebody now. `of_items`: of
    which items, by their columns."""
    chosen = {f"item__{name}": value for name, value in of_items.items()}
    path = "item__batch" if chosen else "batch"  # SQLite reads all slots of a batch that it is given
    working = {f"{path}__in": batches, f"{path}__state__in": Batch.TO_JUDGE}
    room = Slot.objects.filter(_ROOM, **chosen, **working, item__withheld=False)
    return room.values_list("item__topic__number", "item__document__docno").distinct()


def sent_pairs(collection: Collection, criterion: str = CRITERION) -> dict[Pair, SentPair]:
    """What was sent to those who decide and waits for them."""
    rows = SentPair.objects.filter(collection=collection, criterion=criterion, decided_at=None)
    rows = rows.select_related("topic", "document", "created_by").order_by("pk")
    return {(row.topic.number, row.document.docno): row for row in rows}


def _flagged(collection: Collection, batches: Sequence[Batch], criterion: str) -> Iterable[Pair]:
    """Pairs on which a person wrote a comment, or that one skipped as unclear, for another reason, or with a note."""
    judgments = visible_judgments(collection).filter(batch__in=batches, criterion=criterion)
    comments = judgments.filter(annotator__kind=Annotator.Kind.PERSON).exclude(comment="")
    yield from comments.values_list("topic__number", "document__docno")
    odd = Q(skip_reason__in=(_SKIP.UNCLEAR, _SKIP.OTHER)) | ~Q(skip_note="")
    skips = Assignment.objects.filter(odd, batch__in=batches, state=Assignment.State.SKIPPED)
    yield from skips.values_list("item__topic__number", "item__document__docno")


def _keys(table: JudgmentTable, pairs: Iterable[Pair]) -> Ints:
    ids = list(pairs)
    topic, document, _ = known_pairs(table, [number for number, _ in ids], [docno for _, docno in ids])
    return table.pair_key(topic, document)


def _mark(choice: BatchChoice, _asked: Asked) -> object:
    return _state_of(choice.collection)


CONTESTED = Recipe("contested", _make, mark=_mark, usual=_usual)


def _state_of(collection: Collection) -> tuple[object, ...]:
    """What changes with whatever the order depends on; eleven looks into indexes."""
    mine = {"collection": collection}
    events = [model.objects.filter(**mine).aggregate(last=Max("pk"))["last"] for model in (GoldEvent, ExclusionEvent)]
    feedback = Feedback.objects.filter(batch__collection=collection).aggregate(last=Max("pk"))["last"]
    withheld = Item.objects.filter(withheld=True, batch__collection=collection).count()
    skips = Assignment.objects.filter(state=Assignment.State.SKIPPED, batch__collection=collection).count()
    machines = Annotator.objects.filter(kind=Annotator.Kind.MACHINE, **mine).count()
    figures = ("token", "state", "n_items", "n_expected", all_judgments())
    states = tuple(Batch.objects.filter(**mine).order_by("pk").values_list(*figures))
    in_hand = Slot.objects.filter(
        reserved_for__isnull=False, state=Slot.State.LEASED, batch__collection=collection
    ).count()
    sent = SentPair.objects.filter(**mine, decided_at=None).aggregate(last=Max("pk"), n=Count("pk"))
    return (*events, feedback, withheld, skips, machines, states, in_hand, (sent["last"], sent["n"]))
