"""Which judgments were saved by somebody who had been told of the pair before. They say nothing of how good one is."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from annotation.models import Collection, Feedback

Met = tuple[str, str, str]  # topic number, docno, pseudonym


def told_at(collection: Collection, criterion: str) -> dict[Met, datetime]:
    """When each person was first told of a pair, whatever the batch. One query."""
    given = Feedback.objects.filter(batch__collection=collection, batch__criterion=criterion).order_by("-created_at")
    meeting = ("assignment__item__topic__number", "assignment__item__document__docno", "annotator__pseudonym")
    rows = given.values_list(*meeting, "created_at").iterator()
    return {(number, docno, annotator): at for number, docno, annotator, at in rows}


def informed_of(column: Mapping[str, Sequence[Any]], told: Mapping[Met, datetime]) -> list[bool]:
    """For each judgment, given by columns, whether it came after; `saved_at` is read where anybody was told."""
    meetings = zip(column["number"], column["docno"], column["annotator"], strict=True)
    if not told:
        return [False for _ in meetings]
    return [meeting in told and at > told[meeting] for meeting, at in zip(meetings, column["saved_at"], strict=True)]
