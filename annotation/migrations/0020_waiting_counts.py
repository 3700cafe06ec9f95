import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_stock"),
    ]

    operations = [
        migrations.CreateModel(
            name="WaitingCount",
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
                ("contested", models.PositiveIntegerField(default=0)),
                ("suspects", models.PositiveIntegerField(default=0)),
                ("alerts", models.PositiveIntegerField(default=0)),
                ("finished", models.PositiveIntegerField(default=0)),
                ("mark", models.CharField(max_length=100)),
                ("took", models.FloatField()),
                ("counted_at", models.DateTimeField()),
            ],
        ),
    ]
