from django.db import migrations, models

from annotation.migrations._beside_writers import AddIndexBesideWriters


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("annotation", "0031_batch_due"),
    ]

    operations = [
        AddIndexBesideWriters(
            model_name="annotator",
            index=models.Index(
                condition=models.Q(("gets_cards", False)), fields=["collection"], name="annotator_without_cards"
            ),
        ),
    ]
