"""The whole of Touchstone in one command: the web server and its workers, which live and end together."""

import argparse
import logging
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any, TypeAlias

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.kernel.commands.base import DONE, REFUSED, STOPPED, RefusedError, TouchstoneCommand
from annotation.kernel.store import tidy_files
from annotation.management.addressing import note_address, served_at
from annotation.management.giving_way import give_way
from annotation.management.joining import require_joined
from annotation.management.statics import collect_statics
from annotation.models import User

logger = logging.getLogger(__name__)

Process: TypeAlias = "subprocess.Popen[bytes]"

PATIENCE = 35  # seconds for requests and the job at hand to end
BACKLOG = 2048  # connections that may wait, as gunicorn has it
HOUR = 3600.0
LOOK = 0.2  # seconds between two looks at the processes
REST = 1.0  # seconds before a worker that ended is started again
CODE = Path(__file__).resolve().parents[3]  # the folder that the app's packages lie in
USUAL = 2  # web processes
REQUEST_LIMIT = 300  # seconds for one request; an upload of a gigabyte over a slow line takes its time


class Command(TouchstoneCommand):
    help = "Run the web server (gunicorn) and its workers until interrupted. Refuses to start with unsafe settings."
    examples = ("touchstone serve --port 8000", "touchstone serve --without-worker --workers 4")
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "ended when it was told to, by SIGTERM or Ctrl-C",
            REFUSED: "not started, or the web server ended by itself: the reason is on the standard error",
            STOPPED: "stopped by Ctrl-C before it began",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen at (default: %(default)s)")
        parser.add_argument(
            "--workers",
            type=int,
            help="web processes (default: 2; with --give-way half as many as processors, 1 at least, 2 at most)",
        )
        parser.add_argument(
            "--give-way",
            action="store_true",
            help="take less of the processors than others on this machine: for everything but judging, beside a server "
            "for judging",
        )
        parser.add_argument(
            "--job-workers",
            type=int,
            default=2,
            choices=range(1, 9),
            metavar="N",
            help="processes for jobs: the first does all, the others short ones alone (default: %(default)s)",
        )
        parser.add_argument(
            "--without-worker",
            action="store_true",
            help="the web server alone, where `worker` runs as a service of its own",
        )

    def handle(self, *, host: str, port: int, workers: int | None, **options: Any) -> None:
        if options["give_way"]:
            give_way()
        _require_migrated()
        require_joined()
        collect_statics()
        self.stopping = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:  # nohup has it ignored
            signal.signal(signal.SIGHUP, self._stop)
        address = served_at(host, port)
        listener = _listening(host, port)
        note_address(address)
        words = f"Touchstone listens at {address} (Ctrl-C ends it)\n{first_account(address)}".rstrip()
        self.answer(words, {"address": address})
        self.stdout.flush()
        connection.close()
        lanes = [] if options["without_worker"] else [(), *[("--short",)] * (options["job_workers"] - 1)]
        if not lanes:
            threading.Thread(target=_tidy_hourly, daemon=True).start()
        with listener:
            n_web = workers or (_beside_judging() if options["give_way"] else USUAL)
            web = _started(_web_command(listener.fileno(), n_web), pass_fds=[listener.fileno()])
        self._tend(web, [(lane, _start_worker(lane)) for lane in lanes])

    def _tend(self, web: Process, workers: list[tuple[Sequence[str], Process]]) -> None:
        """Watch over both until told to end or the web server ends; then end both. A worker that ended is replaced."""
        try:
            while not self.stopping and web.poll() is None:
                for at, (lane, worker) in enumerate(workers):
                    if worker.poll() is not None:
                        logger.warning("The worker ended with status %s; starting another.", worker.returncode)
                        time.sleep(REST)
                        workers[at] = (lane, _start_worker(lane))
                time.sleep(LOOK)
        finally:
            _end(web, *(worker for _, worker in workers))
        if not self.stopping:
            raise RefusedError(f"The web server ended with status {web.returncode}.")

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True


def _beside_judging() -> int:
    """Web processes of a server that gives way: what the database does for their requests does not."""
    return max(1, min(USUAL, (os.cpu_count() or 1) // 2))


def _require_migrated() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise RefusedError("The database is not up to date: run `manage.py migrate` first.")


def _listening(host: str, port: int) -> socket.socket:
    """Taken before anybody is told of it; the web server is given it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as fault:
        raise RefusedError(f"Cannot listen at {host}, port {port}: {os.strerror(fault.errno or 0)}.") from fault


def _tidy_hourly() -> None:
    """As a worker does; where there is none, nobody else sees to the files of this machine."""
    while True:
        try:
            tidy_files()
        except OSError:
            logger.exception("files on their way were not cleared away")
        time.sleep(HOUR)


def first_account(address: str) -> str:
    """How to come in while nobody can; empty once there is an account."""
    if User.objects.exists():
        return ""
    program = [*_environment(), sys.executable, str(Path(sys.argv[0]).absolute())]
    return f"No account yet. To make the first: {shlex.join(program)} create_admin NAME --address {address}"


def _environment() -> list[str]:
    """What the command needs in another shell to meet the same installation: its folder, where it is not the usual one,
    and its database. The address of a database server may hold a password: it is named, not told.
    """
    folder, database = settings.TOUCHSTONE_VAR, os.environ.get("DATABASE_URL", "")
    variables = [f"TOUCHSTONE_VAR={folder}"] if "TOUCHSTONE_VAR" in os.environ or folder.name != "var" else []
    if database:
        variables.append(f"DATABASE_URL={database if database.startswith('sqlite:') else '...'}")
    return ["env", *variables] if variables else []


def _web_command(listener: int, workers: int) -> list[str]:
    """Processes of one thread on SQLite, whose writers take turns anyway; of two on PostgreSQL, as more would only wait
    for each other. The code is loaded once, before they part: they share its memory, and one that died is replaced in
    a moment.
    """
    threads = ["--worker-class", "gthread", "--threads", "2"] if connection.vendor == "postgresql" else []
    application = ":".join(str(settings.WSGI_APPLICATION).rsplit(".", 1))
    logs = ["--log-level", "warning", "--logger-class", settings.TOUCHSTONE_SERVER_LOG]
    code = ["--pythonpath", str(CODE)]  # else gunicorn looks for the app in the folder that it is called from
    binding = ["--bind", f"fd://{listener}", "--workers", str(workers)]
    command = [sys.executable, "-m", "gunicorn", application, "--preload", *code, *binding]
    return [*command, *threads, "--timeout", str(REQUEST_LIMIT), "--graceful-timeout", "20", *logs]


def _start_worker(lane: Sequence[str]) -> Process:
    return _started([sys.executable, sys.argv[0], "worker", *lane])


def _started(command: Sequence[str], *, pass_fds: Sequence[int] = ()) -> Process:
    """In a group of its own: a terminal sends Ctrl-C to the whole group of a command, and gunicorn then drops what it
    answers. Told by `_end`, it answers to the end."""
    return subprocess.Popen(command, process_group=0, pass_fds=pass_fds)


def _end(*processes: Process) -> None:
    """Ask all to end, then wait; after PATIENCE insist. What a job had done stays in the queue for the next worker."""
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + PATIENCE
    for process in processes:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
