"""The inbox of whoever calls."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.home.read.inbox import inbox_of, notice_for
from annotation.home.steps.inbox import mark_all_read, mark_read
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.notices import KINDS, address_of
from annotation.models import Notice


class NoticeSerializer(serializers.Serializer[Notice]):
    token = serializers.CharField()
    kind = serializers.ChoiceField(choices=sorted(KINDS))
    collection = serializers.SlugField(source="collection.slug", allow_null=True, default=None)
    text = serializers.CharField()
    page = serializers.SerializerMethodField(help_text="The address of the page of what it tells of.")
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(str)
    def get_page(self, notice: Notice) -> str:
        return address_of(notice)


class InboxQuery(serializers.Serializer[Any]):
    unread = serializers.BooleanField(default=False, help_text="Only what was not read.")


class ReadNumber(serializers.Serializer[Any]):
    read = serializers.IntegerField(help_text="How many were unread before.")


class Inbox(Address):
    serializer_class = NoticeSerializer

    @extend_schema(parameters=[InboxQuery], responses=NoticeSerializer(many=True))
    def get(self, request: Request) -> Response:
        """What happened that concerns you, in all of your collections, the newest first."""
        query = validated_data(InboxQuery(data=request.query_params))
        return self.page_of(inbox_of(self.person, unread=query["unread"]))


class InboxRead(Address):
    serializer_class = NoticeSerializer

    @extend_schema(request=None, responses=NoticeSerializer)
    def post(self, request: Request, token: str) -> Response:
        """Mark an entry as read."""
        mark_read(notice_for(self.person, token))
        return self.one(notice_for(self.person, token))


class InboxReadAll(Address):
    serializer_class = ReadNumber

    @extend_schema(request=None, responses=ReadNumber)
    def post(self, request: Request, token: str) -> Response:
        """Mark an entry and all before it as read: what has come in since stays unread."""
        return self.one({"read": mark_all_read(self.person, until=notice_for(self.person, token))})
