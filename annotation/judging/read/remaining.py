"""Whether anything is left for a person to judge, for pages that list many batches at once."""

from django.db.models import Exists, OuterRef, Q

from annotation.models import Assignment, Slot

NOT_BEHIND = (Assignment.State.LEASED, Assignment.State.EXPIRED, Assignment.State.LATER)


def cards_left() -> Exists:
    """Said of a participation: a pair that the person may yet meet in its batch, be it with others now.

    What is reserved for the person comes only beside something else, so it alone is nothing left, unless they have had
    it in their hands.
    """
    item, person = OuterRef("item"), OuterRef(OuterRef("annotator"))
    mine = Assignment.objects.filter(item=item, annotator=person)
    of_reading = mine.filter(reading=OuterRef("reading"))
    shared = Q(reserved_for__isnull=True) | Q(transferable=True)
    return Exists(
        Slot.objects.filter(
            Q(reading=1) | Exists(mine.filter(reading=1, state=Assignment.State.JUDGED)),
            shared | Q(reserved_for=OuterRef("annotator")) & Exists(of_reading),
            ~Exists(of_reading.exclude(state__in=NOT_BEHIND)),
            batch=OuterRef("batch"),
            state__in=[Slot.State.OPEN, Slot.State.LEASED],
            item__withheld=False,
        )
    )
