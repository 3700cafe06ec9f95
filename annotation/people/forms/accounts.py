"""Forms of one's own account."""

from django import forms
from django.contrib.auth.forms import UserCreationForm

from annotation.models import User


class JoinForm(UserCreationForm):  # type: ignore[type-arg]
    """A new account, on an invitation. Names that differ only in case are one name."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)
        help_texts = {"username": "Letters, digits and @ . + - _ only. Admins of the collection see it."}


class ApiTokenForm(forms.Form):
    name = forms.CharField(max_length=100, help_text="What will use it, so that you know it again.")
