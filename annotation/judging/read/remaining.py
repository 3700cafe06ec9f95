"""The batches in which a person judges, and whether anything is left for them there."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Assignment, Batch, Card, Collection, Participation, Slot, User

NOT_BEHIND = (Assignment.State.LEASED, Assignment.State.EXPIRED, Assignment.State.LATER)


def cards_left() -> Exists:
    """Said of a participation: a pair that the person may yet meet in its batch, be it with others now.

    What is reserved for the person comes only beside something else, so it alone is nothing left, unless they have had
    it in front of them, or their visit goes on after its last pair.
    """
    item, person = OuterRef("item"), OuterRef(OuterRef("annotator"))
    mine = Assignment.objects.filter(item=item, annotator=person)
    of_reading = mine.filter(reading=OuterRef("reading"))
    seen = Card.objects.filter(
        assignment__item=item,
        assignment__annotator=person,
        assignment__reading=OuterRef("reading"),
        shown_at__isnull=False,
    )
    shared = Q(reserved_for__isnull=True) | Q(transferable=True)
    to_the_end = Q(block=OuterRef("block"), due__gte=OuterRef("pairs_end"), due__lt=OuterRef("thrown"))
    return Exists(
        Slot.objects.filter(
            Q(reading=1) | Exists(mine.filter(reading=1, state=Assignment.State.JUDGED)),
            shared | Q(reserved_for=OuterRef("annotator")) & (Exists(seen) | to_the_end),
            ~Exists(of_reading.exclude(state__in=NOT_BEHIND)),
            batch=OuterRef("batch"),
            state__in=[Slot.State.OPEN, Slot.State.LEASED],
            item__withheld=False,
        )
    )


def waiting_batches(person: User) -> QuerySet[Participation]:
    """The person's part in open and paused batches, open ones first, then the ones begun last.

    `has_cards` of each: whether anything is left for them there.
    """
    parts = _parts(person).filter(batch__state__in=Batch.RUNNING)
    return parts.annotate(has_cards=cards_left()).order_by(
        "batch__state", "-has_cards", "-batch__laid_out_at", "batch__name"
    )


def parts_with_cards(person: User, collection: Collection) -> list[Participation]:
    """The person's part in the open batches of the collection in which something is left for them.

    Were this a condition of the query, SQLite would work it out for all people of a batch before it looks whose they
    are.
    """
    parts = _parts(person).filter(batch__collection=collection, batch__state=Batch.State.OPEN)
    return [part for part in parts.annotate(has_cards=cards_left()).order_by("batch__name") if part.has_cards]


def _parts(person: User) -> QuerySet[Participation]:
    return Participation.objects.filter(annotator__user=person, is_active=True).select_related(
        "batch__collection", "annotator"
    )
