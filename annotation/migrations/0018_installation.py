from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0017_document_search"),
    ]

    operations = [
        migrations.CreateModel(
            name="Installation",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("canary_sha256", models.CharField(max_length=64)),
                ("key_check", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="installation_one_row"),
                ],
            },
        ),
    ]
