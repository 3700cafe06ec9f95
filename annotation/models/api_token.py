from django.conf import settings
from django.db import models
from django.utils import timezone


class ApiToken(models.Model):
    """A person's key to the API. Shown once; only its hash and its first characters are kept."""

    class Scope(models.TextChoices):
        READ = "read", "Read: look at whatever you may see"
        JUDGE = "judge", "Judge: read, and judge what you are given"
        ADMIN = "admin", "Admin: whatever you may do"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=8)
    secret_hash = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=5, choices=Scope.choices, default=Scope.ADMIN)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=["read", "judge", "admin"]), name="api_token_scope_known"
            ),
        ]

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()
