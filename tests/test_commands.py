"""One habit for every command: a new one that forgets it fails here."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import touchstone
from annotation.kernel.commands.base import EXITS, JSON, PROGRAM, SAFETY, RefusedError, TouchstoneCommand
from annotation.kernel.commands.group import GroupCommand
from tests.commands import command_named, deeds, our_commands, parser_of, ran, words_of
from tests.migrated import migrated_database
from touchstone.command_line import OF_FILES

ROOT = Path(__file__).resolve().parent.parent
DEEDS = dict(deeds())
every_deed = pytest.mark.parametrize("name", DEEDS)


def names_of(name: str) -> set[str]:
    """What the deed is called in its examples."""
    return {name, DEEDS[name].alias_of} - {""}


def words_for(name: str) -> list[str]:
    """Its first example, under its own name and without --json."""
    words = words_of(DEEDS[name].examples[0])
    known = next(known.split() for known in names_of(name) if words[: len(known.split())] == known.split())
    return [*name.split(), *(word for word in words[len(known) :] if word != JSON)]


@every_deed
def test_help_has_examples_that_parse_and_every_exit_code(name: str) -> None:
    help_end = DEEDS[name].help_end(PROGRAM)
    assert "examples:\n" in help_end
    assert "exit codes:\n" in help_end
    assert [code for code in EXITS if f"\n  {code:<3}  " not in help_end] == []
    assert DEEDS[name].help
    assert DEEDS[name].examples
    for example in DEEDS[name].examples:
        words = words_of(example)
        assert any(f"{' '.join(words)} ".startswith(f"{known} ") for known in names_of(name)), example
        assert parser_of(words[0]).parse_args(words[1:])


@pytest.mark.parametrize("name", our_commands())
def test_the_help_page_shows_them(name: str) -> None:
    shown = ran(name, "--help")
    assert (shown.code, "\nexamples:\n  python manage.py " in shown.out, "\nexit codes:\n  0  " in shown.out) == (
        0,
        True,
        True,
    )


@pytest.mark.parametrize("name", our_commands())
def test_it_looks_at_the_settings_and_loads_no_page(name: str) -> None:
    """Those that only read files look at nothing."""
    checks = list(command_named(name).requires_system_checks)
    assert checks == ([] if name in OF_FILES else [SAFETY])


@every_deed
def test_wrong_use_ends_with_2_in_words_and_as_json(name: str) -> None:
    in_words, as_json = ran(*name.split(), "--no-such-option"), ran(*name.split(), "--no-such-option", JSON)
    assert (in_words.code, as_json.code) == (2, 2)
    assert "usage: " in in_words.err
    assert (as_json.out, as_json.error["exit_code"]) == ("", 2)
    assert as_json.error["error"]


@every_deed
@pytest.mark.parametrize(
    ("fault", "code", "message"),
    [(KeyboardInterrupt(), 130, "Stopped."), (RefusedError("Taken."), 1, "Taken."), (OSError(28, "Full"), 1, "Full")],
    ids=["Ctrl-C", "refused", "disk"],
)
def test_whatever_stops_it_ends_it_with_its_code_and_no_traceback(
    fault: BaseException, code: int, message: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_args: object, **_options: object) -> None:
        raise fault

    monkeypatch.setattr(type(DEEDS[name]), "handle", stopped)
    words = words_for(name)
    for_people, for_a_program = ran(*words), ran(*words, JSON)
    assert (for_people.code, for_people.err.count("\n"), message in for_people.err) == (code, 1, True)
    assert (for_a_program.code, for_a_program.out, for_a_program.error["exit_code"]) == (code, "", code)
    assert message in for_a_program.error["error"]


@pytest.mark.django_db
@every_deed
def test_an_unknown_collection_ends_with_2(name: str) -> None:
    words = words_for(name)
    if "collection" not in vars(parser_of(words[0]).parse_args(words[1:])):
        return
    for_a_program = ran(*("nowhere" if word == "bees" else word for word in words), JSON)
    assert (for_a_program.code, for_a_program.error["exit_code"]) == (2, 2)
    assert "nowhere" in for_a_program.error["error"]


def options_of(name: str) -> dict[str, set[str]]:
    """Each option of a deed, with its other spellings."""
    command, *rest = name.split()
    parser = parser_of(command)
    for part in rest:
        places = next(action for action in parser._actions if action.choices and part in action.choices)
        parser = places.choices[part]  # type: ignore[index]
    return {option: set(action.option_strings) for action in parser._actions for option in action.option_strings}


@every_deed
def test_options_of_the_same_meaning_have_the_same_names(name: str) -> None:
    options = options_of(name)
    assert JSON in options
    if "--output" in options:
        assert ("-o" in options["--output"], "--force" in options) == (True, True)
    assert not any(option.startswith("--") and "_" in option for option in options if name != "trec_eval")


# What changes nothing but the file that it writes, and what runs until it is told to end.
LOOKING = {
    *(OF_FILES - {"sample_queries"}),
    *(name for name in DEEDS if name.startswith("export")),
    "accounting",
    "adjudicate decisions",
    "adjudicate list",
    "adjudicate show",
    "alert list",
    "annotator list",
    "backup",
    "batch dry-run",
    "batch list",
    "batch missing",
    "batch show",
    "batch withheld",
    "collection list",
    "collection show",
    "experiments list",
    "growing_pool sample",
    "growing_pool show",
    "outgoing list",
    "series check",
    "series list",
    "series measure",
    "series show",
    "leaderboard show",
    "objection list",
    "objection show",
    "people list",
    "policy compare",
    "policy list",
    "policy show",
    "qualification list",
    "qualification show",
    "sensitivity",
    "settings show",
    "snapshot_changes",
    "token list",
    "vectors list",
}
RUNNING = {"demo", "serve", "worker"}


def test_whatever_changes_something_can_be_tried() -> None:
    without = {name for name in DEEDS if "--dry-run" not in options_of(name)}
    assert without == LOOKING | RUNNING


@pytest.mark.parametrize("name", our_commands())
def test_every_command_is_made_of_the_same(name: str) -> None:
    command = command_named(name)
    assert isinstance(command, TouchstoneCommand)
    if isinstance(command, GroupCommand):
        assert all(issubclass(kind, TouchstoneCommand) for kind in command.deeds.values())


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Processes begun here take SIGINT, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_in_a_shell() -> None:
    """It waits for the standard input when it is interrupted."""
    words = [sys.executable, "manage.py", "evaluate", "-", "some.run"]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write("1 0 d 1\n" * 100_000)  # more than a pipe holds: once it is through, the command reads
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "Stopped.\n")


STOPPED_WHILE_IT_READS = """
import django
django.setup()
from django.contrib.contenttypes.models import ContentType
from annotation.kernel.commands.base import TouchstoneCommand

