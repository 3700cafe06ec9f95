import annotation.models.tokens
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0020_waiting_counts"),
    ]

    operations = [
        migrations.AddField(
            model_name="recipient",
            name="everything",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(default=annotation.models.tokens.new_token, max_length=22, unique=True)),
                ("kind", models.CharField(max_length=20)),
                ("cause", models.CharField(max_length=300)),
                ("text", models.CharField(max_length=300)),
                ("values", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("read_at", models.DateTimeField(null=True)),
                (
                    "collection",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.collection",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["user", "-id"], name="notices_of_person"),
                    models.Index(condition=models.Q(("read_at__isnull", True)), fields=["user"], name="notices_unread"),
                ],
                "constraints": [models.UniqueConstraint(fields=("user", "cause"), name="notice_once")],
            },
        ),
    ]
