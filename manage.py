#!/usr/bin/env python
"""Django's command line for Touchstone."""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from touchstone import __version__

if TYPE_CHECKING:
    from django.core.management import BaseCommand

# Commands that read files and print: they start without the app and its settings, in half the time.
OF_FILES = frozenset({"compare", "evaluate", "trec_eval"})


# numpy asks for pages of 2 MB. Where the machine is a virtual one and the memory is fresh, these cost several times
# more than small ones (benchmarks/README.md); the operator may want them all the same.
os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")


MISUSED, STOPPED = 2, 130  # exit codes: no such command, Ctrl-C


def main() -> None:
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def _run() -> None:
    if "--version" in sys.argv[1:] or sys.argv[1:2] == ["version"]:
        sys.stdout.write(f"touchstone {__version__}\n")
        return
    if len(sys.argv) > 1 and sys.argv[1] in OF_FILES:
        module = import_module(f"evaluation.management.commands.{sys.argv[1]}")
        module.Command().run_from_argv(sys.argv)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")
    from django.core.management import ManagementUtility

    class Utility(ManagementUtility):
        """Django's, but that an unknown command is wrong use."""

        def fetch_command(self, subcommand: str) -> "BaseCommand":
            try:
                return super().fetch_command(subcommand)
            except SystemExit:
                sys.exit(MISUSED)

    Utility(sys.argv).execute()


if __name__ == "__main__":
    main()
