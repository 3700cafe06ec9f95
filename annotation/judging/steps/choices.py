"""People arrange the judging page for themselves."""

from collections.abc import Mapping, Sequence

from annotation.models import Annotator, ExtraTerms, JudgingChoices, Topic, User


def choices_of(user: User) -> JudgingChoices:
    """The person's choices; the usual ones, not saved, where they never chose."""
    return JudgingChoices.objects.filter(user=user).first() or JudgingChoices(user=user)


def choose_keys(user: User, *, keys: Mapping[str, str]) -> None:
    """Keep the person's own keys, deed by deed; none means the usual ones."""
    JudgingChoices.objects.update_or_create(user=user, defaults={"keys": dict(keys)})


def choose_reading(user: User, *, reading: str = "", marks: bool | None = None) -> None:
    """Excerpt first or the whole document, marks or none; what is empty stays as it was."""
    choices = {"reading": reading or None, "marks": marks}
    chosen = {name: value for name, value in choices.items() if value is not None}
    JudgingChoices.objects.update_or_create(user=user, defaults=chosen)


def choose_words(annotator: Annotator, topic: Topic, *, words: Sequence[str]) -> None:
    """Replace the words that are marked for the person in all documents of the topic."""
    if words:
        ExtraTerms.objects.update_or_create(annotator=annotator, topic=topic, defaults={"words": list(words)})
    else:
        ExtraTerms.objects.filter(annotator=annotator, topic=topic).delete()
