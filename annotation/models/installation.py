from django.db import models


class Installation(models.Model):
    """What all machines of this installation share, in a single row: the first that started has written it.

    `canary_sha256` is the SHA-256 of a file that whoever sees the stored files sees. `key_check` is what the secret key
    makes of it (HMAC-SHA256 in hex): whoever has another key gets something else.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    canary_sha256 = models.CharField(max_length=64)
    key_check = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="installation_one_row")]
