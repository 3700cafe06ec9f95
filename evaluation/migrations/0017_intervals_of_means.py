from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from annotation.kernel.store import path_of
from evaluation.engine.values import load_values
from evaluation.leaderboard.read.evaluations import CONFIDENCE, means_of


def find_intervals_anew(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Intervals of means were Student's. An evaluation whose file is gone or damaged keeps them, and so does one that a
    worker of the version before makes meanwhile."""
    evaluations = apps.get_model("evaluation", "Evaluation").objects
    for evaluation in evaluations.only("sha256").iterator():
        try:
            means = means_of(load_values(path_of(evaluation.sha256)), CONFIDENCE)
        except (OSError, ValueError):
            continue
        evaluations.filter(pk=evaluation.pk).update(means=means)


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0016_ranked_pairs"),
    ]

    operations = [
        migrations.RunPython(find_intervals_anew, migrations.RunPython.noop),
    ]
