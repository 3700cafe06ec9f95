from django.conf import settings
from django.db import models
from django.db.models import Q


class Series(models.Model):
    """A figure of a collection that is watched over time.

    `of` says what is measured, in the words of its `kind`. The first `n_history` points since `history_from` are the
    history; once they are there, `baseline` is frozen from them (`evaluation.engine.drift.rule`): the first alarm in
    `horizon` points without a change comes with a chance of `rate`. `looked` is what the schedule met last.
    """

    class Kind(models.TextChoices):
        OUTSIDE = "outside", "Given from outside"
        MEASURE = "measure", "A measure of a run"
        AGREEMENT = "agreement", "Agreement of annotators"
        GOLD = "gold", "Accuracy on gold"
        VECTORS = "vectors", "Drift of vectors"
        SPACE = "space", "Space of vectors"
        QUERIES = "queries", "A query log"

    class Bad(models.TextChoices):
        DOWN = "down", "Falling"
        UP = "up", "Rising"
        EITHER = "either", "Either way"

    class Rule(models.TextChoices):
        CUSUM = "cusum", "CUSUM: finds a step soonest"
        PAGE_HINKLEY = "page-hinkley", "Page–Hinkley: follows slow changes"
        LIMITS = "limits", "Limits that you name"

    class Schedule(models.TextChoices):
        NEVER = "", "By hand"
        HOURLY = "hourly", "Hourly"
        DAILY = "daily", "Daily"
        WEEKLY = "weekly", "Weekly, on Mondays"
        MONTHLY = "monthly", "Monthly, on the 1st"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="series")
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    of = models.JSONField(default=dict)
    bad = models.CharField(max_length=6, choices=Bad.choices)
    rule = models.CharField(max_length=12, choices=Rule.choices)
    n_history = models.PositiveIntegerField(default=0)
    horizon = models.PositiveIntegerField(default=0)
    rate = models.FloatField(default=0)
    block = models.PositiveIntegerField(default=1)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    schedule = models.CharField(max_length=7, choices=Schedule.choices, blank=True)
    hour = models.PositiveSmallIntegerField(default=2)
    zone = models.CharField(max_length=64, default="UTC")
    next_due = models.DateTimeField(null=True, db_index=True)
    looked = models.TextField(blank=True)
    history_from = models.DateTimeField(null=True)
    baseline = models.JSONField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["collection", "name"], name="series_once")]

    def __str__(self) -> str:
        return self.name


class SeriesPoint(models.Model):
    """A value at a time, or `n_missed` moments of the schedule up to then that have none, and why. Append-only, each
    value later than the one before. `rests_on` says what was measured, `key` is its hash."""

    class Source(models.TextChoices):
        PAGE = "page", "Page"
        API = "api", "API"
        COMMAND = "command", "Command"
        SCHEDULE = "schedule", "Schedule"

    series = models.ForeignKey(Series, models.PROTECT, related_name="points")
    time = models.DateTimeField()
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n_missed = models.PositiveIntegerField(default=0)
    reason = models.TextField(blank=True)
    source = models.CharField(max_length=8, choices=Source.choices)
    rests_on = models.TextField(blank=True)
    key = models.CharField(max_length=64, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["time"]
        constraints = [
            models.UniqueConstraint(
                fields=["series", "time"], condition=Q(value__isnull=False), name="series_point_once"
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=False, n_missed=0) | Q(value__isnull=True, n_missed__gt=0),
                name="series_point_or_missed",
            ),
        ]


class SeriesAlert(models.Model):
    """The rule has left what is usual at `point`; one at a time is open in a series. `since` is where the path says
    that it began; from `until` on, the last point when it was closed, the path begins anew."""

    series = models.ForeignKey(Series, models.PROTECT, related_name="alerts")
    point = models.ForeignKey(SeriesPoint, models.PROTECT, related_name="+")
    since = models.DateTimeField()
    direction = models.CharField(max_length=4, choices=[("up", "up"), ("down", "down")])
    level = models.FloatField()
    threshold = models.FloatField()
    opened_at = models.DateTimeField(auto_now_add=True)
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    seen_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    closed_at = models.DateTimeField(null=True)
    until = models.DateTimeField(null=True)
    note = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["series"], condition=Q(closed_at__isnull=True), name="series_one_alert_open"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, until__isnull=True)
                | Q(closed_at__isnull=False, until__isnull=False),
                name="series_alert_closed_until",
            ),
        ]


class SeriesNote(models.Model):
    """What somebody says of a moment of a series."""

    series = models.ForeignKey(Series, models.PROTECT, related_name="notes")
    time = models.DateTimeField()
    text = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["time", "pk"]
