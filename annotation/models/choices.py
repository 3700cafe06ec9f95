from django.conf import settings
from django.db import models


class Deed(models.TextChoices):
    """What a key of the judging page does, besides the digits, which are the grades and nobody's to change."""

    UNDO = "undo", "Undo: open the last card again"
    RECENT = "recent", "The list of your last judgments"
    KEEP = "keep", "After undo: keep the grade as it was, go on"
    SKIP = "skip", "Skip, with a reason (a digit chooses it)"
    LATER = "later", "Later: put it to the end of the topic"
    COMMENT = "comment", "Comment"
    EVIDENCE = "evidence", "Mark the passage that decides it"
    WHOLE = "whole", "The best passage, or the whole document"
    MARKS = "marks", "Topic words marked or not"
    NEXT_MARK = "next_mark", "To the next marked word"
    PREVIOUS_MARK = "previous_mark", "Back to the marked word before"
    WORDS = "words", "Words of your own to mark"
    GUIDELINE = "guideline", "Guideline"
    MEANINGS = "meanings", "What each grade means"
    TOPIC = "topic", "Fold the topic"
    KEYS = "keys", "This list (? always opens it)"
    GRADE_0 = "grade_0", "Grade 0, besides its digit"
    GRADE_1 = "grade_1", "Grade 1, besides its digit"
    GRADE_2 = "grade_2", "Grade 2, besides its digit"
    GRADE_3 = "grade_3", "Grade 3, besides its digit"
    GRADE_4 = "grade_4", "Grade 4, besides its digit"
    GRADE_5 = "grade_5", "Grade 5, besides its digit"
    GRADE_6 = "grade_6", "Grade 6, besides its digit"
    GRADE_7 = "grade_7", "Grade 7, besides its digit"
    GRADE_8 = "grade_8", "Grade 8, besides its digit"
    GRADE_9 = "grade_9", "Grade 9, besides its digit"
    GRADE_10 = "grade_10", "Grade 10, which has no digit"


USUAL_KEYS = {
    Deed.UNDO: "u",
    Deed.RECENT: "r",
    Deed.KEEP: "k",
    Deed.SKIP: "s",
    Deed.LATER: "l",
    Deed.COMMENT: "c",
    Deed.EVIDENCE: "e",
    Deed.WHOLE: "f",
    Deed.MARKS: "h",
    Deed.NEXT_MARK: "n",
    Deed.PREVIOUS_MARK: "p",
    Deed.WORDS: "w",
    Deed.GUIDELINE: "g",
    Deed.MEANINGS: "d",
    Deed.TOPIC: "t",
    Deed.GRADE_10: "x",
}


class JudgingChoices(models.Model):
    """How a person likes the judging page: their keys (deed → letter, "" for none), excerpt or whole document first,
    marks or none. `keys` is empty for the usual ones, else it names every deed there was.
    """

    class Reading(models.TextChoices):
        EXCERPT = "excerpt", "Excerpt first"
        WHOLE = "whole", "Whole document"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="judging_choices"
    )
    keys = models.JSONField(default=dict)
    reading = models.CharField(max_length=7, choices=Reading.choices, default=Reading.EXCERPT)
    marks = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(reading__in=["excerpt", "whole"]), name="choices_reading_known")
        ]

    @property
    def bindings(self) -> dict[str, str]:
        """The letter of every deed that has one; a deed newer than the person's own keys has its usual one, if free."""
        taken = set(self.keys.values())
        usual = {deed.value: key for deed, key in USUAL_KEYS.items() if deed not in self.keys and key not in taken}
        return usual | {deed: key for deed, key in self.keys.items() if key and deed in Deed.values}


class ExtraTerms(models.Model):
    """Words that a person wants marked in the documents of a topic, besides the topic's own."""

    annotator = models.ForeignKey("annotation.Annotator", models.CASCADE, related_name="+")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    words = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "topic"], name="extra_terms_once")]
