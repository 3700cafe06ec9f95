from django.db import models


class KeptResult(models.Model):
    """What was worked out last from the judgments of batches, for pages: which file holds it, and what it is of.

    `key`: of what is asked, hashed; `kind`, `batches` (their keys, ascending), `criterion` and `parameters` say it, for
    whoever makes it anew. `made`: empty until it is made; then the file's `sha256`, the `mark` of all that it rests on,
    hashed, the `seconds` that it took, and its bytes, `size`. It only saves time, as `KeptColumns` do.
    """

    collection = models.ForeignKey("annotation.Collection", models.CASCADE, related_name="+")
    key = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=40)
    batches = models.JSONField(default=list)
    criterion = models.CharField(max_length=50)
    parameters = models.JSONField(default=dict)
    made = models.JSONField(default=dict)
    as_of = models.DateTimeField(null=True)  # what was there then is in it
    asked_at = models.DateTimeField(null=True)  # for a newer one; null where nobody has since
    begun_at = models.DateTimeField(null=True)  # by the worker that makes it
    seen_at = models.DateTimeField()  # last, to a quarter of an hour
