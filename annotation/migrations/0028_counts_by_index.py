import django.db.models.deletion
from django.db import migrations, models

from annotation.migrations._beside_writers import AddIndexBesideWriters, StopIndexing


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('annotation', '0027_open_slots_by_index'),
    ]

    operations = [
        AddIndexBesideWriters(
            model_name='assignment',
            index=models.Index(condition=models.Q(('state', 'skipped')), fields=['batch', 'state'], name='assignment_skipped'),
        ),
        AddIndexBesideWriters(
            model_name='item',
            index=models.Index(condition=models.Q(('withheld', True)), fields=['batch'], name='item_withheld'),
        ),
        AddIndexBesideWriters(
            model_name='judgment',
            index=models.Index(condition=models.Q(('surplus', True), ('revision__gt', 1), _connector='OR'), fields=['batch'], name='judgment_apart'),
        ),
        AddIndexBesideWriters(
            model_name='assignment',
            index=models.Index(fields=['annotator', 'claimed_at'], name='assignment_latest'),
        ),
        StopIndexing(
            model_name='assignment',
            name='annotator',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotation.annotator'),
        ),
        migrations.AddField(
            model_name='batch',
            name='n_items',
            field=models.PositiveIntegerField(null=True),
        ),
    ]
