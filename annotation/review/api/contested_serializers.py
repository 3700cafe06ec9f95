"""What is sent and answered about contested pairs."""

from dataclasses import dataclass

from rest_framework import serializers

from annotation.judging.read.card_documents import text_of
from annotation.kernel.api.tables import serializer_of
from annotation.models import Adjudication, Assignment, Item
from annotation.review.pages.contested_tables import DECISIONS
from annotation.review.read.adjudication import PairFile, PairJudgment, PairState, QueueRow


@dataclass(frozen=True)
class ReadPair:
    """`file` is None as long as the person must not see what others said."""

    item: Item
    state: PairState
    file: PairFile | None


class WaitingSerializer(serializers.Serializer[QueueRow]):
    number = serializers.CharField()
    docno = serializers.CharField()
    why = serializers.ListField(child=serializers.CharField())
    n_people = serializers.IntegerField(help_text="Whose grade of the pair counts.")
    held_by = serializers.CharField(source="holder", help_text="Who else decides on it now; empty for nobody.")
    left = serializers.BooleanField(help_text="You have left it for others.")
    sent_by = serializers.CharField(source="sender", help_text="Who has sent it here; empty for nobody.")
    sent_at = serializers.DateTimeField(source="sent.created_at", default=None, allow_null=True)
    sent_because = serializers.CharField(source="because", help_text="Why; empty where nobody has sent it.")


DecisionsSerializer = serializer_of("Decisions", DECISIONS)


class SaidSerializer(serializers.Serializer[PairJudgment]):
    annotator = serializers.CharField(source="judgment.annotator.pseudonym")
    grade = serializers.IntegerField(source="judgment.grade")
    comment = serializers.CharField(source="judgment.comment")
    quote = serializers.CharField(help_text="What of the text the person named as evidence; empty for nothing.")
    active_seconds = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField(source="judgment.created_at")

    def get_active_seconds(self, row: PairJudgment) -> float | None:
        active = row.judgment.active_ms
        return None if active is None else active / 1000


class SkipSerializer(serializers.Serializer[Assignment]):
    annotator = serializers.CharField(source="annotator.pseudonym")
    reason = serializers.CharField(source="skip_reason")
    note = serializers.CharField(source="skip_note")


class PairDecisionSerializer(serializers.Serializer[Adjudication]):
    action = serializers.CharField()
    grade = serializers.IntegerField(allow_null=True)
    blind_grade = serializers.IntegerField(allow_null=True)
    knew = serializers.CharField()
    reason = serializers.CharField()
    decided_by = serializers.CharField(source="created_by.username")
    created_at = serializers.DateTimeField()


class FileSerializer(serializers.Serializer[PairFile]):
    judgments = SaidSerializer(many=True)
    skips = SkipSerializer(many=True)
    decisions = PairDecisionSerializer(many=True, help_text="The newest first: that one holds.")


class ReadPairSerializer(serializers.Serializer[ReadPair]):
    number = serializers.CharField(source="item.topic.number")
    docno = serializers.CharField(source="item.document.docno")
    stage = serializers.ChoiceField(["blind", "decide", "decided", "held"], source="state.stage")
    held_by = serializers.SerializerMethodField(help_text="Who else decides on it now; empty for nobody.")
    own_grade = serializers.SerializerMethodField(help_text="The grade that you gave blind.")
    based_on = serializers.SerializerMethodField(help_text="To be sent with a decision: how many there are now.")
    title = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField(help_text="The document; null where it is not here.")
    said = FileSerializer(
        source="file", allow_null=True, help_text="null until you have given your own grade, or looked without one."
    )

    def get_held_by(self, pair: ReadPair) -> str:
        return pair.state.holder.reader.username if pair.state.holder else ""

    def get_own_grade(self, pair: ReadPair) -> int | None:
        return pair.state.reading.grade if pair.state.reading else None

    def get_based_on(self, pair: ReadPair) -> int:
        return len(pair.state.decisions)

    def get_title(self, pair: ReadPair) -> str:
        version = pair.item.document_version
        return version.title if version else ""

    def get_text(self, pair: ReadPair) -> str | None:
        version = pair.item.document_version
        return text_of(version) if version else None


class PairSerializer(serializers.Serializer[None]):
    number = serializers.CharField(max_length=200)
    docno = serializers.CharField(max_length=500)


class BlindSerializer(PairSerializer):
    grade = serializers.IntegerField()


class WithdrawalSerializer(PairSerializer):
    reason = serializers.CharField(max_length=2000, help_text="Stays in the record.")
    based_on = serializers.IntegerField(min_value=0, help_text="As the pair says it.")


class DecisionSerializer(WithdrawalSerializer):
    grade = serializers.IntegerField()
