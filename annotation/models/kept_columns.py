from django.db import models


class KeptColumns(models.Model):
    """The files that hold a batch's judgments and items as columns, in the order of their rows' keys.

    `judgments` and `items`: lists of parts, as `annotation.kernel.judged.parts` writes them. They only save time: what
    is lost or damaged is read from the tables again.
    """

    batch = models.OneToOneField("annotation.Batch", models.CASCADE, related_name="+", primary_key=True)
    judgments = models.JSONField(default=list)
    items = models.JSONField(default=list)
    updated_at = models.DateTimeField(auto_now=True)
