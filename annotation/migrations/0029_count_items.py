from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def count_items(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Of the batches that are laid out. One that is on its way in, or to its layout, may still get some."""
    batch, item = (apps.get_model("annotation", name) for name in ("Batch", "Item"))
    for pk in batch.objects.exclude(state__in=("draft", "importing")).values_list("pk", flat=True):
        batch.objects.filter(pk=pk).update(n_items=item.objects.filter(batch=pk).count())


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0028_counts_by_index"),
    ]

    operations = [
        migrations.RunPython(count_items, migrations.RunPython.noop),
    ]
