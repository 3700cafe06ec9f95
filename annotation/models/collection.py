from django.db import models


class Collection(models.Model):
    """A test collection: the project, and the boundary of access.

    `language`: in which its topics and documents are written, as a tag of BCP 47; empty where that is not told.
    `watch`: settings of the watch on critical errors by name; what is not there is built in.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, null=True, related_name="+")
    guideline = models.ForeignKey("annotation.GuidelineVersion", models.PROTECT, null=True, related_name="+")
    watch = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "slug"]

    def __str__(self) -> str:
        return self.name
