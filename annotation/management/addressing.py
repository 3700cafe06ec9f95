"""Where people reach this installation, for commands that print links."""

import argparse
from contextlib import suppress

from django.conf import settings
from django.urls import reverse

from annotation.kernel.addressing import LOCAL, declared_address, first_host

NOTE = "address"  # a file in TOUCHSTONE_VAR: where `serve` listens, or listened last
FIRST = "http://127.0.0.1:8000"
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 -- recognised, not listened at


def add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--address", default=usual_address(), help="how people reach this installation (default: %(default)s)"
    )


def link_to(page: str, secret: str, address: str) -> str:
    """The address of a page that a secret opens."""
    return f"{address.rstrip('/')}{reverse(page, args=[secret])}"


def usual_address() -> str:
    """As the settings say; else where it was served last."""
    if settings.TOUCHSTONE_HTTPS or settings.TOUCHSTONE_ADDRESS:
        return declared_address() or f"https://{LOCAL[0]}"
    with suppress(OSError, ValueError):
        noted = (settings.TOUCHSTONE_VAR / NOTE).read_text("utf-8").strip()
        return noted or FIRST
    return FIRST


def served_at(host: str, port: int) -> str:
    """The address of a server that listens there. One that listens everywhere has the name of a host."""
    name = first_host() or LOCAL[0] if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def note_address(address: str) -> None:
    """Keep it for the commands that print links, where it can be written."""
    with suppress(OSError):
        settings.TOUCHSTONE_VAR.mkdir(parents=True, exist_ok=True)
        (settings.TOUCHSTONE_VAR / NOTE).write_text(f"{address}\n", "utf-8")
