"""Forms of accounts, preferences, the members of a collection, invitations and the information text."""

from functools import cache
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm, UsernameField
from django.core.exceptions import ValidationError

from annotation.kernel.forms import PlainText
from annotation.models import ApiToken, Role, TableRows, TextSize, Theme, User

LONGEST_TEXT = 20_000  # characters
MOST_INVITATIONS = 500
ROLE_NOTES = {
    Role.ADMIN: "Admin: everything in the collection, people and gold included",
    Role.RESEARCHER: "Researcher: browse, quality, runs, snapshots and evaluations",
    Role.ANNOTATOR: "Annotator: judge what they are given, and nothing else",
}

MOST_TOKEN_DAYS = 3650
LONGEST_NAME = 150  # characters, as Django's users have it


class SignInForm(AuthenticationForm):
    """Django's own checks no length, and each wrong name is stored to count the attempts under it."""

    username = UsernameField(max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autofocus": True}))


class JoinForm(UserCreationForm):  # type: ignore[type-arg]
    """A new account, on an invitation. Names that differ only in case are one name."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)
        help_texts = {"username": "Letters, digits and @ . + - _ only. Admins of the collection see it."}


class ApiTokenForm(forms.Form):
    name = forms.CharField(max_length=100, help_text="What will use it, so that you know it again.")
    scope = forms.ChoiceField(
        choices=ApiToken.Scope.choices, widget=forms.RadioSelect, initial=ApiToken.Scope.READ, label="It may"
    )
    days = forms.IntegerField(
        min_value=1,
        max_value=MOST_TOKEN_DAYS,
        required=False,
        label="Days until it expires",
        help_text="Leave it empty for a token that lasts until you revoke it.",
    )


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


class InformationForm(forms.Form):
    text = PlainText(
        widget=forms.Textarea(attrs={"rows": 24}),
        max_length=LONGEST_TEXT,
        help_text="What people should know before they take part. Markdown: **bold**, lists with “- ”, headings “## ”.",
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


@cache
def time_zones() -> tuple[str, ...]:
    """The names that this machine knows, without those of its own clock and of zones as they were once written."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


class PreferencesForm(forms.Form):
    """How pages look to the reader. The entries are fields of `User`."""

    theme = forms.ChoiceField(choices=Theme.choices, widget=forms.RadioSelect, label="Colours")
    text_size = forms.ChoiceField(choices=TextSize.choices, widget=forms.RadioSelect)
    table_rows = forms.ChoiceField(choices=TableRows.choices, widget=forms.RadioSelect, label="Rows of tables")
    time_zone = forms.ChoiceField(
        choices=lambda: [(name, name.replace("_", " ")) for name in time_zones()],
        help_text="Times on pages are shown in it. Files, plots and the API keep UTC.",
    )
