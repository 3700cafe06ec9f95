"""Deleting a collection."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.exchange.forms.deletion import DeletionForm
from annotation.exchange.steps.deletion import CollectionUsedError, start_deletion
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address
from annotation.kernel.api.refusals import NOTHING, conflicts

DeletionEntries = serializer_of_form("DeletionEntries", DeletionForm)


class DeletedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that clears the collection away.")


class CollectionDelete(Address):
    serializer_class = DeletedSerializer

    @extend_schema(request=DeletionEntries, responses={202: DeletedSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Delete a collection in which nobody has worked; `name` is its name, to confirm. For admins.

        From this answer on nobody sees it. 409 where people have worked, a batch is open or a job is at work.
        """
        collection = collection_for(self.person, slug, ADMIN)
        checked_form(DeletionForm, sent_entries(DeletionEntries, request.data), collection=collection)
        with conflicts(CollectionUsedError):
            job = start_deletion(collection, actor=self.person)
        return self.queued({"job_url": job_address(request, job)})
