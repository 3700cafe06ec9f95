"""What a program that judges is answered: the desk with its cards, what became of a deed, the batches there are."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.reverse import reverse

from annotation.judging.pages.desk import DeedResult
from annotation.judging.read.card_documents import CardDocument
from annotation.judging.read.cards import CardContent
from annotation.judging.steps.desk import Progress, Stretch
from annotation.models import Assignment, Batch, Participation

STATES = (
    *("card", "start", "break", "information", "qualification", "guideline"),
    *("waiting", "paused", "held", "closed", "done"),
)
OUTCOMES = ("saved", "replayed", "refused", "moved")


class NamedGradeSerializer(serializers.Serializer[Any]):
    grade = serializers.IntegerField()
    name = serializers.CharField()


class ScaleStepSerializer(NamedGradeSerializer):
    """A grade of the scale, as people read it."""

    definition = serializers.CharField()
    example = serializers.CharField()


class EvidenceField(serializers.ListField):
    """`[start, end]`, or null."""

    child = serializers.IntegerField()


class CardDocumentSerializer(serializers.Serializer[CardDocument]):
    """Offsets are counted in characters of the document's text."""

    title = serializers.CharField()
    text = serializers.CharField(help_text="From `first` to `last`, without markup.")
    html = serializers.CharField(help_text="The same, made safe, with the words to look for marked.")
    direction = serializers.CharField(help_text="`ltr` or `rtl`.")
    is_html = serializers.BooleanField()
    is_blank = serializers.BooleanField()
    is_long = serializers.BooleanField(help_text="Whether the best passage alone is here; ask for the whole document.")
    length = serializers.IntegerField(help_text="Characters of the whole text.")
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    start = serializers.IntegerField(help_text="Where the passage to read first begins.")
    end = serializers.IntegerField()
    words = serializers.ListField(child=serializers.CharField(), help_text="Your own, marked for this topic.")
    evidence = EvidenceField(allow_null=True, help_text="What you named before.")


class CardTopicSerializer(serializers.Serializer[CardContent]):
    number = serializers.CharField(source="topic_number")
    title = serializers.CharField(source="topic_title")
    description = serializers.CharField(source="topic_description")
    narrative = serializers.CharField(source="topic_narrative")


class CardSerializer(serializers.Serializer[CardContent]):
    token = serializers.CharField(help_text="Goes with every deed on this card.")
    topic = CardTopicSerializer(source="*")
    document = CardDocumentSerializer()
    is_revision = serializers.BooleanField(help_text="Judged before, and open again.")
    grade = serializers.IntegerField(allow_null=True, help_text="Of a revision: the grade that stands.")
    comment = serializers.CharField()
    floor_ms = serializers.IntegerField(help_text="What is left of the minimum time before a grade is given.")
    waited_ms = serializers.IntegerField(help_text="How long the card has been in front of you.")
    guideline = serializers.CharField(help_text="Names the guideline of this card; another name, another guideline.")
    more = serializers.IntegerField(
        allow_null=True,
        help_text="So many cards of the topic may come after it before another topic does, at the most, in steps of "
        "five; null where that is not known.",
    )


class DeskProgressSerializer(serializers.Serializer[Progress]):
    mine = serializers.IntegerField()
    mine_session = serializers.IntegerField()
    batch_done = serializers.IntegerField()
    batch_total = serializers.IntegerField()
    undo_available = serializers.BooleanField()


class DeskSessionSerializer(serializers.Serializer[Stretch]):
    minutes = serializers.IntegerField()
    nudge = serializers.BooleanField(help_text="Whether a short rest would do good by now.")
    nudge_minutes = serializers.IntegerField()
    limit_minutes = serializers.IntegerField(help_text="When a break is enforced; 0: never.")
    resumes_at = serializers.DateTimeField(allow_null=True, help_text="When the break ends, during one.")


class DeedResultSerializer(serializers.Serializer[DeedResult]):
    """What became of the deed."""

    outcome = serializers.ChoiceField(OUTCOMES)
    about = serializers.CharField(help_text="The token of its card, or empty.")
    text = serializers.CharField(help_text="As a person reads it.")
    saved = NamedGradeSerializer(allow_null=True, help_text="The grade that stands.")


class PauseNoteSerializer(serializers.Serializer[Any]):
    pause_message = serializers.CharField(help_text="What was written about this pause.")
    pause_note = serializers.CharField(help_text="What everybody reads who is paused here.")


@dataclass(frozen=True)
class ShownDesk:
    """A desk with its texts, after a deed or without one."""

    result: DeedResult | None
    state: str
    cards: list[CardContent]
    progress: Progress
    session: Stretch
    pause: dict[str, str] | None
    batch: Participation


class DeskSerializer(serializers.Serializer[ShownDesk]):
    """What lies in front of you. Without a card, `state` says why."""

    result = DeedResultSerializer(allow_null=True, help_text="null where nothing was done.")
    state = serializers.ChoiceField(STATES)
    cards = CardSerializer(many=True, help_text="The one in front of you, then those that were asked for ahead.")
    progress = DeskProgressSerializer()
    session = DeskSessionSerializer()
    pause = PauseNoteSerializer(allow_null=True, help_text="Of `held`: you get no cards for now.")


class ConflictSerializer(serializers.Serializer[Any]):
    """Nothing was changed: the card has another grade from you already. Problem details, with what decides it."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    token = serializers.CharField(required=False, help_text="Send the grade that is to stand with this token.")
    given = NamedGradeSerializer(required=False, help_text="The grade that stands.")
    asked = NamedGradeSerializer(required=False, help_text="The grade that came now.")
    card = CardSerializer(required=False)


class BatchFactsSerializer(serializers.Serializer[Participation]):
    """A batch in which you judge, and what holds for all its cards."""

    token = serializers.CharField(source="batch.token")
    name = serializers.CharField(source="batch.name")
    collection = serializers.CharField(source="batch.collection.slug")
    collection_name = serializers.CharField(source="batch.collection.name")
    language = serializers.CharField(source="batch.collection.language")
    state = serializers.ChoiceField(Batch.State.choices, source="batch.state")
    n_judged = serializers.IntegerField(help_text="By you.")
    minimum_seconds = serializers.IntegerField(source="batch.minimum_seconds")
    scale = ScaleStepSerializer(source="batch.scale.grades", many=True)
    skip_reasons = serializers.SerializerMethodField(help_text="By the name to send: how people read them.")
    url = serializers.SerializerMethodField()

    def get_skip_reasons(self, participation: Participation) -> dict[str, str]:
        return {str(name): str(words) for name, words in Assignment.SkipReason.choices}

    def get_url(self, participation: Participation) -> str:
        return reverse("api_judge", args=[participation.batch.token], request=self.context["request"])


class OwnBatchSerializer(BatchFactsSerializer):
    has_cards = serializers.BooleanField(help_text="Whether anything is left for you there, be it with others now.")


class WholeDeskSerializer(DeskSerializer):
    batch = BatchFactsSerializer()
