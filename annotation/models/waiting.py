from django.db import models


class WaitingCount(models.Model):
    """How much waits for people in a collection, as a worker counted it last: what takes too long for every page.

    `mark` names what it was counted of; `took`, in seconds, how long. Where it is missing nothing was counted yet.
    """

    collection = models.OneToOneField("annotation.Collection", models.CASCADE, primary_key=True, related_name="+")
    contested = models.PositiveIntegerField(default=0)
    suspects = models.PositiveIntegerField(default=0)
    alerts = models.PositiveIntegerField(default=0)
    finished = models.PositiveIntegerField(default=0)
    mark = models.CharField(max_length=100)
    took = models.FloatField()
    counted_at = models.DateTimeField()
