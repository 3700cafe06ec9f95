"""Changes whether an annotator counts as a person or as a machine judge. Judgments are never touched."""

from django.db import transaction

from annotation.kernel.audit import record_audit, short_texts
from annotation.models import Annotator, Slot, User

_VERBS = {
    Annotator.Kind.MACHINE: "annotator marked as a machine judge",
    Annotator.Kind.PERSON: "annotator marked as a person",
}


class KindError(Exception):
    """Nothing was changed; the message says why."""


@transaction.atomic
def set_kind(annotator: Annotator, *, kind: str, reason: str, actor: User | None) -> None:
    """From now on the annotator's judgments stand beside those of people, or among them. Snapshots stay as they are.

    Whoever has an account, or judged in a batch that was laid out here, is a person: a slot is room for a person's
    judgment.
    """
    locked = Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
    if locked.kind == kind:
        raise KindError(f"{locked} is a {locked.get_kind_display().lower()} already.")
    if kind == Annotator.Kind.MACHINE:
        _refuse_people(locked)
    locked.kind = Annotator.Kind(kind)
    locked.save(update_fields=["kind"])
    verb = _VERBS[locked.kind]
    record_audit(
        verb, actor=actor, collection=locked.collection, subject=locked.pseudonym, **short_texts(reason=reason)
    )


def _refuse_people(annotator: Annotator) -> None:
    if annotator.user_id:
        raise KindError(f"{annotator} has an account, and an account is a person’s. Import what a machine judged.")
    if Slot.objects.filter(item__judgments__annotator=annotator).exists():
        raise KindError(f"{annotator} judged in a batch that was laid out here: its slots count people’s judgments.")
