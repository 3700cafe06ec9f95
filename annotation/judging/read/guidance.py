"""What a person has behind them before they judge: texts they agreed to, rounds they passed, guidelines they read."""

from annotation.models import Assignment, Consent, GuidelineReading, GuidelineVersion, QualificationAttempt


def has_agreed(annotator: int, information: int) -> bool:
    """Whether the person has agreed to this version of the information text."""
    return Consent.objects.filter(annotator=annotator, information=information).exists()


def agreed_before(annotator: int, information: int) -> Consent | None:
    """The person's last consent to another version of this text, or to another text of the collection."""
    others = Consent.objects.filter(annotator=annotator).exclude(information=information)
    return others.select_related("information").order_by("-pk").first()


def has_passed(annotator: int, qualification: int) -> bool:
    """Whether the person has passed the round, in whichever batch it was asked for."""
    return QualificationAttempt.objects.filter(annotator=annotator, qualification=qualification, passed=True).exists()


def last_acknowledged(annotator: int) -> int | None:
    """The version of the guideline that the person acknowledged last; None where they have acknowledged none."""
    readings = GuidelineReading.objects.filter(annotator=annotator).order_by("-pk")
    return readings.values_list("guideline_id", flat=True).first()


def last_known_guideline(annotator: int) -> int | None:
    """The version acknowledged last or, of work older than acknowledging, the one it was last done under."""
    acknowledged = last_acknowledged(annotator)
    if acknowledged is not None:
        return acknowledged
    assignments = Assignment.objects.filter(annotator=annotator, guideline__isnull=False)
    return assignments.order_by("-claimed_at", "-pk").values_list("guideline_id", flat=True).first()


def guideline_known_to(annotator: int) -> GuidelineVersion | None:
    """`last_known_guideline` with its texts."""
    version = last_known_guideline(annotator)
    return None if version is None else GuidelineVersion.objects.get(pk=version)
