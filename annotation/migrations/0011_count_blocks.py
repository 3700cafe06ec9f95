from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Count, Q

PORTION = 400  # blocks counted in one transaction: some 30,000 slots


def count_blocks(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """A row for each block of the batches that are laid out. Run again, it goes on where it was stopped."""
    batches = apps.get_model("annotation", "Batch").objects.filter(brought_by__isnull=True).exclude(state="draft")
    for batch in batches.order_by("-pk").values_list("pk", flat=True):
        _count_batch(apps, batch)


def _count_batch(apps: StateApps, batch: int) -> None:
    items, blocks = (apps.get_model("annotation", name).objects.filter(batch=batch) for name in ("Item", "Block"))
    topics = dict(items.order_by("block").values_list("block", "topic").distinct())
    there = set(blocks.values_list("number", flat=True))
    missing = [number for number in sorted(topics) if number not in there]
    for start in range(0, len(missing), PORTION):
        with transaction.atomic():
            _count_portion(apps, batch, {number: topics[number] for number in missing[start : start + PORTION]})


def _count_portion(apps: StateApps, batch: int, topics: dict[int, int]) -> None:
    block = apps.get_model("annotation", "Block")
    slots = apps.get_model("annotation", "Slot").objects.filter(batch=batch, block__in=topics)
    free = slots.filter(state="open", item__withheld=False).values_list("block")
    counts = free.annotate(
        n_open=Count("pk", filter=Q(reserved_for__isnull=True)), n_kept=Count("pk", filter=Q(transferable=True))
    )
    n_of = {number: (n_open, n_kept) for number, n_open, n_kept in counts}
    begun = set(slots.filter(state="judged").values_list("block", flat=True).distinct())
    rows = [(number, topic, *n_of.get(number, (0, 0))) for number, topic in topics.items()]
    block.objects.bulk_create(
        block(
            batch_id=batch,
            number=number,
            topic_id=topic,
            n_open=n_open,
            n_transferable=n_kept,
            begun=number in begun,
        )
        for number, topic, n_open, n_kept in rows
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("annotation", "0010_blocks"),
    ]

    operations = [
        migrations.RunPython(count_blocks, migrations.RunPython.noop),
    ]
