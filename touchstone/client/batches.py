"""Batches, from the draft to the close, and what is done about missing judgments."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.jobs import Job, job_of
from touchstone.client.parts import Part
from touchstone.client.schema.batches import (
    Batch,
    BatchFeedbackRequest,
    DayOfWork,
    Layout,
    NewBatchRequest,
    OverlapPath,
    PatchedChangedBatchRequest,
    PeopleRequest,
    Plan,
    Progress,
    Rehearsal,
    SlotCounts,
    Withheld,
)
from touchstone.client.schema.health import Alert, AlertDeedRequest, BatchCost, BatchDue


class Batches(Part):
    def all(self) -> Iterator[Batch]:
        """With how far they are, the newest first."""
        return self._pages(Batch)

    def read(self, batch: str) -> Progress:
        """One, topic by topic and person by person."""
        return self._get(Progress, batch)

    def draft(self, **entries: Unpack[NewBatchRequest]) -> Progress:
        return self._post(Progress, body=entries)

    def change(self, batch: str, **entries: Unpack[PatchedChangedBatchRequest]) -> Progress:
        """What is left out of a draft stays."""
        return self._patch(Progress, batch, body=entries)

    def delete(self, batch: str) -> None:
        """A draft alone."""
        self._do(batch, method="DELETE")

    def dry_run(self, batch: str) -> Rehearsal:
        """What laying the draft out would give: counts, people, `warnings`, `refusals`. See `plan` for large ones."""
        return self._get(Rehearsal, batch, "dry-run")

    def plan(self, batch: str) -> Job:
        """Plan a draft of more than 10,000 pairs; wait for it, then read its `dry_run`."""
        return job_of(self._wire, self._post(Plan, batch, "dry-run"))

    def lay_out(self, batch: str) -> Job:
        return job_of(self._wire, self._post(Layout, batch, "lay-out"))

    def open(self, batch: str) -> Batch:
        return self._post(Batch, batch, "open")

    def pause(self, batch: str) -> Batch:
        """Hand out no new cards."""
        return self._post(Batch, batch, "pause")

    def reopen(self, batch: str) -> Batch:
        """Go on after a pause or a close."""
        return self._post(Batch, batch, "reopen")

    def close(self, batch: str) -> Batch:
        return self._post(Batch, batch, "close")

    def assign(self, batch: str, **entries: Unpack[PeopleRequest]) -> Batch:
        """More people: `annotators` by pseudonym, or `everybody`."""
        return self._post(Batch, batch, "assign", body=entries)

    def unassign(self, batch: str, *, annotator: str) -> Batch:
        return self._post(Batch, batch, "unassign", body={"annotator": annotator})

    def set_cost(self, batch: str, *, cost_per_judgment: str | None) -> BatchCost:
        """What a judgment costs; None: what the collection says."""
        return self._post(BatchCost, batch, "cost", body={"cost_per_judgment": cost_per_judgment})

    def set_due(self, batch: str, *, due: str | None) -> BatchDue:
        """The day by which it is due, as 2026-12-24; None: no day."""
        return self._post(BatchDue, batch, "due", body={"due": due})

    def set_feedback(self, batch: str, **entries: Unpack[BatchFeedbackRequest]) -> Batch:
        """When people are told how they did on gold."""
        return self._post(Batch, batch, "feedback", body=entries)

    def hours(self, batch: str) -> Iterator[DayOfWork]:
        return self._pages(DayOfWork, batch, "hours")

    def overlap(self, batch: str) -> Iterator[OverlapPath]:
        """How a policy steers it; 404 where the number of judgments is fixed."""
        return self._pages(OverlapPath, batch, "overlap")

    def withheld(self, batch: str) -> Iterator[Withheld]:
        """The pairs that nobody is handed any more, because people could not judge them."""
        return self._pages(Withheld, batch, "withheld")

    def release(self, batch: str, item: str) -> Batch:
        """Hand such a pair out again."""
        return self._post(Batch, batch, "items", item, "release")

    def replace(self, batch: str, *, n: int) -> SlotCounts:
        """Add the `n` slots that are missing."""
        return self._post(SlotCounts, batch, "replace", body={"n": n})

    def withdraw(self, batch: str) -> SlotCounts:
        """Take back added slots that no pair needs any more."""
        return self._post(SlotCounts, batch, "withdraw")

    def set_alert_aside(self, batch: str, **entries: Unpack[AlertDeedRequest]) -> Alert:
        """Until it is worse."""
        return self._post(Alert, batch, "alerts", "set-aside", body=entries)

    def show_alert_again(self, batch: str, **entries: Unpack[AlertDeedRequest]) -> Alert:
        return self._post(Alert, batch, "alerts", "show-again", body=entries)
