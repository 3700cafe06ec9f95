"""Where a mark of a plot leads that stands for a run or a topic."""

from collections.abc import Callable, Iterable

from django.urls import reverse
from django.utils.http import urlencode

from annotation.models import Snapshot
from evaluation.models import Evaluation


def page_of_run(slug: str, evaluation: Evaluation, measure: str = "") -> str:
    """The run against its snapshot, by `measure` where it is named."""
    address = reverse("evaluation", args=[slug, evaluation.pk])
    return f"{address}?{urlencode({'measure': measure})}" if measure else address


def pages_of_runs(slug: str, evaluations: Iterable[Evaluation], measure: str = "") -> Callable[[str], str]:
    """By tag; nothing for another run."""
    by_tag = {each.run.tag: each for each in evaluations}

    def page(tag: str) -> str:
        return page_of_run(slug, by_tag[tag], measure) if tag in by_tag else ""

    return page


def pages_of_pairs(slug: str, snapshot: Snapshot, averaging: str, measure: str) -> Callable[[str, str], str]:
    """Two runs compared, by their tags."""
    address, same = reverse("leaderboard_compare", args=[slug]), {"snapshot": snapshot.name, "averaging": averaging}

    def page(first: str, second: str) -> str:
        return f"{address}?{urlencode({**same, 'measure': measure, 'first': first, 'second': second})}"

    return page
