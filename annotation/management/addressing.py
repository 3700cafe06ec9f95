"""Where people reach this installation, for commands that print links."""

import argparse
from contextlib import suppress

from django.conf import settings
from django.urls import reverse

NOTE = "address"  # a file in TOUCHSTONE_VAR: where `serve` listens, or listened last
FIRST = "http://127.0.0.1:8000"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 -- recognised, not listened at


def add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--address", default=usual_address(), help="how people reach this installation (default: %(default)s)"
    )


def link_to(page: str, secret: str, address: str) -> str:
    """The address of a page that a secret opens."""
    return f"{address.rstrip('/')}{reverse(page, args=[secret])}"


def usual_address() -> str:
    """The first allowed host, where Touchstone is served over HTTPS; else where it was served last."""
    if settings.TOUCHSTONE_HTTPS:
        return f"https://{_host()}"
    with suppress(OSError, ValueError):
        noted = (settings.TOUCHSTONE_VAR / NOTE).read_text("utf-8").strip()
        return noted or FIRST
    return FIRST


def served_at(host: str, port: int) -> str:
    """The address of a server that listens there. One that listens everywhere has the name of a host."""
    name = _host() if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def note_address(address: str) -> None:
    """Keep it for the commands that print links, where it can be written."""
    with suppress(OSError):
        settings.TOUCHSTONE_VAR.mkdir(parents=True, exist_ok=True)
        (settings.TOUCHSTONE_VAR / NOTE).write_text(f"{address}\n", "utf-8")


def _host() -> str:
    names = [host.removeprefix(".") for host in settings.ALLOWED_HOSTS if host not in LOCAL and host != "*"]
    return names[0] if names else LOCAL[0]
