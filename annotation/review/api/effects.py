"""Whom a change of gold would touch, as programs are told before they confirm it."""

from collections.abc import Iterable

from rest_framework import serializers

from annotation.kernel.api.refusals import refused
from annotation.trust.read.gold_effect import Effect


class EffectSerializer(serializers.Serializer[Effect]):
    """Whom the change would touch. Nothing was done."""

    seen = serializers.IntegerField(source="last_event", help_text="Send it back to confirm the change.")
    n_rescored = serializers.IntegerField(help_text="Judgments that would be scored anew.")
    n_people = serializers.SerializerMethodField(help_text="Whose judgments these are.")
    n_told = serializers.IntegerField(help_text="People who would be told of another grade.")
    n_ahead = serializers.IntegerField(help_text="Cards of the pair, planted as gold, that people have before them.")
    changed = serializers.SerializerMethodField(help_text="People who would be reliable, or would be no more.")
    freed = serializers.SerializerMethodField(help_text="People held by a rule that would have no reason any more.")

    def get_n_people(self, effect: Effect) -> int:
        return len(effect.people)

    def get_changed(self, effect: Effect) -> list[str]:
        return [person.pseudonym for person in effect.changed]

    def get_freed(self, effect: Effect) -> list[str]:
        return [person.pseudonym for person in effect.freed]


def require_freed(effect: Effect, pseudonyms: Iterable[str]) -> None:
    """400 for who is to be brought back and is not freed by the change."""
    if not set(pseudonyms) <= {person.pseudonym for person in effect.freed}:
        raise refused({"bring_back": ["They are not all freed by this change."]})
