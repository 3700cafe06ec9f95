"""How far a batch is by topic and by person, as its page shows it: of a large one kept for all, and with its time."""

from dataclasses import dataclass

from annotation.batches.read.batches import PersonProgress, TopicProgress, person_progress, topic_progress
from annotation.kernel.results.recipes import BatchChoice, Parameters, Recipe
from annotation.kernel.visible import visible_batches
from annotation.models import Assignment, Batch, Collection, Item
from annotation.trust.read.results import is_large, result_of


@dataclass(frozen=True)
class BatchProgress:
    topics: list[TopicProgress]
    people: list[PersonProgress]


def progress_shown(batch: Batch) -> BatchProgress:
    """Of a large batch it reads every slot and every judgment, so that the worker makes it anew."""
    choice = BatchChoice.of_batch(batch)
    return result_of(PROGRESS, choice, {}) if is_large(choice) else _progress(batch)


def _progress(batch: Batch) -> BatchProgress:
    return BatchProgress(topic_progress(batch), person_progress(batch))


def _usual(collection: Collection) -> list[tuple[BatchChoice, Parameters]]:
    return [(BatchChoice.of_batch(batch), {}) for batch in visible_batches(collection).filter(state__in=Batch.RUNNING)]


def _mark(batch: Batch) -> list[int]:
    """What changes it besides judgments and steps."""
    skips = Assignment.objects.filter(batch=batch, state=Assignment.State.SKIPPED)
    return [batch.n_expected, skips.count(), Item.objects.filter(batch=batch, withheld=True).count()]


PROGRESS: Recipe[BatchProgress] = Recipe(
    "progress",
    lambda choice, _parameters: _progress(choice.batches[0]),
    mark=lambda choice, _parameters: _mark(choice.batches[0]),
    usual=_usual,
)
