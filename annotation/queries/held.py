"""What a person reads who is handed no cards for now."""

from dataclasses import dataclass

from annotation.models import Annotator, PauseEvent


@dataclass(frozen=True)
class Held:
    """`told`: about this pause, empty where nothing was written; `note`: what everybody reads who is paused here."""

    told: str
    note: str


def held_words(annotator: Annotator, *, note: str) -> Held:
    """Of a person who gets no cards. One query."""
    last = PauseEvent.objects.filter(annotator=annotator).order_by("-pk").first()
    is_paused = last is not None and last.action == PauseEvent.Action.PAUSE
    return Held(last.told if last is not None and is_paused else "", note)
