"""Where a mark of a plot leads that stands for a run or a topic."""

from collections.abc import Callable, Iterable
from functools import cache

from django.urls import reverse
from django.utils.http import urlencode

from annotation.models import Snapshot
from evaluation.models import Evaluation


def page_of_run(slug: str, evaluation: Evaluation, measure: str = "") -> str:
    """The run against its snapshot, by `measure` where it is named."""
    return reverse("evaluation", args=[slug, evaluation.pk]) + by_measure(measure)


def by_measure(measure: str) -> str:
    """What stands behind the address of a run's page; nothing where no measure is named."""
    return f"?{urlencode({'measure': measure})}" if measure else ""


def pages_of_runs(slug: str, evaluations: Iterable[Evaluation], measure: str = "") -> Callable[[str], str]:
    """By tag; nothing for another run."""
    by_tag, asked = {each.run.tag: each for each in evaluations}, by_measure(measure)

    @cache
    def page(tag: str) -> str:
        return page_of_run(slug, by_tag[tag]) + asked if tag in by_tag else ""

    return page


def pages_of_pairs(slug: str, snapshot: Snapshot, averaging: str, measure: str) -> Callable[[str, str], str]:
    """Two runs compared, by their tags."""
    address, same = reverse("leaderboard_compare", args=[slug]), {"snapshot": snapshot.name, "averaging": averaging}

    def page(first: str, second: str) -> str:
        return f"{address}?{urlencode({**same, 'measure': measure, 'first': first, 'second': second})}"

    return page
