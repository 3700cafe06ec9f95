"""Whom the rules would pause, as a thing to do."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from annotation.kernel.tasks import Task
from annotation.text.counted import counted
from annotation.trust.forms.pausing import PauseForm
from annotation.trust.read.proposals import Proposal


def proposed_task(people: Sequence[Proposal], slug: str, *, may_pause: bool) -> Task:
    """The first is paused in place, with the rule's reason; then comes the next."""
    if not people:
        return Task("The rules would pause nobody.")
    person, *others = people
    more = f" and {counted(len(others), 'other', 'others')}" if others else ""
    text = f"The rules would pause {person.pseudonym}{more}."
    if not may_pause:
        return Task(text, "See more", reverse("annotator", args=[slug, person.pseudonym]))
    return Task(
        text,
        "Pause …",
        f"{reverse('annotator_pause', args=[slug, person.pseudonym])}?{urlencode({'rule': person.rule})}",
        form=PauseForm(initial={"reason": person.reason}, auto_id=f"id_{slug}_%s"),
        confirm=f"Pause {person.pseudonym}",
    )
