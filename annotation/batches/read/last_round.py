"""Who was believed in the last round: whom to ask again."""

from django.db.models import Exists, OuterRef

from annotation.batches.read.batches import annotators_of
from annotation.kernel.visible import visible_batches
from annotation.models import Annotator, Batch, Collection, Judgment
from annotation.quality.apply import apply_policy
from annotation.trust.read.judgments import policy_inputs
from annotation.trust.read.policies import default_parameters


def last_round(collection: Collection) -> Batch | None:
    """The newest batch that was laid out here, not brought with its judgments, and in which somebody has judged."""
    judged = Exists(Judgment.objects.filter(batch=OuterRef("pk")))
    return visible_batches(collection).filter(judged, brought_by__isnull=True).order_by("-created_at", "-pk").first()


def believed_in(batch: Batch) -> list[Annotator]:
    """Whom the default policy believes by the judgments of the batch, of those who may take part in another."""
    inputs = policy_inputs(batch.collection, [batch])
    believed = apply_policy(inputs, default_parameters(batch.collection)).people.believed
    names = [name for name, is_believed in zip(inputs.table.annotators, believed, strict=True) if is_believed]
    return list(annotators_of(batch.collection).filter(pseudonym__in=names, gets_cards=True))
