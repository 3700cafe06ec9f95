from django.db import models

from annotation.models.document import DocumentVersion
from annotation.models.tokens import new_token
from annotation.models.topic import TopicVersion


class Item(models.Model):
    """A pair laid out in a batch, with the versions of its texts pinned.

    `shuffle` is a random number below 2³¹−1 from the batch's seed. `withheld` keeps an item from being handed out
    (two people could not judge it) until an admin decides. Only a pair judged elsewhere may have no text here.
    `stratum`: the part of its topic's pool the pair comes from, 0 at the top, for the cards that open a topic.
    """

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+")
    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="items")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    topic_version = models.ForeignKey("annotation.TopicVersion", models.PROTECT, null=True, related_name="+")
    document_version = models.ForeignKey("annotation.DocumentVersion", models.PROTECT, null=True, related_name="+")
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, related_name="+")
    block = models.PositiveIntegerField()
    shuffle = models.PositiveIntegerField()
    n_judged = models.PositiveIntegerField(default=0)
    stratum = models.PositiveSmallIntegerField(null=True)
    withheld = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "topic", "document"], name="item_once"),
            models.CheckConstraint(condition=models.Q(shuffle__lt=2147483647), name="item_shuffle_range"),
        ]
        indexes = [
            models.Index(fields=["batch", "block"], name="item_by_block"),
            models.Index(fields=["batch"], name="item_withheld", condition=models.Q(withheld=True)),
        ]

    @property
    def texts(self) -> tuple[TopicVersion, DocumentVersion]:
        """The pinned texts. An item that is handed out has them; `ValueError` for a pair that came without."""
        if self.topic_version is None or self.document_version is None:
            raise ValueError("This pair was judged elsewhere: it has no text here.")
        return self.topic_version, self.document_version
