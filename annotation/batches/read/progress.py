"""How far a batch is by topic and by person, as its page shows it: of a large one kept for all, and with its time."""

from dataclasses import dataclass

from annotation.batches.read.batches import PersonProgress, TopicProgress, person_progress, topic_progress
from annotation.kernel.results.recipes import Parameters, Place, Recipe
from annotation.kernel.visible import visible_batches
from annotation.models import Assignment, Batch, Collection, Item
from annotation.trust.read.results import is_large, result_of


@dataclass(frozen=True)
class BatchProgress:
    topics: list[TopicProgress]
    people: list[PersonProgress]


def progress_shown(batch: Batch) -> BatchProgress:
    """Of a large batch it reads every slot and every judgment, so that the worker makes it anew."""
    place = _place(batch)
    return result_of(PROGRESS, place, {}) if is_large(place) else _progress(batch)


def _progress(batch: Batch) -> BatchProgress:
    return BatchProgress(topic_progress(batch), person_progress(batch))


def _place(batch: Batch) -> Place:
    return Place(batch.collection, [batch], batch.criterion)


def _usual(collection: Collection) -> list[tuple[Place, Parameters]]:
    return [(_place(batch), {}) for batch in visible_batches(collection).filter(state__in=Batch.RUNNING)]


def _mark(batch: Batch) -> list[int]:
    """What changes it besides judgments and steps."""
    skips = Assignment.objects.filter(batch=batch, state=Assignment.State.SKIPPED)
    return [batch.n_expected, skips.count(), Item.objects.filter(batch=batch, withheld=True).count()]


PROGRESS: Recipe[BatchProgress] = Recipe(
    "progress",
    lambda place, _parameters: _progress(place.batches[0]),
    mark=lambda place, _parameters: _mark(place.batches[0]),
    usual=_usual,
)
