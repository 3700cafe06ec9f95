"""Sessions in the database, looked up by a statement that is compiled once: they are asked for at every request."""

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.models.prepared import MOMENT, WORD, Blank, Rows

_STORED = Rows(lambda: Session.objects.filter(session_key=Blank("key", WORD), expire_date__gt=Blank("moment", MOMENT)))


class SessionStore(DatabaseStore):
    def _get_session_from_db(self) -> Session | None:
        stored = _STORED.first(key=self.session_key, moment=timezone.now()) if self.session_key else None
        if stored is None:
            self._session_key = None
        return stored
