"""Laying out a batch: which pairs become items, in which blocks, with which slots for whom.

`blocks`, `gaps`, `planting`, `planning`, `distance` and `forecast` are arithmetic on the plain
values of `material`; `rows` and `attention_checks` turn rows into these; `prepared` is a plan with
what it rests on, `part` writes it portion by portion and goes on from there after a crash,
`laying_out` makes it visible, `job` does so in the worker, and `rehearsal` gives the dry run of a
draft. Everything follows from the batch's seed and its inputs. Of a batch that is laid out, `slots`
gives ordinary items more slots and takes back those that are not needed any more, and `newcomers`
plants slots for people who join.
"""

from annotation.batches.steps.layout.forecast import DryRun
from annotation.batches.steps.layout.job import begin_layout, layout_jobs, start_layout
from annotation.batches.steps.layout.laying_out import dry_run, lay_out
from annotation.batches.steps.layout.newcomers import plant_for_newcomers
from annotation.batches.steps.layout.planning import salt_of
from annotation.batches.steps.layout.refusals import LayoutError
from annotation.batches.steps.layout.rehearsal import pairs_to_plan, rehearsal_jobs, rehearsed, start_rehearsal
from annotation.batches.steps.layout.slots import AddingError, SlotCounts, add_slots, withdraw_slots

__all__ = [
    "AddingError",
    "DryRun",
    "LayoutError",
    "SlotCounts",
    "add_slots",
    "begin_layout",
    "dry_run",
    "lay_out",
    "layout_jobs",
    "pairs_to_plan",
    "plant_for_newcomers",
    "rehearsal_jobs",
    "rehearsed",
    "salt_of",
    "start_layout",
    "start_rehearsal",
    "withdraw_slots",
]
