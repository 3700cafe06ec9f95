"""Lists that whoever calls has kept under a name."""

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.home.forms import SavedViewForm, ViewNameForm
from annotation.home.read.saved_views import view_for
from annotation.home.steps.saved_views import VIEW_NAME_TAKEN, delete_view, keep_view, rename_view
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import refused
from annotation.kernel.list_views import address_of, views_of
from annotation.kernel.taken import TakenError
from annotation.models import SavedView

SavedViewEntries = serializer_of_form("SavedViewEntries", SavedViewForm)
ViewNameEntries = serializer_of_form("ViewNameEntries", ViewNameForm)


class SavedViewSerializer(serializers.ModelSerializer[SavedView]):
    id = serializers.IntegerField(source="pk")
    address = serializers.SerializerMethodField(help_text="Of the list as it was kept: whoever may see it may open it.")

    class Meta:
        model = SavedView
        fields = ("id", "page", "name", "query", "address", "created_at")

    @extend_schema_field(str)
    def get_address(self, view: SavedView) -> str:
        return address_of(view)


class SavedViews(Address):
    serializer_class = SavedViewSerializer

    @extend_schema(responses=SavedViewSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Lists of the collection that you have kept. For admins and researchers."""
        return self.page_of(views_of(self.person, collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=SavedViewEntries, responses={201: SavedViewSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Keep a list under a name, as its address asks for it. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        form = checked_form(SavedViewForm, sent_entries(SavedViewEntries, request.data))
        return self.one(keep_view(collection, self.person, **form.cleaned_data), status.HTTP_201_CREATED)


class OneSavedView(Address):
    serializer_class = SavedViewSerializer

    @extend_schema(request=ViewNameEntries)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Rename one of your own."""
        view = view_for(self.person, slug, pk)
        form = checked_form(ViewNameForm, sent_entries(ViewNameEntries, request.data))
        try:
            rename_view(view, form.cleaned_data["name"])
        except TakenError as error:
            raise refused({"name": [VIEW_NAME_TAKEN]}) from error
        return self.one(view)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete one of your own."""
        delete_view(view_for(self.person, slug, pk))
        return Response(status=status.HTTP_204_NO_CONTENT)
