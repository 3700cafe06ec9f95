import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import annotation.models.document

GIN = "CREATE INDEX annotation_documentwords_gin ON annotation_documentwords USING gin (words)"
FTS5 = """
    CREATE VIRTUAL TABLE annotation_document_fts
    USING fts5(words, content='', tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'")
"""


def make_index(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Empty, so that no table with rows is locked: the worker adds the texts that are here, portion by portion."""
    editor.execute(GIN if editor.connection.vendor == "postgresql" else FTS5)


def drop_index(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "sqlite":
        editor.execute("DROP TABLE annotation_document_fts")


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0016_document_counts"),
    ]

    operations = [
        migrations.CreateModel(
            name="DocumentIndex",
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
                ("indexed_to", models.BigIntegerField(default=0)),
                ("is_whole", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="DocumentWords",
            fields=[
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="words",
                        serialize=False,
                        to="annotation.documentversion",
                    ),
                ),
                ("words", annotation.models.document.WordsField()),
            ],
        ),
        migrations.RunPython(make_index, drop_index),
    ]
