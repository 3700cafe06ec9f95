"""The way from topics to a leaderboard as the overview shows it: what comes next on top, the rest folded when done."""

from collections.abc import Set
from dataclasses import dataclass

from django.urls import reverse

from annotation.home.read.collection import Counts, Step, steps_of
from annotation.kernel.navigation import navigation_for
from annotation.models import Collection


@dataclass(frozen=True)
class ShownStep:
    """`address`: where a click leads; "" where it is for others to do."""

    step: Step
    address: str


@dataclass(frozen=True)
class Checklist:
    """`next`: what to do now; None where everything is done. `is_set_up`: people can judge, or have judged."""

    steps: list[ShownStep]
    next: ShownStep | None
    is_set_up: bool

    @property
    def n_done(self) -> int:
        return sum(each.step.done for each in self.steps)


def checklist_of(collection: Collection, counts: Counts, roles: frozenset[str]) -> Checklist:
    pages = {entry.name for group in navigation_for(roles) for entry in group.entries}
    shown = [
        ShownStep(step, _address(step, collection.slug) if _may_follow(step, roles, pages) else "")
        for step in steps_of(collection, counts)
    ]
    left = (each for each in shown if not each.step.done and not each.step.optional)
    return Checklist(shown, next(left, None), is_set_up=counts.open_batches + counts.judgments > 0)


def _may_follow(step: Step, roles: frozenset[str], pages: Set[str]) -> bool:
    return step.page in pages if step.done else bool(step.roles & roles)


def _address(step: Step, slug: str) -> str:
    """Of what is done the page, else the form."""
    name, values = step.opens
    return reverse(name, kwargs={"slug": slug, **values})
