"""Tests shared out among processes that fork once all tests are collected: python -m pytest -n 3

To collect takes a processor a dozen seconds and a gigabyte of memory. Workers that begin as new processes each do it
again; those that fork have what was collected. A worker takes a file when it is done with the one before; all tests of
a file run in one process, in order. What comes of them is shown by the process that forked.
"""

import mmap
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any
from warnings import WarningMessage

import pytest
from _pytest.capture import CaptureManager
from _pytest.terminal import TerminalReporter

NUMBER = 4  # bytes of a file's number
REPORTER = "terminalreporter"  # pytest's name of the plugin that writes to the terminal
FORK = get_context("fork")


@dataclass
class Outcome:
    """What comes of one test: its reports as pytest serialises them, and the warnings until then."""

    test: int
    reports: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)


class Share:
    """Numbers of tests by file, and a pipe with the numbers of the files that nobody has taken yet."""

    def __init__(self, items: Sequence[pytest.Item]) -> None:
        by_file: dict[Path, list[int]] = {}
        for test, item in enumerate(items):
            by_file.setdefault(item.path, []).append(test)
        self.files = list(by_file.values())
        self._todo, entry = os.pipe()
        os.set_blocking(entry, False)  # more files than a pipe takes are an error, not a wait for ever
        os.write(entry, b"".join(number.to_bytes(NUMBER, "big") for number in range(len(self.files))))
        os.close(entry)
        self._ended = mmap.mmap(-1, 1)  # all processes see it

    def take(self) -> Iterator[int]:
        """Numbers of tests, file by file: no two processes read the same number of a file from the pipe."""
        while number := os.read(self._todo, NUMBER):
            for test in self.files[int.from_bytes(number, "big")]:
                if self._ended[0]:
                    return
                yield test

    def end(self) -> None:
        """Nobody begins another test."""
        self._ended[0] = 1


class Sharing:
    """In place of pytest's own loop over the tests. In each worker `begin` is called first, with the worker's name."""

    def __init__(self, n_workers: int, begin: Callable[[str], None]) -> None:
        self._n_workers, self._begin = n_workers, begin

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        option = session.config.option
        if option.collectonly or (session.testsfailed and not option.continue_on_collection_errors):
            return None  # pytest does or says what there is
        reporter = session.config.pluginmanager.get_plugin(REPORTER)
        if isinstance(reporter, TerminalReporter):
            reporter.showfspath = False  # files take turns
        finished = self._run(session, Share(session.items))
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        for item in (item for test, item in enumerate(session.items) if test not in finished):
            text = f"{item.nodeid}: its worker ended in this test, or in one before it in the same file"
            lost = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
            session.config.hook.pytest_runtest_logreport(report=lost)
        return True

    def _run(self, session: pytest.Session, share: Share) -> set[int]:
        if any(re.fullmatch(r"polars-\d+", name) for name in _threads()):
            raise pytest.UsageError(
                "polars has begun its threads, which a fork lacks: use it in tests, not beside them"
            )
        pipes: list[Connection] = []
        workers = []
        try:
            for worker in range(min(self._n_workers, len(share.files))):
                here, there = FORK.Pipe(duplex=False)
                pipes.append(here)
                workers.append(FORK.Process(target=self._work, args=(session, share, there, f"gw{worker}", pipes)))
                workers[-1].start()
                there.close()
            return _show_all(session, share, pipes)
        finally:
            share.end()
            for pipe in pipes:
                pipe.close()
            for process in workers:
                process.join()

    def _work(
        self, session: pytest.Session, share: Share, pipe: Connection, name: str, others: Sequence[Connection]
    ) -> None:
        """Run tests, and send what comes of each, until there are no more."""
        for other in others:
            other.close()  # kept open, it would hide that the first process is gone
        sending = _become_worker(session.config, name)
        self._begin(name)
        tests = share.take()
        test = next(tests, None)
        try:
            while test is not None:
                following = next(tests, None)
                sending.outcome = Outcome(test)
                session.config.hook.pytest_runtest_protocol(
                    item=session.items[test], nextitem=None if following is None else session.items[following]
                )
                pipe.send(sending.outcome)
                test = following
            pipe.send(None)
        except (KeyboardInterrupt, BrokenPipeError):  # the first process hears Ctrl-C as well, or is gone
            session._setupstate.teardown_exact(None)


def _threads() -> list[str]:
    """Names of this process's threads, where the system has them in a folder."""
    return [file.read_text("utf-8").strip() for file in Path("/proc/self/task").glob("*/comm")]


def _show_all(session: pytest.Session, share: Share, pipes: Sequence[Connection]) -> set[int]:
    """Show what workers send until none has more; the numbers of the tests it was about."""
    finished = set[int]()
    todo = list(pipes)
    while todo:
        for pipe in wait(todo):
            assert isinstance(pipe, Connection)
            outcome: Outcome | None = None
            with suppress(EOFError, ConnectionError):  # the worker was killed
                outcome = pipe.recv()
            if outcome is None:
                todo.remove(pipe)
                continue
            finished.add(outcome.test)
            _show(session.items[outcome.test], outcome)
            if session.shouldfail or session.shouldstop:
                share.end()
    return finished


def _show(item: pytest.Item, outcome: Outcome) -> None:
    config = item.config
    config.hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for warning in outcome.warnings:
        category = type(warning.pop("category"), (Warning,), {})
        message = WarningMessage(warning.pop("text"), category, warning.pop("filename"), warning.pop("lineno"))
        config.hook.pytest_warning_recorded.call_historic(kwargs={"warning_message": message, **warning})
    for data in outcome.reports:
        report = config.hook.pytest_report_from_serializable(config=config, data=data)
        config.hook.pytest_runtest_logreport(report=report)
    config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


class Sending:
    """In a worker, in place of pytest's reporter to the terminal: keeps what it hears for the next that is sent."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._tw = config.get_terminal_writer()  # asked for the colours of values that differ
        self.outcome = Outcome(-1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.outcome.reports.append(self.config.hook.pytest_report_to_serializable(config=self.config, report=report))

    def pytest_warning_recorded(
        self, warning_message: WarningMessage, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        self.outcome.warnings.append(
            {
                "text": str(warning_message.message),
                "category": warning_message.category.__name__,
                "filename": warning_message.filename,
                "lineno": warning_message.lineno,
                "when": when,
                "nodeid": nodeid,
                "location": location,
            }
        )


def _become_worker(config: pytest.Config, name: str) -> Sending:
    """What it captures and its folder of `tmp_path` are its own, and what comes of tests goes through the pipe."""
    vars(config)["workerinput"] = {"workerid": name}  # pytest-django names databases by it
    folders: pytest.TempPathFactory = config._tmp_path_factory  # type: ignore[attr-defined]
    folders._basetemp = folders.getbasetemp() / name
    folders._basetemp.mkdir()
    capture = config.pluginmanager.get_plugin("capturemanager")
    assert isinstance(capture, CaptureManager)
    capture.stop_global_capturing()  # what is captured lies in a file with one position for all who have it open
    capture.start_global_capturing()
    capture.suspend_global_capture(in_=True)
    sending = Sending(config)
    config.pluginmanager.unregister(name=REPORTER)
    config.pluginmanager.register(sending, REPORTER)
    sending.outcome = Outcome(-1)  # it was told the warnings of collecting
    return sending
