"""What a draft would be laid out as, prepared outside any lock, and whether it still would be."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.batches.read.batches import seconds_per_judgment
from annotation.batches.steps.layout.forecast import DryRun, forecast
from annotation.batches.steps.layout.material import Material, PlannedItem
from annotation.batches.steps.layout.planning import Plan, plan_layout
from annotation.batches.steps.layout.refusals import LayoutError, require_draft
from annotation.batches.steps.layout.rows import read_material
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.models import Batch, Qualification
from annotation.text.counted import counted

CHUNK = 1000


@dataclass(frozen=True)
class Texts:
    """The current texts that a plan pins: versions of topics and of documents, by the ids of these."""

    topics: Mapping[int, int]
    documents: Mapping[int, int]


@dataclass(frozen=True)
class Prepared:
    """A draft as it was, with what it is laid out from and as."""

    batch: Batch
    material: Material
    plan: Plan
    result: DryRun
    texts: Texts

    def stands(self) -> bool:
        """Whether the plan would be made from the same now. What people have met since does not count: coins look at
        that themselves, at each visit."""
        now = current_draft(self.batch)
        if _rests_on(now, read_material(now)) != _rests_on(self.batch, self.material):
            return False
        return _texts(now, self.plan.items) == self.texts


def current_draft(batch: Batch) -> Batch:
    """Raises `LayoutError` for a batch that is gone, or no draft any more."""
    draft = Batch.objects.select_related("collection", "scale", "qualification").filter(pk=batch.pk).first()
    if draft is None:
        raise LayoutError("The batch is gone.")
    require_draft(draft)
    return draft


def prepare(batch: Batch) -> Prepared:
    """Raises `LayoutError` where the draft cannot be laid out as it is."""
    draft = current_draft(batch)
    material = read_material(draft)
    plan, result = plan_and_forecast(draft, material)
    if result.errors:
        raise LayoutError(" ".join(result.errors))
    texts = _texts(draft, plan.items)
    _require_texts(plan.items, texts)
    return Prepared(draft, material, plan, result, texts)


def plan_and_forecast(batch: Batch, material: Material) -> tuple[Plan, DryRun]:
    plan = plan_layout(material)
    seconds, is_measured = seconds_per_judgment(batch.collection, minimum=batch.minimum_seconds)
    result = forecast(plan, material, seconds=seconds, seconds_known=is_measured)
    return plan, replace(result, errors=(*result.errors, *_faults_of_round(batch.qualification)))


def _rests_on(batch: Batch, material: Material) -> tuple[object, ...]:
    people = [(person.annotator, person.ordinal, person.gets_cards) for person in material.people]
    round_state = batch.qualification and batch.qualification.state
    return batch.scale_id, batch.criterion, round_state, material.wanted, material.topics, people


def _faults_of_round(qualification: Qualification | None) -> Iterator[str]:
    """The layout leaves the pairs of the round out: they must stand still by then."""
    if qualification is not None and qualification.state == Qualification.State.DRAFT:
        yield f"The qualification round {qualification.name} is a draft. Open it first: its pairs are left out here."


def _texts(batch: Batch, planned: Sequence[PlannedItem]) -> Texts:
    current = current_topic_versions(batch.collection).filter(topic__in=batch.topics.values("pk"))
    return Texts(dict(current.values_list("topic_id", "pk")), _documents(batch, planned))


def _documents(batch: Batch, planned: Sequence[PlannedItem]) -> dict[int, int]:
    ids = sorted({item.document for item in planned})
    current = current_document_versions(batch.collection).values_list("document_id", "pk")
    versions: dict[int, int] = {}
    for start in range(0, len(ids), CHUNK):
        versions.update(current.filter(document__in=ids[start : start + CHUNK]))
    return versions


def _require_texts(planned: Sequence[PlannedItem], texts: Texts) -> None:
    if n_missing := len({item.topic for item in planned} - texts.topics.keys()):
        raise LayoutError(f"{counted(n_missing, 'topic of the pool has', 'topics of the pool have')} no text any more.")
    if n_missing := len({item.document for item in planned} - texts.documents.keys()):
        missing = counted(n_missing, "text of the pool is", "texts of the pool are")
        raise LayoutError(f"{missing} not in the collection any more.")
