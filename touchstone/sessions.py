"""Sessions in the database, looked up by a statement that is compiled once: they are asked for at every request.

One that is used is stored anew once an hour at the most, and so lives on; one that is not ends
after `SESSION_COOKIE_AGE`, and each of them two weeks after it began.
"""

import re
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.models.prepared import MOMENT, WORD, Blank, Rows

_STORED = Rows(lambda: Session.objects.filter(session_key=Blank("key", WORD), expire_date__gt=Blank("moment", MOMENT)))

LONGEST = timedelta(days=14)
RENEWED = 3600  # seconds of use after which a session is stored anew
BEGAN = "began"  # among what a session holds: seconds since 1970

_KEY = re.compile(r"[0-9a-z]{32}")  # as `_get_new_session_key` of Django makes it


class SessionStore(DatabaseStore):
    def _validate_session_key(self, key: str | None) -> bool:
        """Whatever else a cookie holds (a NUL, a million letters) is no key, and no database is asked for it."""
        return bool(key and _KEY.fullmatch(key))

    def _get_session_from_db(self) -> Session | None:
        stored = _STORED.first(key=self.session_key, moment=timezone.now()) if self.session_key else None
        if stored is None:
            self._session_key = None
        elif stored.expire_date - timezone.now() < timedelta(seconds=settings.SESSION_COOKIE_AGE - _renewed()):
            self.modified = True
        return stored

    def load(self) -> dict[str, Any]:
        """What the session holds; nothing where it began too long ago."""
        content: dict[str, Any] = super().load()
        now = timezone.now().timestamp()
        if now - content.get(BEGAN, now) <= LONGEST.total_seconds():
            return content
        self._session_key = None
        return {}

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """The row to store. A session begins when it is stored first."""
        if data:
            data.setdefault(BEGAN, timezone.now().timestamp())
        return super().create_model_instance(data)


def _renewed() -> int:
    return min(RENEWED, int(settings.SESSION_COOKIE_AGE) // 2)
