"""How old the figures of an answer are."""

from datetime import datetime

from rest_framework import serializers

from annotation.kernel.showing import shown_now

HELP = "What was judged until then is in these figures; newer ones are being made. null: all that is there now."


class AsOfField(serializers.DateTimeField):
    def __init__(self) -> None:
        super().__init__(read_only=True, allow_null=True, help_text=HELP)

    def get_attribute(self, _instance: object) -> datetime | None:
        shown = shown_now()
        return shown.as_of if shown else None
