from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class Document(models.Model):
    """A document under its external docno. Its texts are `DocumentVersion`s."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="documents")
    docno = models.CharField(max_length=400)
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, null=True, related_name="documents")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "docno"], name="document_docno_once")]

    def __str__(self) -> str:
        return self.docno


class DocumentCount(models.Model):
    """How many visible documents a collection has, and how many of them have a text: kept by imports as they flip.

    A collection without a row has had no such import yet: its documents are counted where somebody asks.
    """

    collection = models.OneToOneField("annotation.Collection", models.CASCADE, related_name="+", primary_key=True)
    n_documents = models.PositiveIntegerField()
    n_with_text = models.PositiveIntegerField()


class DocumentIndex(models.Model):
    """How far the texts of a collection are in the index of its search: every published one up to this key.

    Not whole while published texts are missing; imports say so as they flip, the worker adds what is missing.
    """

    collection = models.OneToOneField("annotation.Collection", models.CASCADE, related_name="+", primary_key=True)
    indexed_to = models.BigIntegerField(default=0)
    is_whole = models.BooleanField(default=False)


class DocumentVersion(models.Model):
    """The text of a document as it stood at one time. Never changed once stored; at most one is current.

    `form` says what `text` is: plain text, or HTML that was sanitised when it was imported.
    """

    class Form(models.TextChoices):
        TEXT = "text", "Plain text"
        HTML = "html", "HTML"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="versions")
    sha256 = models.CharField(max_length=64)
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    form = models.CharField(max_length=4, choices=Form.choices, default=Form.TEXT)
    fields = models.JSONField(default=dict)
    is_current = models.BooleanField(default=True)
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, null=True, related_name="document_versions")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "sha256"], name="document_text_once"),
            models.UniqueConstraint(
                fields=["document"], condition=models.Q(is_current=True), name="document_one_current"
            ),
        ]
        indexes = [
            models.Index(
                fields=["collection", "document"], condition=models.Q(is_current=True), name="document_current_texts"
            )
        ]

    @property
    def field_rows(self) -> list[tuple[str, object]]:
        """Name and value of each further field. In a template, `fields.items` would mean a field called "items"."""
        return list(self.fields.items())


class WordsField(models.TextField):  # type: ignore[type-arg]  # Django takes none as it runs
    """The words of a text: a tsvector on PostgreSQL. On SQLite they stand in a table of FTS5, and here is none."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "tsvector" if connection.vendor == "postgresql" else "text"


class DocumentWords(models.Model):
    """The words of a published text, for the search on PostgreSQL."""

    version = models.OneToOneField("annotation.DocumentVersion", models.CASCADE, related_name="words", primary_key=True)
    words = WordsField()
