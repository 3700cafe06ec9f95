"""What stands before or beside a card: the guideline, the text to agree to, the round, and what changed of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from annotation.corpus.read.guideline_versions import Section, changes_to_read, text_changes
from annotation.corpus.read.guidelines import GuidelineContent, guideline_content, turn_of
from annotation.judging.read.guidance import agreed_before, guideline_known_to
from annotation.judging.read.qualifying import round_progress
from annotation.judging.steps.gates import guideline_of_judgment
from annotation.models import Card, Consent, GuidelineVersion, InformationVersion, Participation
from annotation.text.difference import Change
from annotation.text.markdown import render_markdown
from annotation.text.safe import SafeHtml


@dataclass(frozen=True)
class InformationShown:
    """The text to agree to. `changed`: since the one that the person agreed to last, if they did."""

    information: InformationVersion
    text: SafeHtml
    agreed_before: Consent | None
    changed: Sequence[Change]


@dataclass(frozen=True)
class GuidelineChanged:
    """The guideline in force, and what changed since the version that the person acknowledged last, however many
    versions lie between."""

    before: GuidelineVersion
    changed: Sequence[Section]
    guideline: GuidelineContent


def person_of(participation: Participation) -> str:
    """An opaque name of the person in this batch, under which their browser may keep something."""
    return salted_hmac("judging page", str(participation.pk)).hexdigest()[:22]


def guideline_shown(
    participation: Participation, card: Card | None, *, topic: str | None = None
) -> GuidelineContent | None:
    """The guideline beside a card: the version that a judgment on it will carry; without a card the one in force.

    A newer one is shown before the next card is handed out, with what changed. By `topic` (its number) the worked
    examples take turns.
    """
    batch = participation.batch
    version, carried = batch.collection.guideline, _carried(participation, card)
    if version is not None and carried not in (None, version.pk):
        version = GuidelineVersion.objects.get(pk=carried)
    turn = None if topic is None else turn_of(person_of(participation), topic)
    return guideline_content(version, batch.scale, turn=turn)


def guideline_name(participation: Participation, card: Card) -> str:
    """An opaque name of what `guideline_shown` gives, by which a script sees that a card needs another one."""
    return salted_hmac("guideline", str(_carried(participation, card))).hexdigest()[:8]


def gate_context(participation: Participation, gate: str) -> dict[str, object]:
    """What the page of a gate shows; nothing for other states of a desk."""
    if gate == "information":
        return vars(information_shown(participation))
    if gate == "qualification":
        qualification = participation.batch.qualification
        assert qualification is not None
        progress = round_progress(qualification, participation.annotator_id)
        return {"qualification": qualification, "round_progress": progress}
    return vars(guideline_changed(participation)) if gate == "guideline" else {}


def information_shown(participation: Participation) -> InformationShown:
    """Of a batch that asks for a text to agree to."""
    information = participation.batch.information
    assert information is not None
    agreed = agreed_before(participation.annotator_id, information.pk)
    changed = text_changes(agreed.information.text, information.text) if agreed else []
    return InformationShown(information, render_markdown(information.text), agreed, changed)


def guideline_changed(participation: Participation) -> GuidelineChanged:
    """Of somebody who knew an earlier version."""
    batch = participation.batch
    before, after = guideline_known_to(participation.annotator_id), batch.collection.guideline
    assert before is not None
    assert after is not None
    content = guideline_content(after, batch.scale)
    assert content is not None
    return GuidelineChanged(before, changes_to_read(before, after), content)


def _carried(participation: Participation, card: Card | None) -> int | None:
    in_force = participation.batch.collection.guideline_id
    return (guideline_of_judgment(participation, card) if card else None) or in_force
