import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0023_kept_columns"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64, unique=True)),
                ("kind", models.CharField(max_length=40)),
                ("batches", models.JSONField(default=list)),
                ("criterion", models.CharField(max_length=50)),
                ("parameters", models.JSONField(default=dict)),
                ("made", models.JSONField(default=dict)),
                ("as_of", models.DateTimeField(null=True)),
                ("asked_at", models.DateTimeField(null=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField()),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotation.collection"
                    ),
                ),
            ],
        ),
    ]
