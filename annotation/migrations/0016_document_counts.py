import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Exists, OuterRef, Q


def count_documents(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """A row for each collection that has documents."""
    document, version = (apps.get_model("annotation", name) for name in ("Document", "DocumentVersion"))
    counts = apps.get_model("annotation", "DocumentCount").objects
    published = Q(brought_by__isnull=True) | Q(brought_by__published_at__isnull=False)
    current = version.objects.filter(published, document=OuterRef("pk"), is_current=True)
    for collection in apps.get_model("annotation", "Collection").objects.values_list("pk", flat=True):
        rows = document.objects.filter(published, collection=collection)
        if n_documents := rows.count():
            counts.create(
                collection_id=collection, n_documents=n_documents, n_with_text=rows.filter(Exists(current)).count()
            )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0015_preferences"),
    ]

    operations = [
        migrations.CreateModel(
            name="DocumentCount",
            fields=[
                (
                    "collection",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotation.collection",
                    ),
                ),
                ("n_documents", models.PositiveIntegerField()),
                ("n_with_text", models.PositiveIntegerField()),
            ],
        ),
        migrations.AddIndex(
            model_name="documentversion",
            index=models.Index(
                condition=models.Q(("is_current", True)),
                fields=["collection", "document"],
                name="document_current_texts",
            ),
        ),
        migrations.RunPython(count_documents, migrations.RunPython.noop),
    ]
