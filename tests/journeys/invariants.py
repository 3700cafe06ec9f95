"""What must hold of a batch's judgments whatever happened. One checker for the real thing and for the naive one."""

from collections import Counter, defaultdict

from annotation.kernel.blocks import block_faults
from annotation.models import Assignment, Batch, Item, Judgment, Participation, Slot

AT_HAND = 6  # cards that a person may hold in a batch: the one they read and those that wait


def broken_invariants(batch: Batch, acknowledged: dict[str, int] | None = None) -> list[str]:
    """Every breach, in words; empty when all is well. `acknowledged`: form token → grade that was said to be saved."""
    judgments = list(Judgment.objects.filter(batch=batch).select_related("assignment"))
    return [
        *_too_many(batch, judgments),
        *_doubled(judgments),
        *_slots_and_judgments(batch, judgments),
        *_slots_and_leases(batch),
        *_miscounted(batch, judgments),
        *(str(fault) for fault in block_faults(batch)),
        *_lost(judgments, acknowledged or {}),
    ]


def _too_many(batch: Batch, judgments: list[Judgment]) -> list[str]:
    room = Counter(Slot.objects.filter(batch=batch).values_list("item", flat=True))
    counted = Counter(each.item_id for each in judgments if each.revision == 1 and not each.surplus)
    return [f"item {item}: {n} judgments in {room[item]} slots" for item, n in counted.items() if n > room[item]]


def _doubled(judgments: list[Judgment]) -> list[str]:
    per_form = Counter(each.token for each in judgments)
    per_revision = Counter((each.assignment_id, each.revision) for each in judgments)
    per_person = defaultdict(set)
    for each in judgments:
        per_person[each.item_id, each.annotator_id, each.assignment.reading].add(each.assignment_id)
    return [
        *(f"form {token}: {n} judgments" for token, n in per_form.items() if n > 1),
        *(f"assignment and revision {key}: {n} judgments" for key, n in per_revision.items() if n > 1),
        *(
            f"item, person, reading {key}: {len(those)} assignments"
            for key, those in per_person.items()
            if len(those) > 1
        ),
    ]


def _slots_and_judgments(batch: Batch, judgments: list[Judgment]) -> list[str]:
    judged = {each.assignment_id for each in judgments if not each.surplus}
    holders = Assignment.objects.filter(batch=batch, slot__state=Slot.State.JUDGED)
    holder_ids = set(holders.values_list("id", flat=True))
    empty = Slot.objects.filter(batch=batch, state=Slot.State.JUDGED, assignment__isnull=True).count()
    return [
        *(f"assignment {each} fills a slot without a judgment" for each in holder_ids - judged),
        *(f"assignment {each} is judged and holds no slot" for each in judged - holder_ids),
        *([f"{empty} slots are judged by nobody"] if empty else []),
    ]


def _slots_and_leases(batch: Batch) -> list[str]:
    slots = set(Slot.objects.filter(batch=batch, state=Slot.State.LEASED).values_list("id", flat=True))
    leases = Assignment.objects.filter(batch=batch, state=Assignment.State.LEASED).values_list("slot", "annotator")
    per_person = Counter(annotator for _, annotator in leases)
    of_people = {slot for slot, _ in leases}
    return [
        *(f"slot {each} is leased to nobody" for each in slots - of_people),
        *(f"slot {each} is not leased, and somebody has a lease on it" for each in of_people - slots),
        *(f"annotator {annotator} holds {n} leases" for annotator, n in per_person.items() if n > AT_HAND),
    ]


def _miscounted(batch: Batch, judgments: list[Judgment]) -> list[str]:
    """The counts kept on items and people beside the judgments themselves."""
    first = [each for each in judgments if each.revision == 1]
    per_item = Counter(each.item_id for each in first if not each.surplus)
    per_person = Counter(each.annotator_id for each in first)
    items = Item.objects.filter(batch=batch).values_list("id", "n_judged")
    people = Participation.objects.filter(batch=batch).values_list("annotator", "n_judged")
    return [
        *(f"item {each}: {n} counted, {per_item[each]} judged" for each, n in items if n != per_item[each]),
        *(f"annotator {each}: {n} counted, {per_person[each]} judged" for each, n in people if n != per_person[each]),
    ]


def _lost(judgments: list[Judgment], acknowledged: dict[str, int]) -> list[str]:
    stored = {each.token: each.grade for each in judgments}
    return [
        f"form {token}: grade {grade} was acknowledged, {stored.get(token)} is stored"
        for token, grade in acknowledged.items()
        if stored.get(token) != grade
    ]