class Command(TouchstoneCommand):
    examples = ("touchstone read",)
    requires_system_checks = []

    def handle(self, **options):
        rows = ContentType.objects.iterator(chunk_size=1)
        next(rows)
        raise KeyboardInterrupt

Command().run_from_argv(["manage.py", "read"])
"""


def test_rows_that_were_being_read_are_let_go_first(tmp_path: Path) -> None:
    """Else their generator ends after the database was closed, with a traceback."""
    shutil.copyfile(migrated_database(), tmp_path / "touchstone.sqlite3")
    variables = {"TOUCHSTONE_VAR": str(tmp_path), "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "touchstone.settings"}
    words = [sys.executable, "-c", STOPPED_WHILE_IT_READS]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "Stopped.\n")


def in_a_shell(line: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`$manage` stands for the program."""
    environment = {**os.environ, **environment, "manage": f"{sys.executable} manage.py"}
    words = ["bash", "-o", "pipefail", "-c", line]
    return subprocess.run(words, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)


def test_a_reader_may_stop_early_and_a_disk_be_full(tmp_path: Path) -> None:
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("".join(f"{n} 0 d 1\n{n} 0 e 0\n" for n in range(5000)))
    run.write_text("".join(f"{n} Q0 d 1 1 x\n" for n in range(5000)))
    early = in_a_shell(f"$manage evaluate {qrels} {run} -q | head -n 1")
    assert (early.returncode, early.stdout.count("\n"), "Traceback" in early.stderr) == (0, 1, False)
    full = in_a_shell(f"$manage evaluate {qrels} {run} --json > /dev/full")
    assert (full.returncode, json.loads(full.stderr.splitlines()[-1])["exit_code"]) == (1, 1)


def test_an_unknown_command_is_wrong_use() -> None:
    ended = in_a_shell("$manage evaluat")
    assert (ended.returncode, "evaluate" in ended.stderr) == (2, True)


