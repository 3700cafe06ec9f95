"""Laying out a batch: which pairs become items, in which blocks, with which slots for whom.

`cutting`, `strata`, `spreading`, `planting`, `planning`, `distance` and `forecast` are arithmetic on plain values;
`reading` and `far` turn rows into what they need; `laying_out` writes the plan down. Everything follows from the
batch's seed and its inputs. `adding` gives ordinary items of a batch that stands more slots, `withdrawing`
takes back those that are not needed any more.
"""

from annotation.batches.steps.layout.added_slots import Added, AddingRefused, add_slots
from annotation.batches.steps.layout.forecast import DryRun, PersonForecast, forecast
from annotation.batches.steps.layout.laying_out import LayoutRefused, dry_run, lay_out
from annotation.batches.steps.layout.material import Material, Person, TopicMaterial, Wanted
from annotation.batches.steps.layout.newcomers import plant_for_newcomers
from annotation.batches.steps.layout.planning import Plan, plan_layout, salt_of
from annotation.batches.steps.layout.withdrawn_slots import withdraw_slots

__all__ = [
    "Added",
    "AddingRefused",
    "DryRun",
    "LayoutRefused",
    "Material",
    "Person",
    "PersonForecast",
    "Plan",
    "TopicMaterial",
    "Wanted",
    "add_slots",
    "dry_run",
    "forecast",
    "lay_out",
    "plan_layout",
    "plant_for_newcomers",
    "salt_of",
    "withdraw_slots",
]
