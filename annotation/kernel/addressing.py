"""Where people reach this installation, as far as its settings say."""

from django.conf import settings

LOCAL = ("127.0.0.1", "localhost", "[::1]")


def first_host() -> str:
    """The first allowed host by which other machines reach this one; "" where there is none."""
    names = [host.removeprefix(".") for host in settings.ALLOWED_HOSTS if host not in LOCAL and host != "*"]
    return names[0] if names else ""


def declared_address() -> str:
    """Without a slash at its end; "" where the settings do not say it."""
    host = first_host() if settings.TOUCHSTONE_HTTPS else ""
    return settings.TOUCHSTONE_ADDRESS or (host and f"https://{host}")
