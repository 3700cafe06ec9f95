from django.conf import settings
from django.db import models

from annotation.models.tokens import new_token


class Batch(models.Model):
    """A portion of judging work: pairs laid out as items, judged by its participants under fixed settings.

    A batch that an import has brought holds judgments made elsewhere: it has no pool, and is out of sight until the
    import is published; then it is closed. `opening_cards`: how many ordinary pairs from all heights of the pool each
    topic opens with. `feedback`: when people are told how they did on gold; `feedback_hours` for the delayed kind.
    `cost_per_judgment`, in the collection's currency: None where the collection's holds. `due`: the day by which it is
    wanted. Where a policy steers
    (`steered_by`), pairs get up to `most_judgments` as long as their grade is not `target_probability` sure; `steering`
    is what the last look at them found. `coin_shares`: by strand of the stock (`StockItem`), how often a person's coin
    for a card falls so; None before the layout, and for a batch whose slots were reserved when it was laid out.
    `n_items`: a layout is not widened once it stands; None where none stands, or nobody has counted.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        LAID_OUT = "laid_out", "Laid out"
        OPEN = "open", "Open"
        PAUSED = "paused", "Paused"
        CLOSED = "closed", "Closed"
        IMPORTING = "importing", "Being imported"

    RUNNING = (State.OPEN, State.PAUSED)  # people judge, or will again
    TO_JUDGE = (State.LAID_OUT, *RUNNING)  # judgments may come yet

    class Feedback(models.TextChoices):
        NEVER = "never", "Never"
        CLOSED = "closed", "When the batch is closed"
        DELAYED = "delayed", "A while after each judgment"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="batches")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    name = models.CharField(max_length=100)
    criterion = models.CharField(max_length=50, default="relevance")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    pool = models.ForeignKey("annotation.Pool", models.PROTECT, null=True, related_name="batches")
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, null=True, related_name="batches")
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, related_name="+")
    topics = models.ManyToManyField("annotation.Topic", related_name="+")
    judgments_per_item = models.PositiveSmallIntegerField(default=3)
    gold_share = models.FloatField(default=0.12)
    check_share = models.FloatField(default=0.0)
    repeat_share = models.FloatField(default=0.0)
    minimum_seconds = models.PositiveSmallIntegerField(default=10)
    session_minutes = models.PositiveSmallIntegerField(default=50)
    break_minutes = models.PositiveSmallIntegerField(default=10)
    nudge_minutes = models.PositiveSmallIntegerField(default=25)
    opening_cards = models.PositiveSmallIntegerField(default=3)
    feedback = models.CharField(max_length=7, choices=Feedback.choices, default=Feedback.NEVER)
    feedback_hours = models.PositiveSmallIntegerField(default=24)
    information = models.ForeignKey("annotation.InformationVersion", models.PROTECT, null=True, related_name="batches")
    qualification = models.ForeignKey("annotation.Qualification", models.PROTECT, null=True, related_name="batches")
    block_size = models.PositiveSmallIntegerField(default=25)
    cost_per_judgment = models.DecimalField(max_digits=10, decimal_places=4, null=True)
    due = models.DateField(null=True)
    steered_by = models.ForeignKey("annotation.Policy", models.PROTECT, null=True, related_name="+")
    most_judgments = models.PositiveSmallIntegerField(null=True)
    target_probability = models.FloatField(null=True)
    steering = models.JSONField(default=dict)
    coin_shares = models.JSONField(null=True)
    seed = models.BigIntegerField()
    n_expected = models.PositiveIntegerField(default=0)
    n_items = models.PositiveIntegerField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    laid_out_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "name"], name="batch_name_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "laid_out", "open", "paused", "closed", "importing"]),
                name="batch_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(pool__isnull=False) | models.Q(brought_by__isnull=False),
                name="batch_pool_unless_brought",
            ),
            models.CheckConstraint(
                condition=models.Q(judgments_per_item__gte=1, judgments_per_item__lte=15),
                name="batch_1_to_15_judgments",
            ),
            models.CheckConstraint(
                condition=models.Q(feedback__in=["never", "closed", "delayed"]), name="batch_feedback_known"
            ),
            models.CheckConstraint(
                condition=models.Q(gold_share__gte=0, gold_share__lte=0.5), name="batch_gold_share_to_half"
            ),
            models.CheckConstraint(
                condition=models.Q(cost_per_judgment__isnull=True) | models.Q(cost_per_judgment__gte=0),
                name="batch_cost_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    steered_by__isnull=True, most_judgments__isnull=True, target_probability__isnull=True
                )
                | models.Q(
                    steered_by__isnull=False,
                    most_judgments__gt=models.F("judgments_per_item"),
                    most_judgments__lte=15,
                    target_probability__gte=0.5,
                    target_probability__lt=1,
                ),
                name="batch_steered_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Participation(models.Model):
    """One annotator's place in one batch: where they are in it and how much they have done.

    `salt` turns the items' shuffle into an order of this person's own. `block` and `done_in_block` say where the
    person stands, `thrown` after how many cards there their visit is over, `pairs_end` after how many its last pair
    has come (None where no coins were thrown); `reopened` is the card that undo brought back and that is shown before
    the leased one. `cleared_for` names the texts and the round that the person has behind
    them (consent, qualification, guideline); where that is not what the batch now asks for, no new card is handed out.
    """

    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="participations")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="participations")
    salt = models.PositiveIntegerField()
    block = models.PositiveIntegerField(null=True)
    done_in_block = models.PositiveIntegerField(default=0)
    thrown = models.PositiveIntegerField(default=0)
    pairs_end = models.PositiveIntegerField(null=True)
    n_judged = models.PositiveIntegerField(default=0)
    reopened = models.ForeignKey("annotation.Card", models.SET_NULL, null=True, related_name="+")
    is_active = models.BooleanField(default=True)
    cleared_for = models.CharField(max_length=70, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "annotator"], name="participation_once"),
            models.CheckConstraint(
                condition=models.Q(salt__gte=1, salt__lt=2147483647), name="participation_salt_range"
            ),
        ]
