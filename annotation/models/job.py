from django.conf import settings
from django.db import models

from annotation.models.tokens import new_token


class Job(models.Model):
    """Long work for the worker. A lease with heartbeat and attempt number lets another worker take over."""

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"

    token = models.CharField(max_length=22, unique=True, default=new_token)
    collection = models.ForeignKey("annotation.Collection", models.PROTECT, null=True, related_name="jobs")
    kind = models.CharField(max_length=50)
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=0)
    max_attempts = models.PositiveSmallIntegerField(default=3)
    lease_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    cancel_asked_at = models.DateTimeField(null=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    message = models.CharField(max_length=500, blank=True)
    error = models.TextField(blank=True)
    result = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["queued", "running", "done", "failed", "cancelled"]),
                name="job_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="running", lease_until__isnull=False)
                | (~models.Q(state="running") & models.Q(lease_until__isnull=True)),
                name="job_lease_with_state",
            ),
        ]
        indexes = [models.Index(fields=["state", "id"], name="job_queue")]

    @property
    def is_live(self) -> bool:
        """Whether it waits or runs."""
        return self.state in (self.State.QUEUED, self.State.RUNNING)

    @property
    def percent(self) -> int | None:
        """How far it says it is, 0 to 100, at least 1 once something is done; None where it cannot say."""
        return min(100, max(100 * self.done // self.total, int(self.done > 0))) if self.total else None

    @property
    def words(self) -> str:
        """What kind of work it is, as people read it."""
        return settings.TOUCHSTONE_JOB_WORDS.get(self.kind) or self.kind.replace("_", " ").capitalize()

    @property
    def about(self) -> str:
        """The name of what it works on, as it was when it was asked for; empty where nobody said."""
        return str(self.payload.get("about", ""))


class JobEvent(models.Model):
    """A line of a job's log: what an attempt did or met, as people read it. Append-only."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="events")
    attempt = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=1000)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["job", "id"], name="job_log")]
