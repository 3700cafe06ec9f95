"""Who is to get messages."""

from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from annotation.models import Recipient
from annotation.outgoing.read import kinds_on
from annotation.outgoing.steps.allowed_addresses import OutgoingError, check_recipient


class RecipientForm(forms.Form):
    """Of the kinds that the settings allow."""

    kind = forms.ChoiceField(choices=Recipient.Kind.choices)
    address = forms.CharField(max_length=500, help_text="Of a webhook (https://…), or a mail address.")
    everything = forms.BooleanField(
        required=False,
        label="Also what stands in the inboxes of those who lead",
        help_text="Batches done, alerts of batches (those that are open now come at once), objections, imports, "
        "snapshots, invitations. Else alerts of series alone.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        on = kinds_on()
        set_choices(self, "kind", [choice for choice in Recipient.Kind.choices if choice[0] in on])

    def clean(self) -> None:
        super().clean()
        kind, address = self.cleaned_data.get("kind"), self.cleaned_data.get("address")
        if kind and address:
            try:
                check_recipient(kind, address)
            except OutgoingError as reason:
                self.add_error("address", str(reason))
