from django.conf import settings
from django.db import models


class KeptAnswer(models.Model):
    """What a person's request under an `Idempotency-Key` was answered: the same request again gets it again.

    `status` is null only inside the transaction that does the deed.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(default="")  # JSON; empty where it told a secret
    location = models.TextField(default="")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key_hash"], name="one_answer_a_key")]
