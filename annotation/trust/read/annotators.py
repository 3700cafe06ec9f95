"""What the database says of annotators beside their judgments' grades: who gets cards, how much each has judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Annotator, Batch, Collection, Judgment, User


@dataclass(frozen=True)
class Accounts:
    """Pseudonyms: who is simulated, who gets no cards, and who has an account and so might get some."""

    simulated: frozenset[str]
    without_cards: frozenset[str]
    with_account: frozenset[str]


def accounts_of(collection: Collection) -> Accounts:
    """One query."""
    marked = Q(simulated=True) | Q(gets_cards=False) | Q(user__isnull=False)
    annotators = Annotator.objects.filter(marked, collection=collection)
    rows = list(annotators.values_list("pseudonym", "simulated", "gets_cards", "user"))
    return Accounts(
        simulated=frozenset(name for name, is_simulated, _, _ in rows if is_simulated),
        without_cards=frozenset(name for name, _, gets_cards, _ in rows if not gets_cards),
        with_account=frozenset(name for name, _, _, user in rows if user is not None),
    )


def judged_and_early(batches: Sequence[Batch]) -> dict[str, tuple[int, float]]:
    """How many items each person has judged, and the share of first revisions before the batch's minimum time."""
    first = Judgment.objects.filter(batch__in=batches, revision=1).values_list("annotator__pseudonym")
    rows = first.annotate(n=Count("pk"), early=Count("pk", filter=Q(early=True)))
    return {name: (n, early / n) for name, n, early in rows}


def account_of(annotator: Annotator) -> str:
    """The user name of the annotator's account while it is a member's; empty where there is none. One query."""
    members = User.objects.filter(annotators=annotator, memberships__collection=annotator.collection_id)
    return members.values_list("username", flat=True).first() or ""
