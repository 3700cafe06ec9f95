from django.conf import settings
from django.db import models


class VectorSet(models.Model):
    """The vectors that a model has for the queries or for the documents of a collection, and which similarity they are
    meant for. Stored packed, as float32, in a content-addressed file. `n_unknown` and `n_missing` are as they were
    when it came: ids that are no text of the collection, and texts of the collection that have no vector.
    """

    class Side(models.TextChoices):
        QUERIES = "queries", "Queries"
        DOCUMENTS = "documents", "Documents"

    class Similarity(models.TextChoices):
        COSINE = "cosine", "Cosine"
        INNER = "inner", "Inner product"
        EUCLIDEAN = "euclidean", "Euclidean distance"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="vectors")
    model = models.CharField(max_length=100)
    side = models.CharField(max_length=10, choices=Side.choices)
    similarity = models.CharField(max_length=10, choices=Similarity.choices)
    description = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    filename = models.CharField(max_length=255, blank=True)
    numbers = models.CharField(max_length=10)  # of what type they came
    dim = models.PositiveIntegerField()
    n_rows = models.PositiveIntegerField()
    n_unknown = models.PositiveIntegerField(default=0)
    n_missing = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["model", "side"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "model", "side"], name="vectors_once"),
            models.CheckConstraint(condition=models.Q(side__in=["queries", "documents"]), name="vectors_side_known"),
            models.CheckConstraint(
                condition=models.Q(similarity__in=["cosine", "inner", "euclidean"]), name="vectors_similarity_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model}, {self.side}"


class SpaceDescription(models.Model):
    """What was found of the space that a set of vectors lies in. `key` is the hash of all that it rests on: asked
    again, nothing is computed anew. `rests_on` says it in words, `figures` are those that `describe_vectors` prints,
    `drawing` is what a page draws.
    """

    vectors = models.ForeignKey(VectorSet, models.PROTECT, related_name="descriptions")
    key = models.CharField(max_length=64)
    rests_on = models.JSONField()
    figures = models.JSONField()
    drawing = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["vectors", "key"], name="space_once")]


class ModelComparison(models.Model):
    """Models beside a reference model, or beside target similarities, on vectors of a collection. `key` is the hash of
    all that it rests on: asked again, nothing is computed anew. `rests_on` says it in words, `facts` are those of
    `formats.reference`.
    """

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="model_comparisons")
    key = models.CharField(max_length=64)
    reference = models.CharField(max_length=100)
    rests_on = models.JSONField()
    facts = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "key"], name="model_comparison_once")]

    @property
    def others(self) -> list[str]:
        """The models that are not the reference."""
        return [each["model"] for each in self.rests_on["models"][1:]]
