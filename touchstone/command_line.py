"""The command `touchstone`, in a checkout `manage.py`: Django's command line, and what works without Django."""

import os
import signal
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from touchstone import __version__

if TYPE_CHECKING:
    from django.core.management import BaseCommand

HOW = "pip install '.[app]' in Touchstone's folder"  # by its name alone pip would fetch another project
# Commands that read files and print: they start without the app and its settings, in half the time.
OF_FILES = frozenset(
    {
        "analyse_experiment",
        "compare",
        "compare_clicks",
        "compare_embeddings",
        "compare_many",
        "credit_clicks",
        "describe_drift",
        "describe_recommendations",
        "describe_vectors",
        "estimate_means",
        "evaluate",
        "evaluate_alarms",
        "evaluate_runs",
        "fuse",
        "interleave",
        "interleaving_power",
        "plan_experiment",
        "pooling_replay",
        "judge_next",
        "report",
        "sample_queries",
        "search_shards",
        "search_vectors",
        "simulate_clicks",
        "trec_eval",
        "watch_series",
    }
)
OF_APP = frozenset({"fsspec", "matplotlib", "polars", "torch"})  # what single options of theirs need
SERVICES = frozenset({"serve", "worker"})  # whose log says what is done; other commands say it themselves
MISUSED, STOPPED = 2, 130  # exit codes: no such command, Ctrl-C


def main() -> None:
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def _loaded() -> None:
    """From here on Ctrl-C is a KeyboardInterrupt, after which a command leaves nothing half done. Before, it ends the
    process (touchstone_command.py)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _run() -> None:
    # numpy asks for pages of 2 MB. Where the machine is a virtual one and the memory is fresh, these cost several times
    # more than small ones (benchmarks/README.md); the operator may want them all the same.
    os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command == "pooling_replay":  # thousands of small matrices, for which two threads wait for each other
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if "--version" in sys.argv[1:] or command == "version":
        sys.stdout.write(f"touchstone {__version__}\n")
    elif command in OF_FILES:
        _read_files(command)
    elif find_spec("django"):
        _run_app()
    else:
        _explain(command)


def _run_app() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")
    import logging

    from django.core.management import ManagementUtility

    class Utility(ManagementUtility):
        """Django's, but that an unknown command is wrong use, that only services log what goes as it should, and that
        `migrate` is our own."""

        def fetch_command(self, subcommand: str) -> "BaseCommand":
            if subcommand not in SERVICES:
                logging.getLogger("annotation").setLevel(logging.WARNING)
            try:
                command = super().fetch_command(subcommand)
            except SystemExit:
                sys.exit(MISUSED)
            if subcommand == "migrate":
                command = import_module("touchstone.migrating").Command()
            _loaded()
            return command

    Utility(sys.argv).execute()


def _read_files(command: str) -> None:
    try:
        loaded = import_module(f"evaluation.management.commands.{command}").Command()
        _loaded()
        loaded.run_from_argv(sys.argv)
    except ModuleNotFoundError as error:
        if error.name not in OF_APP:
            raise
        sys.stderr.write(f"this option needs {error.name}: {HOW}\n")
        sys.exit(MISUSED)


def _explain(command: str) -> None:
    """What works without the app, and what brings it. Ends the process unless help was asked for."""
    here = f"Commands that are installed: {', '.join(sorted(OF_FILES))}; each says more with --help."
    app = f"All others need the app: {HOW}"
    if command in {"help", "--help", "-h"}:
        sys.stdout.write(f"{here}\n{app}\n")
        return
    sys.stderr.write(f"touchstone {command} needs the app: {HOW}\n{here}\n")
    sys.exit(MISUSED)
