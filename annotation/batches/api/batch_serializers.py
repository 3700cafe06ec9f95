"""What is said of a batch: its settings, how far it is by topic and by person."""

from dataclasses import dataclass

from rest_framework import serializers
from rest_framework.reverse import reverse

from annotation.batches.read.batches import (
    BatchRow,
    PersonProgress,
    TopicProgress,
)
from annotation.models import Batch


class SettingsSerializer(serializers.Serializer[BatchRow]):
    """What an admin has decided about a batch. Shares are parts of all cards of a person."""

    steered_by = serializers.CharField(
        source="batch.steered_by",
        allow_null=True,
        default=None,
        help_text="The policy that asks for more judgments, or null.",
    )
    most_judgments = serializers.IntegerField(
        source="batch.most_judgments",
        allow_null=True,
        help_text="Judgments a pair, at most, where a policy asks for more; or null.",
    )
    target_probability = serializers.FloatField(
        source="batch.target_probability",
        allow_null=True,
        help_text="Of a pair’s grade, from which no more is asked for; or null.",
    )
    gold_share = serializers.FloatField(source="batch.gold_share")
    check_share = serializers.FloatField(source="batch.check_share", help_text="Attention checks.")
    repeat_share = serializers.FloatField(source="batch.repeat_share")
    opening_cards = serializers.IntegerField(
        source="batch.opening_cards",
        help_text="Pairs from different heights of the pool that open each topic; 0: none.",
    )
    minimum_seconds = serializers.IntegerField(source="batch.minimum_seconds")
    nudge_minutes = serializers.IntegerField(
        source="batch.nudge_minutes", help_text="When the page suggests a rest; 0: never."
    )
    session_minutes = serializers.IntegerField(source="batch.session_minutes", help_text="When a break is enforced.")
    break_minutes = serializers.IntegerField(source="batch.break_minutes")
    feedback = serializers.ChoiceField(
        Batch.Feedback.choices, source="batch.feedback", help_text="When people are shown their results on gold."
    )
    feedback_hours = serializers.IntegerField(
        source="batch.feedback_hours", help_text="Hours after a judgment, for `delayed`."
    )
    information = serializers.IntegerField(
        source="batch.information.number",
        allow_null=True,
        default=None,
        help_text="The version of the text to agree to, or null.",
    )
    qualification = serializers.CharField(
        source="batch.qualification.name",
        allow_null=True,
        default=None,
        help_text="The round to pass before the first card, or null.",
    )
    block_size = serializers.IntegerField(source="batch.block_size")
    seed = serializers.IntegerField(source="batch.seed", help_text="The layout follows from it.")


class BatchSerializer(serializers.Serializer[BatchRow]):
    token = serializers.CharField(source="batch.token")
    name = serializers.CharField(source="batch.name")
    state = serializers.ChoiceField(Batch.State.choices, source="batch.state")
    criterion = serializers.CharField(source="batch.criterion")
    pool = serializers.CharField(
        source="batch.pool.name", allow_null=True, default=None, help_text="Null for judgments made elsewhere."
    )
    brought_from = serializers.CharField(
        source="batch.brought_by.filename",
        allow_null=True,
        default=None,
        help_text="The file of judgments made elsewhere, or null.",
    )
    judgments_per_item = serializers.SerializerMethodField(help_text="Null for judgments made elsewhere.")
    n_items = serializers.IntegerField(help_text="0 until the batch is laid out.")
    n_expected = serializers.IntegerField(source="batch.n_expected", help_text="Judgments wanted.")
    n_judged = serializers.IntegerField(help_text="Judgments that hold a slot or were made elsewhere.")
    n_people = serializers.IntegerField(help_text="Annotators taking part now.")
    settings = SettingsSerializer(
        source="*", help_text="As they were set; they mean nothing for judgments made elsewhere."
    )
    created_at = serializers.DateTimeField(source="batch.created_at")
    laid_out_at = serializers.DateTimeField(source="batch.laid_out_at", allow_null=True)
    url = serializers.SerializerMethodField()

    def get_judgments_per_item(self, row: BatchRow) -> int | None:
        return row.batch.judgments_per_item if row.batch.pool_id else None

    def get_url(self, row: BatchRow) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_batch", args=[slug, row.batch.token], request=self.context["request"])


class TopicProgressSerializer(serializers.Serializer[TopicProgress]):
    number = serializers.CharField()
    n_items = serializers.IntegerField()
    n_wanted = serializers.IntegerField(help_text="Slots that anyone may hold.")
    n_judged = serializers.IntegerField()
    n_withheld = serializers.IntegerField(help_text="Items that people could not judge.")


class PersonProgressSerializer(serializers.Serializer[PersonProgress]):
    annotator = serializers.CharField(source="annotator.pseudonym")
    is_active = serializers.BooleanField()
    n_judged = serializers.IntegerField()
    n_skipped = serializers.IntegerField()
    active_hours = serializers.FloatField()
    wall_hours = serializers.FloatField()
    last_seen = serializers.DateTimeField(allow_null=True)


@dataclass(frozen=True)
class Progress(BatchRow):
    """A batch with its topics and its people, by their pseudonyms."""

    chosen_topics: list[str]
    topics: list[TopicProgress]
    people: list[PersonProgress]


class ProgressSerializer(BatchSerializer):
    chosen_topics = serializers.ListField(
        child=serializers.CharField(), help_text="The numbers of the topics that were chosen, laid out or not."
    )
    topics = TopicProgressSerializer(many=True)
    people = PersonProgressSerializer(many=True, help_text="By pseudonym.")
