from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def recount_judged(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Of people whose counts came in a bundle: one that was packed while they judged counts judgments that it lacks.

    Who judges meanwhile holds the row, and adds to the new count.
    """
    imports, participations, judgments = (
        apps.get_model("annotation", name).objects for name in ("Import", "Participation", "Judgment")
    )
    brought = imports.filter(kind="collection").values("collection")
    for pk in participations.filter(batch__collection__in=brought).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            person = participations.select_for_update().get(pk=pk)
            first = judgments.filter(batch=person.batch_id, annotator=person.annotator_id, revision=1)
            if (n_judged := first.count()) != person.n_judged:
                participations.filter(pk=pk).update(n_judged=n_judged)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("annotation", "0029_count_items"),
    ]

    operations = [
        migrations.RunPython(recount_judged, migrations.RunPython.noop),
    ]
