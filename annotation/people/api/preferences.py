"""How pages look to the person who asks."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.people.forms import PreferencesForm
from annotation.people.steps.preferences import save_preferences

PreferencesSerializer = serializer_of_form(
    "Preferences",
    PreferencesForm,
    time_zone=serializers.CharField(max_length=64, help_text="An IANA name, as Europe/Vienna. Of pages alone."),
)


class Preferences(Address):
    serializer_class = PreferencesSerializer

    @extend_schema(responses=PreferencesSerializer)
    def get(self, request: Request) -> Response:
        """How pages look to you."""
        return self.one(self.person)

    @extend_schema(request=PreferencesSerializer, responses=PreferencesSerializer)
    def put(self, request: Request) -> Response:
        """Choose how pages look to you. The API answers in UTC all the same."""
        form = checked_form(PreferencesForm, sent_entries(PreferencesSerializer, request.data))
        save_preferences(self.person, **form.cleaned_data)
        return self.one(self.person)
