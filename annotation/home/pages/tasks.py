"""What waits in a collection for whoever leads it, and the deed that ends the waiting. A source a thing, by rank."""

from collections.abc import Callable

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from annotation.batches.read.finished import finished_batches
from annotation.judging.read.pauses import current_exclusions, current_pauses
from annotation.judging.read.remaining import parts_with_cards
from annotation.kernel.access import ADMIN
from annotation.kernel.tasks import Task
from annotation.kernel.visible import visible_batches
from annotation.models import Batch, Collection, User
from annotation.review.read.appeals import open_appeals
from annotation.text.counted import counted

Source = Callable[[Collection, frozenset[str]], list[Task]]


def tasks_of(collection: Collection, roles: frozenset[str], person: User) -> list[Task]:
    """The most urgent first. The number of queries does not depend on how much waits."""
    sources: list[Source] = [*SOURCES, *(import_string(path) for path in settings.TOUCHSTONE_WAITING)]
    return [*own_cards(collection, person), *(task for source in sources for task in source(collection, roles))]


def own_cards(collection: Collection, person: User) -> list[Task]:
    """Of somebody who also judges here."""
    return [
        Task(f"You judge in {each.batch.name}: cards wait for you.", "Judge", reverse("judge", args=[each.batch.token]))
        for each in parts_with_cards(person, collection)
    ]


def objections(collection: Collection, roles: frozenset[str]) -> list[Task]:
    """The oldest is answered first."""
    tokens = open_appeals(collection) if roles & ADMIN else []
    if not tokens:
        return []
    n = len(tokens)
    text = f"{counted(n, 'objection')} to gold {'waits' if n == 1 else 'wait'} for an answer."
    return [Task(text, "Answer", reverse("gold_appeal", args=[collection.slug, tokens[0]]))]


def finished(collection: Collection, roles: frozenset[str]) -> list[Task]:
    batches = finished_batches(collection) if roles & ADMIN else []
    return [
        Task(
            f"Every pair of {batch.name} has its judgments.",
            "Close and freeze …",
            reverse("batch_close", args=[collection.slug, batch.token]),
        )
        for batch in batches
    ]


def paused(collection: Collection, roles: frozenset[str]) -> list[Task]:
    """Who is excluded, too, waits for nobody."""
    if not roles & ADMIN:
        return []
    names = sorted(current_pauses(collection).keys() - current_exclusions(collection).keys())
    if len(names) == 1:
        return [
            Task(f"{names[0]} is paused.", "Resume or exclude", reverse("annotator", args=[collection.slug, *names]))
        ]
    address = reverse("quality_pausing", args=[collection.slug])
    return [Task(f"{len(names)} people are paused.", "Resume or exclude", address)] if names else []


def unopened(collection: Collection, roles: frozenset[str]) -> list[Task]:
    """Drafts are laid out from their dry run; what is laid out is opened."""
    if not roles & ADMIN:
        return []
    tasks = []
    batches = visible_batches(collection).filter(state__in=(Batch.State.LAID_OUT, Batch.State.DRAFT))
    for batch in batches.order_by("-pk"):
        if batch.state == Batch.State.LAID_OUT:
            tasks.append(
                _step(batch, collection.slug, f"{batch.name} is laid out, and nobody can judge yet.", "Open it", "open")
            )
        else:
            address = reverse("batch_dry_run", args=[collection.slug, batch.token])
            tasks.append(Task(f"{batch.name} is a draft.", "Try it and lay it out", address))
    return tasks


SOURCES: tuple[Source, ...] = (objections, finished, paused, unopened)


def _step(batch: Batch, slug: str, text: str, deed: str, step: str) -> Task:
    return Task(text, deed, reverse("batch_step", args=[slug, batch.token]), "post", step)
