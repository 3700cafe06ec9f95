"""Whether this machine belongs to its installation: it sees the stored files, has the key, and knows the time.

The first machine that starts stores a file, the canary, and names it in the database beside what
its secret key makes of that name. Whoever starts later compares. Whoever asks where nobody has
started yet is answered that all is well.
"""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from annotation.kernel import clock
from annotation.kernel.store import put, stored_files
from annotation.models import Installation
from annotation.models.tokens import new_token

NO_FILES = "the stored files of the installation are not on this machine"
OTHER_KEY = "the secret key is another than that of the installation"
ON_PURPOSE = "where it was changed on purpose, `manage.py installation --adopt` says so"
FAR_OFF = timedelta(minutes=10)  # links, sessions and tokens would begin and end at the wrong time


class MisplacedError(Exception):
    """Nothing may run here; the message says why and what to do."""


def join_installation() -> None:
    """At the start of a server or worker: the first names what all share. Raises `MisplacedError`."""
    if not Installation.objects.exists():
        Installation.objects.get_or_create(pk=1, defaults=_shared())
    if not sees_files():
        raise MisplacedError(f"TOUCHSTONE_FILES: {NO_FILES}. Mount the shared folder; {ON_PURPOSE}.")
    if not has_key():
        raise MisplacedError(f"TOUCHSTONE_SECRET_KEY: {OTHER_KEY}. Set the same on each machine; {ON_PURPOSE}.")
    if abs(lead := lead_of_clock()) > FAR_OFF:
        raise MisplacedError(f"The clock: {words_of_lead(lead)}. Set it right.")


def adopt_installation() -> None:
    """Let the key and the folder of files of this machine be those of the installation from now on."""
    Installation.objects.update_or_create(pk=1, defaults=_shared())


def sees_files() -> bool:
    """Whether the stored files are here; also where no canary is named yet. A share that fails is not seen."""
    canary = Installation.objects.values_list("canary_sha256", flat=True).first()
    try:
        return canary is None or stored_files().exists(canary)
    except OSError:
        return False


def has_key() -> bool:
    row = Installation.objects.first()
    return row is None or constant_time_compare(row.key_check, _check(row.canary_sha256))


def lead_of_clock() -> timedelta:
    """By how much this machine's clock is ahead of the database's; negative: behind."""
    return timezone.now() - clock.server_time()


def words_of_lead(lead: timedelta) -> str:
    seconds = lead.total_seconds()
    return f"this machine is {abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'} the database"


def _shared() -> dict[str, str]:
    canary = put(f"A machine that sees this file sees the others. {new_token()}\n".encode())
    return {"canary_sha256": canary, "key_check": _check(canary)}


def _check(canary: str) -> str:
    return salted_hmac("touchstone.installation", canary, secret=settings.SECRET_KEY, algorithm="sha256").hexdigest()
