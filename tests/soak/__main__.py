"""The full form: python -m tests.soak [--documents N] [--kills N] [--seed N]

Works on the empty database that DATABASE_URL names, or on SQLite in a temporary folder: `make soak` does both.
"""

import argparse
import os
import secrets
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType


def say(line: str) -> None:
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stdout.flush()


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Kill workers at random moments of an import; compare what is left.")
    parser.add_argument("--documents", type=int, default=100_000, help="of the file (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=50, help="how many in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the moments (default: drawn)")
    return parser.parse_args()


def soak(given: argparse.Namespace, var: Path) -> int:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from annotation.models import Collection
    from tests.soak.kills import Soak

    call_command("migrate", verbosity=0)
    if Collection.objects.exists():
        raise SystemExit("The database is not empty: a soak wants one of its own.")
    say(f"{connection.vendor}: {given.documents} documents, {given.kills} kills, seed {given.seed}")
    found = Soak(var, given.documents, given.kills, given.seed, say).run()
    for line in found.broken:
        say(f"BROKEN: {line}")
    say(f"{found.kills} kills in {found.rounds} rounds, {found.looks} looks, {len(found.broken)} broken")
    return 1 if found.broken else 0


def end(number: int, _frame: FrameType | None) -> None:
    """Told to end, it leaves neither a worker nor its folder behind."""
    raise SystemExit(128 + number)


def main() -> int:
    given = options()
    signal.signal(signal.SIGTERM, end)
    with tempfile.TemporaryDirectory(prefix="touchstone-soak-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "touchstone.settings",
            "TOUCHSTONE_VAR": folder,
            "TOUCHSTONE_FILES": str(Path(folder) / "files"),
            "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{folder}/soak.sqlite3",
        }
        return soak(given, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
