"""How much of what was judged so far may be believed: what the quality page says at length, in four figures.

Kept in this process under the last judgment and the last step of the audit log: a look at both is
cheap.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass, replace

from django.urls import reverse

from annotation.kernel.access import ADMIN
from annotation.kernel.judgment_counts import all_judgments
from annotation.kernel.showing import shown_now
from annotation.kernel.tasks import Figure, Task
from annotation.models import Annotator, AuditEvent, Batch, Collection
from annotation.review.read.adjudication import ContestedOptions, contested_of, waiting_pairs
from annotation.text.counted import counted
from annotation.trust.pages.proposed import proposed_task
from annotation.trust.pages.report import QualityReport, quality_report
from annotation.trust.read.kept import as_at_first
from annotation.trust.read.policies import default_policy, parameters_of
from annotation.trust.read.proposals import Proposal, proposals
from annotation.trust.read.withheld import judged_batches

LATELY = 60.0  # seconds for which judgments alone are no reason to work it out again,
TIMES = 30  # or so many times as long as it took: while people judge, a large collection costs a thirtieth of a process
MOST_KEPT = 16


@dataclass(frozen=True)
class CollectionQuality:
    """Of all batches under the default policy, as the pages of quality and of contested pairs begin. `problem`: why
    nobody can say."""

    alpha: float | None = None
    n_compared: int = 0  # pairs with two judgments or more
    right: float | None = None
    n_gold: int = 0  # judgments on gold
    n_believed: int = 0
    n_people: int = 0
    n_contested: int = 0  # pairs without a decision
    proposed: tuple[Proposal, ...] = ()  # whom the rules would pause
    problem: str = ""


@dataclass(frozen=True)
class KeptQuality:
    mark: tuple[object, ...]
    at: float
    took: float  # seconds
    quality: CollectionQuality


_kept: OrderedDict[int, KeptQuality] = OrderedDict()  # by collection


def quality_of(collection: Collection) -> CollectionQuality:
    """As it is kept where that still holds, else anew: some thirty queries, however many judgments."""
    kept, mark = _kept.pop(collection.pk, None), _mark_of(collection)
    if kept is None or not _holds(kept, mark):
        began = time.monotonic()
        quality = _computed(collection)
        shown = shown_now()
        if shown is not None and shown.as_of:  # newer figures are being made
            return quality
        kept = KeptQuality(mark, began, time.monotonic() - began, quality)
    _kept[collection.pk] = kept
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return kept.quality


def kept_quality(collection: Collection) -> tuple[CollectionQuality | None, bool]:
    """What this process worked out last, and whether it still holds. Two queries, and one more where somebody was
    proposed and it no longer holds: whoever gets no cards by now is not proposed again."""
    kept = _kept.get(collection.pk)
    if kept is None:
        return None, False
    if _holds(kept, _mark_of(collection)):
        return kept.quality, True
    return replace(kept.quality, proposed=_still_at_work(collection, kept.quality.proposed)), False


def clear_quality() -> None:
    _kept.clear()


def figures_of(quality: CollectionQuality | None, slug: str) -> list[Figure]:
    """Three, whether they are known yet or not: so they keep their places."""
    values = [_agreement(quality), _gold(quality), _people(quality)] if quality else [("…", "")] * 3
    names = (("Agreement", "quality_agreement"), ("Right on gold", "quality"), ("Believed", "quality_annotators"))
    return [Figure(name, *value, reverse(page, args=[slug])) for (name, page), value in zip(names, values, strict=True)]


def quality_tasks(quality: CollectionQuality | None, slug: str, roles: frozenset[str]) -> list[Task]:
    """Two, whether they are known yet or not."""
    leads = bool(roles & ADMIN)
    return [contested_task(quality, slug, may_decide=leads), pausing_task(quality, slug, may_pause=leads)]


def contested_task(quality: CollectionQuality | None, slug: str, *, may_decide: bool) -> Task:
    if quality is None:
        return Task("Looking for contested pairs …")
    if not quality.n_contested:
        return Task("No pair waits for a decision.")
    one = quality.n_contested == 1
    text = f"{counted(quality.n_contested, 'contested pair')} {'waits' if one else 'wait'} for a decision."
    if may_decide:
        return Task(text, "Decide the first", reverse("adjudication_next", args=[slug]), "post")
    return Task(text, "See which", reverse("adjudication", args=[slug]))


def pausing_task(quality: CollectionQuality | None, slug: str, *, may_pause: bool) -> Task:
    if quality is None:
        return Task("Looking for people whom the rules would pause …")
    return proposed_task(quality.proposed, slug, may_pause=may_pause)


def _agreement(quality: CollectionQuality) -> tuple[str, str]:
    if quality.alpha is None:
        return "–", "nothing to compare yet"
    return f"{quality.alpha:.2f}".replace("-", "−"), f"Krippendorff’s α, {counted(quality.n_compared, 'pair')}"


def _gold(quality: CollectionQuality) -> tuple[str, str]:
    if quality.right is None:
        return "–", "nobody has judged gold"
    return f"{100 * quality.right:.0f} %", f"of {counted(quality.n_gold, 'judgment')} on gold"


def _people(quality: CollectionQuality) -> tuple[str, str]:
    if quality.problem or not quality.n_people:
        return "–", "nobody has judged yet"
    noun = "person" if quality.n_people == 1 else "people"
    return f"{quality.n_believed:,} of {quality.n_people:,}", f"{noun}, by the default policy"


def _computed(collection: Collection) -> CollectionQuality:
    batches, policy = judged_batches(collection), parameters_of(default_policy(collection))
    with as_at_first():
        proposed = tuple(proposals(collection))
        try:
            report = quality_report(collection, batches, policy)
            contested = contested_of(collection, batches, ContestedOptions(policy))
        except ValueError as error:  # batches of different scales
            return CollectionQuality(problem=str(error), proposed=proposed)
    return _figures(report, len(waiting_pairs(collection, contested)), proposed)


def _figures(report: QualityReport, n_contested: int, proposed: tuple[Proposal, ...]) -> CollectionQuality:
    worth, alpha = report.worth, report.agreement.alpha
    return CollectionQuality(
        alpha=alpha.value,
        n_compared=alpha.n_items,
        right=worth.right if worth else None,
        n_gold=worth.n if worth else 0,
        n_believed=report.n_believed,
        n_people=report.n_people,
        n_contested=n_contested,
        proposed=proposed,
    )


def _still_at_work(collection: Collection, proposed: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
    if not proposed:
        return ()
    names = [person.pseudonym for person in proposed]
    people = Annotator.objects.filter(collection=collection, pseudonym__in=names, gets_cards=True)
    at_work = set(people.values_list("pseudonym", flat=True))
    return tuple(person for person in proposed if person.pseudonym in at_work)


def _mark_of(collection: Collection) -> tuple[object, ...]:
    """Changes with every judgment, and with every step in the audit log."""
    judged = tuple(Batch.objects.filter(collection=collection).order_by("pk").values_list("token", all_judgments()))
    step = AuditEvent.objects.filter(collection=collection).order_by("-pk").values_list("pk", flat=True).first()
    return step, judged


def _holds(kept: KeptQuality, mark: tuple[object, ...]) -> bool:
    if kept.mark == mark:
        return True
    return kept.mark[0] == mark[0] and time.monotonic() - kept.at < max(LATELY, TIMES * kept.took)
