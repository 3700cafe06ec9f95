from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Exists, OuterRef

PORTION = 1000


def end_stale_repeats(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Repeats that were never handed out go where their person has begun the block.

    They have been due for long, and would come one after another. Those of blocks to come stay.
    """
    slots, assignments = (apps.get_model("annotation", name).objects for name in ("Slot", "Assignment"))
    begun = assignments.filter(
        batch=OuterRef("batch"), annotator=OuterRef("reserved_for"), item__block=OuterRef("block")
    )
    stale = slots.filter(Exists(begun), reading=2, state="open", assignment=None).order_by("pk")
    while found := list(stale.values_list("pk", flat=True)[:PORTION]):
        with transaction.atomic():
            slots.filter(pk__in=found).delete()


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("annotation", "0013_click_import"),
    ]

    operations = [
        migrations.RunPython(end_stale_repeats, migrations.RunPython.noop),
    ]
