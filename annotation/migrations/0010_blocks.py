import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0009_outgoing"),
    ]

    operations = [
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("n_open", models.IntegerField(default=0)),
                ("n_transferable", models.IntegerField(default=0)),
                ("n_freed", models.PositiveIntegerField(default=0)),
                ("begun", models.BooleanField(default=False)),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks",
                        to="annotation.batch",
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.topic",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("batch", "number"), name="block_once")],
            },
        ),
        migrations.CreateModel(
            name="LeftBlock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("n_freed", models.PositiveIntegerField()),
                (
                    "block",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotation.block"
                    ),
                ),
                (
                    "participation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="left_blocks",
                        to="annotation.participation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("participation", "block"), name="left_block_once"),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="slot",
            index=models.Index(condition=models.Q(("state", "leased")), fields=["batch"], name="slot_leased"),
        ),
    ]
