"""How many judgments a batch has, without a look at them: judging counts each person's first ones
on their participation, in the transaction of the judgment. Those that came too late and further
revisions are few, and an index of their own leads to them.

Each is a column of batches. `recount_batch` brings the counts that they rest on up to rows that
came without judging.
"""

from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from annotation.models import Batch, Item, Judgment, Participation
from annotation.models.judgment import APART


def first_judgments() -> Combinable:
    """Of everybody, gold, checks, repeats and those too late for their slot too."""
    people = Participation.objects.filter(batch=OuterRef("pk")).order_by().values("batch")
    return Coalesce(Subquery(people.annotate(n=Sum("n_judged")).values("n")), 0)


def slots_judged() -> Combinable:
    """First judgments that hold a slot or were made elsewhere."""
    return first_judgments() - _apart(Q(revision=1, surplus=True))


def all_judgments() -> Combinable:
    """Revisions too."""
    return first_judgments() + _apart(Q(revision__gt=1))


def recount_batch(batch: Batch) -> None:
    """Count its items, where it is laid out, and the first judgments of each person."""
    first = Judgment.objects.filter(batch=batch, revision=1).order_by().values_list("annotator")
    n_by_person = dict(first.annotate(n=Count("*")))
    people = list(Participation.objects.filter(batch=batch))
    for person in people:
        person.n_judged = n_by_person.get(person.annotator_id, 0)
    Participation.objects.bulk_update(people, ["n_judged"])
    if batch.state != Batch.State.DRAFT:
        batch.n_items = Item.objects.filter(batch=batch).count()
        batch.save(update_fields=["n_items"])


def _apart(which: Q) -> Combinable:
    rows = Judgment.objects.filter(APART, which, batch=OuterRef("pk")).order_by().values("batch")
    return Coalesce(Subquery(rows.annotate(n=Count("*")).values("n")), 0)
