"""Sessions in the database, looked up by a statement that is compiled once: they are asked for at every request."""

import re

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.models.prepared import MOMENT, WORD, Blank, Rows

_STORED = Rows(lambda: Session.objects.filter(session_key=Blank("key", WORD), expire_date__gt=Blank("moment", MOMENT)))

_KEY = re.compile(r"[0-9a-z]{32}")  # as `_get_new_session_key` of Django makes it


class SessionStore(DatabaseStore):
    def _validate_session_key(self, key: str | None) -> bool:
        """Whatever else a cookie holds (a NUL, a million letters) is no key, and no database is asked for it."""
        return bool(key and _KEY.fullmatch(key))

    def _get_session_from_db(self) -> Session | None:
        stored = _STORED.first(key=self.session_key, moment=timezone.now()) if self.session_key else None
        if stored is None:
            self._session_key = None
        return stored
