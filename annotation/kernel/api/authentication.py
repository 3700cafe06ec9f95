"""Authentication by a bearer token. Requests of a browser's session are authenticated by DRF itself."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.kernel.api_tokens import person_with_token
from annotation.models import User

REFUSED = "The token is unknown or revoked, or its account is closed."


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer <token>`. One answer to every token that does not work, whatever the reason."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        scheme, _, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        person = person_with_token(secret.strip())
        if person is None:
            raise AuthenticationFailed(REFUSED)
        return person, None

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Touchstone"'


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes it."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
