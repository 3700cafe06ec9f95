"""One's own API tokens: listed, made, revoked."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api_tokens import api_tokens_of, last_moment, make_api_token, revoke_api_token, token_with
from annotation.models import ApiToken
from annotation.people.forms import MOST_TOKEN_DAYS


class TokenSerializer(serializers.Serializer[ApiToken]):
    prefix = serializers.CharField(help_text="What the token begins with.")
    name = serializers.CharField()
    scope = serializers.ChoiceField(ApiToken.Scope.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True, help_text="null where it never does.")
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute; null before the first time.")
    revoked_at = serializers.DateTimeField(allow_null=True)


class MadeTokenSerializer(TokenSerializer):
    token = serializers.SerializerMethodField(help_text="Told now and never again.")

    def get_token(self, token: ApiToken) -> str:
        return str(self.context["secret"])


class NewTokenSerializer(serializers.Serializer[None]):
    name = serializers.CharField(max_length=100, help_text="What will use it, so that you know it again.")
    scope = serializers.ChoiceField(ApiToken.Scope.choices, default=ApiToken.Scope.READ)
    days = serializers.IntegerField(
        min_value=1, max_value=MOST_TOKEN_DAYS, required=False, help_text="Until it expires; never, if left out."
    )

    def validate(self, answers: dict[str, Any]) -> dict[str, Any]:
        """As `make_api_token` takes them. A token makes none that outlives it."""
        expires_at, end = last_moment(answers.pop("days", None)), self.context["end"]
        if end is not None and (expires_at is None or expires_at > end):
            raise serializers.ValidationError({"days": [f"Yours expires on {end:%Y-%m-%d}: it makes none for longer."]})
        return {**answers, "expires_at": expires_at}


class Tokens(Address):
    serializer_class = TokenSerializer
    tells_secret = True

    @extend_schema(responses=TokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Your API tokens: those that are not revoked first, then the newest."""
        return self.page_of(api_tokens_of(self.person))

    @extend_schema(request=NewTokenSerializer, responses={201: MadeTokenSerializer})
    def post(self, request: Request) -> Response:
        """Make a token of yours. It is told once: keep it."""
        end = request.auth.expires_at if isinstance(request.auth, ApiToken) else None
        answers = validated_data(NewTokenSerializer(data=request.data, context={"end": end}))
        secret = make_api_token(self.person, **answers)
        context = {**self.get_serializer_context(), "secret": secret}
        token = token_with(secret)
        return Response(MadeTokenSerializer(token, context=context).data, status.HTTP_201_CREATED)


class TokenRevoke(Address):
    serializer_class = TokenSerializer

    @extend_schema(request=None, responses=TokenSerializer)
    def post(self, request: Request, prefix: str) -> Response:
        """Revoke a token of yours: the next request that carries it is refused."""
        if not revoke_api_token(self.person, prefix=prefix):
            raise Http404("You have no such token, or it is revoked.")
        revoked = api_tokens_of(self.person).filter(prefix=prefix)
        return self.one(revoked.order_by("-revoked_at").first())
