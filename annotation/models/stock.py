from django.db import models


class StockItem(models.Model):
    """An item that a person may be handed when their coin for a card falls so (`judging.steps.stock`).

    `strand`: which of the coin's parts brings it (`Batch.coin_shares`); `topic` and `batch` repeat the item's.
    Items of the strand `WANTED` are in any case to be judged, and one of their open slots is kept for the
    person; of the others a slot is made for each. `AGAIN` has no rows: it brings what the person has judged before.
    """

    WANTED, AGAIN = 2, 3

    item = models.OneToOneField("annotation.Item", models.CASCADE, primary_key=True, related_name="stock")
    batch = models.ForeignKey("annotation.Batch", models.CASCADE, related_name="+", db_index=False)
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+", db_index=False)
    strand = models.PositiveSmallIntegerField()

    class Meta:
        indexes = [models.Index(fields=["batch", "topic", "strand"], name="stock_by_topic")]
