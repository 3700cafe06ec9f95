"""How a person likes the judging page."""

from annotation.models import JudgingChoices, User


def choices_of(user: User) -> JudgingChoices:
    """The person's choices; the usual ones, not saved, where they never chose."""
    return JudgingChoices.objects.filter(user=user).first() or JudgingChoices(user=user)
