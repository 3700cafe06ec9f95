from django.conf import settings
from django.db import models


class Policy(models.Model):
    """How judgments become grades: a named, versioned set of parameters. Never changed once stored."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="policies")
    name = models.CharField(max_length=100)
    version = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    parameters = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "name", "version"], name="policy_version_once"),
            models.UniqueConstraint(fields=["collection", "name", "sha256"], name="policy_parameters_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def counts_machines(self) -> bool:
        """Whether machine judges count like people. To be said wherever what follows is shown."""
        return bool(self.parameters.get("count_machines"))
