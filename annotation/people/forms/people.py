"""Forms about the members of a collection and those who are invited."""

from django import forms
from django.core.exceptions import ValidationError

from annotation.models import Role

MOST_INVITATIONS = 500

ROLE_NOTES = {
    Role.ADMIN: "Admin: everything in the collection, people and gold included",
    Role.RESEARCHER: "Researcher: browse, quality, runs, snapshots and evaluations",
    Role.ANNOTATOR: "Annotator: judge what they are given, and nothing else",
}


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=[(role.value, note) for role, note in ROLE_NOTES.items()], widget=forms.CheckboxSelectMultiple
    )


class InvitationsForm(forms.Form):
    role = forms.ChoiceField(
        choices=[(role.value, note) for role, note in ROLE_NOTES.items()],
        widget=forms.RadioSelect,
        initial=Role.ANNOTATOR,
    )
    count = forms.IntegerField(
        min_value=1,
        max_value=MOST_INVITATIONS,
        required=False,
        help_text=f"How many links, up to {MOST_INVITATIONS}. One, if you leave this and the notes empty.",
    )
    notes = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 4}),
        required=False,
        help_text="Whom each link is for, one a line: that makes one link a line. Only admins see the notes.",
    )
    days = forms.IntegerField(min_value=1, max_value=90, initial=14, label="Days until they expire")

    def clean_notes(self) -> list[str]:
        notes = [line.strip() for line in self.cleaned_data["notes"].splitlines() if line.strip()]
        if len(notes) > MOST_INVITATIONS:
            raise ValidationError(f"{len(notes)} lines; at most {MOST_INVITATIONS} at once.")
        too_long = next((number for number, note in enumerate(notes, 1) if len(note) > 200), None)
        if too_long:
            raise ValidationError(f"Note {too_long} has more than 200 characters.")
        return notes

    def clean(self) -> None:
        """`notes` becomes one note a link."""
        super().clean()
        count, notes = self.cleaned_data.get("count"), self.cleaned_data.get("notes")
        if notes and count and count != len(notes):
            self.add_error("count", f"You wrote {len(notes)} notes. Leave the count empty, or give the same number.")
        elif notes == []:
            self.cleaned_data["notes"] = [""] * (count or 1)
