"""Authentication by a bearer token. Requests of a browser's session are authenticated by DRF itself."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from annotation.kernel.api_tokens import note_use, token_with
from annotation.models import ApiToken, User

REFUSED = "The token is unknown or revoked, or its account is closed."


class ExpiredTokenError(AuthenticationFailed):
    problem = "expired-token"


class BeyondTokenError(PermissionDenied):
    problem = "token-scope"


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer <token>`. One answer to every token that does not work, unless it has expired.

    What a token is for is asked here, before any view is: a view says `token_scope = "judge"` of itself if tokens of
    that scope may change something there; else only those of the scope admin may.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = token_with(secret.strip())
        if token is None:
            raise AuthenticationFailed(REFUSED)
        if token.has_expired:
            raise ExpiredTokenError(f"This token expired on {token.expires_at:%Y-%m-%d %H:%M} UTC. Make a new one.")
        _require_scope(token, request)
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Touchstone"'


def _require_scope(token: ApiToken, request: Request) -> None:
    view = (request.parser_context or {}).get("view")
    wanted = (
        ApiToken.Scope.READ if request.method in SAFE_METHODS else getattr(view, "token_scope", ApiToken.Scope.ADMIN)
    )
    scopes = list(ApiToken.Scope)  # each may do what those before it may
    if scopes.index(ApiToken.Scope(token.scope)) < scopes.index(wanted):
        raise BeyondTokenError(f"This needs a token of the scope {wanted}; yours has the scope {token.scope}.")


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes it."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
