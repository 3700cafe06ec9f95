"""Settings with which Touchstone does not start, as Django checks. What each finds is said with what to do about it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register, run_checks  # noqa: A004 -- Django's name
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from annotation.kernel.commands.base import SAFETY

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})
SHORTEST_KEY, FEWEST_CHARACTERS = 50, 5  # as Django's own check, which only warns
ADDRESS = re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:\d{1,5})?")  # of a server, without a path
FOR_OTHERS_TO_WRITE, FOR_OTHERS_TO_READ = 0o002, 0o077


def refuse_unsafe() -> None:
    """Raise `ImproperlyConfigured` for settings with which nothing may be served."""
    errors = [each for each in run_checks(tags=[SAFETY]) if each.is_serious() and not each.is_silenced()]
    if errors:
        raise ImproperlyConfigured("\n".join(f"{each.id}: {each.msg} {each.hint}" for each in errors))


@register(SAFETY)
def settings_are_safe(app_configs: Sequence[AppConfig] | None, **_options: Any) -> list[CheckMessage]:
    visitors = (_about_debug, _about_key, _about_hosts, _about_address, _about_proxies)
    return [message for each in (*visitors, _about_limits, _about_folders, _about_storage) for message in each()]


@register(Tags.security, SAFETY, deploy=True)
def passwords_are_not_sent_in_clear(app_configs: Sequence[AppConfig] | None, **_options: Any) -> list[CheckMessage]:
    if settings.TOUCHSTONE_HTTPS or not _hosts_beyond():
        return []
    return [
        Warning(
            "Passwords and sessions travel unencrypted.",
            hint="Put a web server with a certificate in front, and set TOUCHSTONE_HTTPS=on and TOUCHSTONE_PROXIES=1.",
            id="touchstone.W001",
        )
    ]


def _about_debug() -> Iterator[CheckMessage]:
    if settings.DEBUG and (settings.TOUCHSTONE_HTTPS or _hosts_beyond()):
        yield Error(
            "Visitors would be shown the inside of the program.",
            hint="Unset TOUCHSTONE_DEBUG, or let TOUCHSTONE_ALLOWED_HOSTS name this machine alone, without HTTPS.",
            id="touchstone.E001",
        )


def _about_key() -> Iterator[CheckMessage]:
    key = settings.SECRET_KEY
    if len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_CHARACTERS or key.startswith("django-insecure-"):
        yield Error(
            "The secret key can be guessed.",
            hint=f"Unset TOUCHSTONE_SECRET_KEY to have one made, or give it {SHORTEST_KEY} random characters or more.",
            id="touchstone.E002",
        )


def _about_hosts() -> Iterator[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS or not settings.ALLOWED_HOSTS:
        yield Error(
            "Every host name, or none, would be answered to.",
            hint="Let TOUCHSTONE_ALLOWED_HOSTS list the names by which people reach this server.",
            id="touchstone.E003",
        )


def _about_address() -> Iterator[CheckMessage]:
    address = settings.TOUCHSTONE_ADDRESS
    if address and not ADDRESS.fullmatch(address):
        yield Error(
            "Links in messages would lead nowhere.",
            hint="Let TOUCHSTONE_ADDRESS be https://host or http://host:port, without a path; or leave it empty.",
            id="touchstone.E011",
        )


def _about_proxies() -> Iterator[CheckMessage]:
    if settings.TOUCHSTONE_PROXIES < 0:
        yield Error(
            "There cannot be fewer than no proxies.", hint="Set TOUCHSTONE_PROXIES to 0 or more.", id="touchstone.E004"
        )
    elif settings.TOUCHSTONE_PROXIES and not settings.TOUCHSTONE_HTTPS:
        yield Error(
            "A web server stands in front, and nothing says that people reach it by HTTPS.",
            hint="Set TOUCHSTONE_HTTPS=on; or TOUCHSTONE_PROXIES=0 where nothing stands in front.",
            id="touchstone.E005",
        )


def _about_limits() -> Iterator[CheckMessage]:
    if settings.TOUCHSTONE_UPLOAD_LIMIT <= 0:
        yield Error(
            "No file could be uploaded.",
            hint="Set TOUCHSTONE_UPLOAD_LIMIT to the largest size wanted, in bytes.",
            id="touchstone.E006",
        )


def _about_folders() -> Iterator[CheckMessage]:
    for folder in dict.fromkeys([settings.TOUCHSTONE_VAR, settings.TOUCHSTONE_FILES]):
        if _mode(folder) & FOR_OTHERS_TO_WRITE:
            yield Error(
                f"Everybody on this machine may write into {folder}.", hint=f"chmod o-w {folder}", id="touchstone.E007"
            )
    key: Path = settings.TOUCHSTONE_VAR / "secret_key"
    if _mode(key) & FOR_OTHERS_TO_READ:
        yield Error(f"Others than its owner may read {key}.", hint=f"chmod 600 {key}", id="touchstone.E008")


def _about_storage() -> Iterator[CheckMessage]:
    storage = settings.TOUCHSTONE_S3
    if not storage["name"]:
        return
    missing = [name for name in ("endpoint", "key_id", "secret") if not storage[name]]
    if missing or "://" not in storage["endpoint"]:
        yield Error(
            "The object storage cannot be reached as the settings say.",
            hint="Set TOUCHSTONE_S3_ENDPOINT (https://host:port), TOUCHSTONE_S3_KEY_ID and TOUCHSTONE_S3_SECRET.",
            id="touchstone.E009",
        )
    if connection.vendor == "sqlite":
        yield Error(
            "Files in object storage need a database that other machines reach, too.",
            hint="Set DATABASE_URL to PostgreSQL, or leave TOUCHSTONE_S3_BUCKET empty.",
            id="touchstone.E010",
        )


def _mode(path: Path) -> int:
    """0 for what is not there yet, or not for us to see."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0


def _hosts_beyond() -> list[str]:
    """The names by which other machines reach this one."""
    return [host for host in settings.ALLOWED_HOSTS if host not in LOOPBACK]
