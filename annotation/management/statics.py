"""The files of the pages, collected and compressed where they are served from: only where they have changed."""

from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STAMP = "collected"
MAKERS = ("Django", "whitenoise", "brotli")  # another version may name or compress them otherwise


def collect_statics() -> bool:
    """Collect and compress the files, if any has changed; whether any had. Compressing takes seconds."""
    stamp, fingerprint = Path(settings.STATIC_ROOT) / STAMP, _fingerprint()
    if stamp.is_file() and stamp.read_text("utf-8") == fingerprint:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(fingerprint, "utf-8")
    return True


def _fingerprint() -> str:
    return sha256("\n".join(_sources()).encode()).hexdigest()


def _sources() -> Iterator[str]:
    """What the collected files are made from: each file's path, size and time, and what makes them."""
    yield from (f"{name} {version(name)}" for name in MAKERS)
    yield f"{settings.STORAGES['staticfiles']} with hashes"
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda each: str(each[0])):
            at = Path(storage.path(path))
            yield f"{path} {at.stat().st_size} {at.stat().st_mtime_ns}"
