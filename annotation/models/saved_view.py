from django.conf import settings
from django.db import models


class SavedView(models.Model):
    """A list as a person wants it again: its page, by the name of its address, and what the address asked for."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_views")
    page = models.CharField(max_length=50)
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1000, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "collection", "page", "name"], name="saved_view_once"),
            models.CheckConstraint(condition=~models.Q(name=""), name="saved_view_has_name"),
        ]

    def __str__(self) -> str:
        return self.name
