from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0030_recount_judged"),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="due",
            field=models.DateField(null=True),
        ),
    ]
