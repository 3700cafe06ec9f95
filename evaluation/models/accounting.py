from django.db import models


class Accounting(models.Model):
    """The runs of a collection under several qrels: a snapshot's with its dropped pairs counted as this or that, or
    those of several policies (no snapshot). `key` is the hash of all that it was made from: asked again, nothing is
    computed anew. `facts` are what a page shows beside the values, `result` is what `formats.accounting` reads.
    """

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="accountings")
    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, null=True, related_name="accountings")
    key = models.CharField(max_length=64)
    facts = models.JSONField(default=dict)
    result = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "key"], name="accounting_once")]