def test_a_database_without_tables_is_said(tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path}/db.sqlite3"
    ended = in_a_shell("$manage collection list --json", DATABASE_URL=place, TOUCHSTONE_VAR=str(tmp_path))
    assert (ended.returncode, ended.stdout, json.loads(ended.stderr)["exit_code"]) == (1, "", 1)


@pytest.mark.parametrize("words", [["--version"], ["version"], ["evaluate", "--version"]])
def test_the_version_is_ours(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"touchstone {touchstone.__version__}\n")


def rows_of_docs() -> list[tuple[str, str]]:
    text = (ROOT / "docs/commands.md").read_text("utf-8")
    return re.findall(r"^\| (.+?) \| (.+?) \|$", text, re.MULTILINE)


def test_docs_have_a_row_for_every_deed_and_every_other_name() -> None:
    rows = rows_of_docs()
    in_docs = [name for _, cell in rows for name in DEEDS if re.match(rf"`manage\.py {name}( [^a-z]|`)", cell)]
    older = {first.removeprefix("`manage.py ").strip("`"): now.strip("`") for first, now in rows}
    aliases = {name: deed.alias_of for name, deed in DEEDS.items() if deed.alias_of}
    assert sorted(in_docs) == sorted(set(DEEDS) - set(aliases))
    assert {name: older.get(name) for name in aliases} == aliases


def test_the_lines_of_docs_parse() -> None:
    text = (ROOT / "docs/commands.md").read_text("utf-8")
    lines = re.findall(r"^manage\.py (.+)$", text, re.MULTILINE)
    assert len(lines) > 15
    for line in lines:
        words = shlex.split(line)
        assert parser_of(words[0]).parse_args(words[1:]), line


def test_docs_have_every_exit_code() -> None:
    assert [first for first, _ in rows_of_docs() if first.strip("`").isdigit()] == [f"`{code}`" for code in EXITS]


WITHOUT_DJANGO = """
import json, sys
sys.modules["django"] = None
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
name, calls = sys.argv[1], json.loads(sys.argv[2])
ended = []
for words in calls:
    out, err, code = StringIO(), StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            import_module(f"evaluation.management.commands.{name}").Command().run_from_argv(["", name, *words])
        except SystemExit as end:
            code = end.code or 0
    ended.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(ended))
"""


def ended_without_django(name: str, calls: dict[str, list[str]]) -> dict[str, tuple[int, str, str]]:
    """Exit code, output and errors of each call; all in one process, since most of a call is the start of it."""
    arguments = [sys.executable, "-c", WITHOUT_DJANGO, name, json.dumps(list(calls.values()))]
    done = subprocess.run(arguments, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(zip(calls, map(tuple, json.loads(done.stdout)), strict=True))


@pytest.mark.parametrize("name", ["evaluate", "compare", "compare_many", "trec_eval"])
def test_commands_of_files_work_without_django(name: str, tmp_path: Path) -> None:
    """Help, values, JSON, wrong use and refusals."""
    qrels, broken, runs = tmp_path / "q", tmp_path / "broken", [tmp_path / "one", tmp_path / "two"]
    qrels.write_text("1 0 a 1\n2 0 b 0\n2 0 c 1\n")
    broken.write_text("1 0 a x\n")
    for run in runs:
        run.write_text(f"1 Q0 a 1 9 {run.name}\n2 Q0 b 1 9 {run.name}\n2 Q0 c 2 8 {run.name}\n")
    of_runs = list(map(str, runs[: 1 if name == "trec_eval" else 2]))
    files = [str(qrels), *of_runs]
    ended = ended_without_django(
        name,
        {
            "help": ["--help"],
            "values": [*files, "-m", "recip_rank" if name == "trec_eval" else "RR"],
            "json": [*files, "--json"],
            "misused, json": [*files, "--nothing", "--json"],
            "misused": [*files, "--nothing"],
            "refused": [str(broken), *of_runs, "--json"],
        },
    )

    assert "\nexit codes:\n  0  " in ended["help"][1]
    assert "0.7500" in ended["values"][1]
    assert json.loads(ended["json"][1])
    code, out, err = ended["misused, json"]
    assert (code, out, json.loads(err)["exit_code"]) == (2, "", 2)
    assert ended["misused"][0] == 2
    code, out, err = ended["refused"]
    assert (code, out, len(json.loads(err)["problems"])) == (1, "", 1)
