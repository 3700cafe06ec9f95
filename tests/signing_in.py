"""A session of a person, in place of all that a sign-in does: a test begins with it, and looks at something else.

Django's own test client asks whether there is a session, makes one, makes it anew, notes the time with the person, and
tells those who count failed sign-ins: ten statements for one.
"""

from typing import TYPE_CHECKING

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest
from django.test import Client

if TYPE_CHECKING:  # models can be imported once Django has its settings
    from annotation.models import User
    from touchstone.sessions import SessionStore

BACKEND = "django.contrib.auth.backends.ModelBackend"


def session_of(user: "User") -> "SessionStore":
    from touchstone.sessions import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session


def force_login(client: Client, user: "User") -> None:
    """What `Client.force_login` does in these tests."""
    request = HttpRequest()
    request.session = session_of(user)
    client._set_login_cookies(request)  # type: ignore[attr-defined]
