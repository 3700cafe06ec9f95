"""What a person reads who is handed no cards for now."""

from dataclasses import dataclass

from annotation.judging.read.pauses import current_pause
from annotation.models import Annotator


@dataclass(frozen=True)
class Held:
    """`told`: about this pause, empty where nothing was written; `note`: what everybody reads who is paused here."""

    told: str
    note: str


def held_words(annotator: Annotator, *, note: str) -> Held:
    """Of a person who gets no cards. One query."""
    pause = current_pause(annotator)
    return Held(pause.told if pause else "", note)
