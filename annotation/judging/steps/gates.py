"""What comes before a card is handed out: consent to the information text, a qualification round, a changed guideline.

`Participation.cleared_for` names what the person has behind them, `asked_for` what the batch asks
for now. While they agree nothing is looked up; a new version of a text makes them differ, and the
next claim asks anew. Cards that a person holds are theirs to hand in all the same.
"""

from datetime import datetime
from typing import Literal, TypeAlias

from django.db import transaction

from annotation.judging.read.guidance import has_agreed, has_passed, last_acknowledged, last_known_guideline
from annotation.judging.steps.workspace import lock_participation
from annotation.models import Batch, Card, Consent, GuidelineReading, Participation

Gate: TypeAlias = Literal["information", "qualification", "guideline"]


def asked_for(batch: Batch) -> str:
    """The texts and the round that the batch asks for now. No query where batch and collection are loaded."""
    return f"i{batch.information_id or 0} q{batch.qualification_id or 0} g{batch.collection.guideline_id or 0}"


def gate_before(participation: Participation) -> Gate | None:
    """What the person has to do first; None where nothing stands before the next card.

    The first guideline that a person meets stands on the page where they start, and is acknowledged by starting.
    """
    batch, annotator = participation.batch, participation.annotator_id
    if participation.cleared_for == asked_for(batch):
        return None
    if batch.information_id is not None and not has_agreed(annotator, batch.information_id):
        return "information"
    if batch.qualification_id is not None and not has_passed(annotator, batch.qualification_id):
        return "qualification"
    if last_known_guideline(annotator) not in (None, batch.collection.guideline_id):
        return "guideline"
    return None


def pass_gates(participation: Participation, *, moment: datetime) -> bool:
    """Whether a card may be handed out. Within a transaction that has locked the participation.

    Where nothing stands before it, that is written down, so that the next claim need not ask.
    """
    if participation.cleared_for == asked_for(participation.batch):
        return True
    if gate_before(participation) is not None:
        return False
    _acknowledge(participation, moment)
    participation.cleared_for = asked_for(participation.batch)
    participation.save(update_fields=["cleared_for"])
    return True


@transaction.atomic
def give_consent(participation: Participation, *, number: int, moment: datetime) -> bool:
    """Agree to the version of the information text that was shown. False when another is asked for by now."""
    participation = lock_participation(participation)
    information = participation.batch.information
    if information is None or information.number != number:
        return False
    Consent.objects.get_or_create(
        annotator=participation.annotator, information=information, defaults={"given_at": moment}
    )
    return True


@transaction.atomic
def acknowledge_guideline(participation: Participation, *, number: int, moment: datetime) -> bool:
    """Take note of the version of the guideline that was shown. False when another is in force by now."""
    participation = lock_participation(participation)
    guideline = participation.batch.collection.guideline
    if guideline is None or guideline.number != number:
        return False
    _acknowledge(participation, moment)
    return True


def guideline_of_judgment(participation: Participation, card: Card) -> int | None:
    """The guideline of a judgment on this card: the version it was handed out with or, of a revision,
    the one that the person acknowledged last.
    """
    handed_out = card.assignment.guideline_id
    return handed_out if card.revision == 1 else _acknowledged(participation) or handed_out


def _acknowledged(participation: Participation) -> int | None:
    """The version that the person acknowledged last. While they are cleared, `cleared_for` names it."""
    version = participation.cleared_for.rpartition("g")[2]
    return int(version) or None if version else last_acknowledged(participation.annotator_id)


def _acknowledge(participation: Participation, moment: datetime) -> None:
    """Note a version other than the last one. It ends what the person was cleared for in all their batches."""
    annotator, guideline = participation.annotator_id, participation.batch.collection.guideline_id
    if guideline is not None and last_acknowledged(annotator) != guideline:
        GuidelineReading.objects.create(annotator_id=annotator, guideline_id=guideline, read_at=moment)
        Participation.objects.filter(annotator=annotator).exclude(cleared_for="").update(cleared_for="")
