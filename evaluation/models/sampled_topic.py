from django.db import models


class SampledTopic(models.Model):
    """What a topic that was drawn from a query log stands for: so many queries, 1 / `probability`, of its stratum."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="sampled_topics")
    topic = models.OneToOneField("annotation.Topic", models.PROTECT, related_name="sampled")
    stratum = models.CharField(max_length=1000)
    count = models.PositiveBigIntegerField()  # how often it was asked
    probability = models.FloatField()  # of a query of its stratum to be in the sample
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, related_name="sampled_topics")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(probability__gt=0, probability__lte=1), name="sampled_topic_probability"
            )
        ]
