"""The full forms: python -m tests.soak imports|judging|cuts|machines|upgrade|hours [--kills N] [--seed N] …

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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.soak.judging import Figures


def say(line: str) -> None:
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stdout.flush()


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Kill processes at random moments; compare what is left.")
    forms = parser.add_subparsers(dest="form", required=True)
    imports = forms.add_parser("imports", help="workers during an import of documents")
    imports.add_argument("--documents", type=int, default=100_000, help="of the file (default: %(default)s)")
    judging = forms.add_parser("judging", help="web processes while people judge, and PostgreSQL")
    judging.add_argument("--people", type=int, default=64, help="who judge at once (default: %(default)s)")
    judging.add_argument("--topics", type=int, default=40, help="with 25 pairs each (default: %(default)s)")
    judging.add_argument(
        "--stops",
        type=int,
        default=10,
        help="immediate ones, of a PostgreSQL that tests.postgres has started (default: %(default)s)",
    )
    cuts = forms.add_parser("cuts", help="the power while people judge")
    cuts.add_argument("--people", type=int, default=16, help="who judge at once (default: %(default)s)")
    cuts.add_argument("--topics", type=int, default=16, help="with 25 pairs each (default: %(default)s)")
    cuts.add_argument("--cuts", type=int, default=100, help="how many in all (default: %(default)s)")
    cuts.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the moments (default: drawn)")
    machines = forms.add_parser("machines", help="three machines with wrong clocks, one of which loses its disk")
    machines.add_argument("--people", type=int, default=32, help="who judge at once (default: %(default)s)")
    machines.add_argument("--topics", type=int, default=20, help="with 25 pairs each (default: %(default)s)")
    machines.add_argument("--documents", type=int, default=20_000, help="brought meanwhile (default: %(default)s)")
    machines.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of grades (default: drawn)")
    upgrade = forms.add_parser("upgrade", help="web servers of an earlier version and of this one side by side")
    upgrade.add_argument("--before", type=Path, required=True, help="a checkout of the earlier version")
    upgrade.add_argument("--people", type=int, default=16, help="who judge at once (default: %(default)s)")
    upgrade.add_argument("--topics", type=int, default=8, help="with 25 pairs each (default: %(default)s)")
    upgrade.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of grades (default: drawn)")
    hours = forms.add_parser("hours", help="judging for hours; the memory of every process is noted")
    hours.add_argument("--hours", type=float, default=6, help="that people judge (default: %(default)s)")
    hours.add_argument("--pace", type=float, default=10, help="judgments a second by all (default: %(default)s)")
    hours.add_argument("--people", type=int, default=64, help="who judge at once (default: %(default)s)")
    hours.add_argument(
        "--begun", type=int, default=120_000, help="judgments that are there before (default: %(default)s)"
    )
    hours.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of deeds (default: drawn)")
    for form, kills in ((imports, 50), (judging, 20)):
        form.add_argument("--kills", type=int, default=kills, help="how many in all (default: %(default)s)")
        form.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the moments (default: drawn)")
    return parser.parse_args()


def soak(arguments: argparse.Namespace, var: Path) -> int:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from annotation.models import Collection

    call_command("migrate", verbosity=0)
    if Collection.objects.exists():
        raise SystemExit("The database is not empty: a soak wants one of its own.")
    say(f"{connection.vendor}: {', '.join(f'{name} {value}' for name, value in vars(arguments).items())}")
    of_form = {
        "imports": of_imports,
        "judging": of_judging,
        "cuts": of_cuts,
        "machines": of_machines,
        "upgrade": of_upgrade,
        "hours": of_hours,
    }
    broken = of_form[arguments.form](arguments, var)
    for line in broken:
        say(f"BROKEN: {line}")
    say(f"{len(broken)} broken")
    return 1 if broken else 0


def of_imports(arguments: argparse.Namespace, var: Path) -> list[str]:
    from tests.soak.kills import Soak

    findings = Soak(var, arguments.documents, arguments.kills, arguments.seed, say).run()
    say(f"{findings.kills} kills in {findings.rounds} rounds, {findings.looks} looks")
    return findings.broken


def of_judging(arguments: argparse.Namespace, var: Path) -> list[str]:
    from tests.soak.judging import JudgingSoak

    stops = arguments.stops if _is_ours() else 0
    soak = JudgingSoak(var, arguments.people, arguments.topics, 25, arguments.kills, arguments.seed, say, stops)
    figures = soak.run()
    say(f"{figures.stops} immediate stops of PostgreSQL, away for {figures.away:.1f} s in all")
    return _report(arguments, figures)


def _is_ours() -> bool:
    """Whether the database is a PostgreSQL whose folder is at hand."""
    from django.db import connection

    from tests.postgres import Cluster

    return connection.vendor == "postgresql" and Cluster(Path(connection.settings_dict["HOST"])).exists


def of_cuts(arguments: argparse.Namespace, var: Path) -> list[str]:
    from django.db import connection

    from tests.soak.cuts import CutsSoak

    if connection.vendor == "postgresql" and not _is_ours():
        raise SystemExit("The power of this PostgreSQL is not ours to cut: python -m tests.postgres starts one.")
    figures = CutsSoak(var, arguments.people, arguments.topics, 25, arguments.cuts, arguments.seed, say).run()
    half = sorted(figures.unsynced)[len(figures.unsynced) // 2]
    say(f"{figures.cuts} cuts, half of them with at most {half} bytes not fsynced, {max(figures.unsynced)} at most")
    say(f"{figures.after} judgments more upon the last cut")
    return _report(arguments, figures)


def of_machines(arguments: argparse.Namespace, var: Path) -> list[str]:
    from tests.soak.three_machines import MachinesSoak

    return _report(
        arguments,
        MachinesSoak(
            var, arguments.people, arguments.topics, 25, 0, arguments.seed, say, n_documents=arguments.documents
        ).run(),
    )


def of_upgrade(arguments: argparse.Namespace, var: Path) -> list[str]:
    from tests.soak.upgrade import UpgradeSoak

    before = arguments.before.absolute()
    return _report(
        arguments, UpgradeSoak(var, arguments.people, arguments.topics, 25, 0, arguments.seed, say, before=before).run()
    )


def of_hours(arguments: argparse.Namespace, var: Path) -> list[str]:
    from tests.soak.hours import HoursSoak

    figures = HoursSoak(
        var, arguments.people, arguments.hours, arguments.pace, arguments.seed, say, begun=arguments.begun
    ).run()
    say(f"beside: {dict(figures.deeds)}; pages of an admin, by status: {dict(figures.pages)}")
    return _report(arguments, figures)


def _report(arguments: argparse.Namespace, figures: "Figures") -> list[str]:
    say(f"{figures.judgments} judgments by {arguments.people} people in {figures.seconds:.0f} s, {figures.kills} kills")
    say(f"{figures.unanswered} requests cut off, {figures.replayed} of them stored; {figures.busy} answered 503")
    say(f"{figures.looks} looks at all rows")
    return figures.broken


def end(number: int, _frame: FrameType | None) -> None:
    """Told to end, it leaves neither a process nor its folder behind."""
    raise SystemExit(128 + number)


def main() -> int:
    arguments = options()
    signal.signal(signal.SIGTERM, end)
    with tempfile.TemporaryDirectory(prefix="touchstone-soak-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "touchstone.settings",
            "TOUCHSTONE_VAR": folder,
            "TOUCHSTONE_FILES": str(Path(folder) / "files"),
            "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{folder}/soak.sqlite3",
        }
        return soak(arguments, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
