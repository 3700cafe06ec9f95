"""Files in by command: the same checks as by page, errors as `file:line: reason`, exit codes 1 and 2."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper

from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.exchange.steps.importing import formats_of
from annotation.kernel.commands.progress import Progress
from annotation.models import GoldEvent, Import, Job, Membership, PoolPair, Snapshot, Topic
from evaluation.models import Run
from tests.commands import ran
from tests.factories import make_collection, make_document, make_topic, make_user

pytestmark = pytest.mark.django_db


def command(name: str, *arguments: str | Path) -> tuple[str, str]:
    """What it wrote to standard output and to standard error."""
    out, err = io.StringIO(), io.StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def refused(name: str, *arguments: str | Path) -> tuple[str, list[str]]:
    """The reason of the failure and the lines on standard error."""
    err = io.StringIO()
    with pytest.raises(CommandError) as failure:
        call_command(name, *map(str, arguments), stdout=io.StringIO(), stderr=err, no_color=True)
    return str(failure.value), err.getvalue().splitlines()


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_import_topics(tmp_path: Path) -> None:
    collection = make_collection("bees")
    file = written(tmp_path, "topics.tsv", "1\tbees\n2\thoney\n")
    out, err = command("import_topics", "bees", file)
    assert (out.splitlines()[0].startswith("read as "), "(tsv)" in out.splitlines()[0], err) == (True, True, "")
    assert out.splitlines()[1:] == ["stored: new 2, unchanged 0, changed 0"]
    assert command("import_topics", "bees", file)[0].endswith("stored: new 0, unchanged 2, changed 0\n")
    assert [version.title for version in current_topic_versions(collection)] == ["bees", "honey"]


def test_import_topics_on_conflict(tmp_path: Path) -> None:
    collection = make_collection("bees")
    command("import_topics", "bees", written(tmp_path, "topics.tsv", "1\tbees\n"))
    other = written(tmp_path, "other.tsv", "1\twasps\n")
    assert refused("import_topics", "bees", other) == (
        "1 problem; nothing was stored.",
        [
            "other.tsv:1: topic 1 is already here with another text",
            "--on-conflict version stores the new text, skip leaves it aside",
        ],
    )
    out, _ = command("import_topics", "bees", other, "--on-conflict", "skip")
    assert out.endswith("stored: new 0, unchanged 0, changed 0, skipped 1\n")
    assert [version.title for version in current_topic_versions(collection)] == ["bees"]
    command("import_topics", "bees", other, "--on-conflict", "version")
    assert [version.title for version in current_topic_versions(collection)] == ["wasps"]


def test_a_dry_run_leaves_nothing(tmp_path: Path) -> None:
    make_collection("bees")
    out, _ = command("import_topics", "bees", written(tmp_path, "topics.tsv", "1\tbees\n"), "--dry-run")
    assert out.endswith("would be stored: new 1, unchanged 0, changed 0\n")
    command("import_run", "bees", written(tmp_path, "r.run", "1 Q0 D1 1 2 mine\n"), "--dry-run")
    assert [model.objects.count() for model in (Topic, Run, Import, Job)] == [0, 0, 0, 0]


def test_import_documents_names_every_problem(tmp_path: Path) -> None:
    make_collection("bees")
    file = written(tmp_path, "d.jsonl", '{"docno": "A"}\nnot json\n{"docno": "A"}\n')
    reason, lines = refused("import_documents", "bees", file)
    assert (reason, len(lines)) == ("2 problems; nothing was stored.", 2)
    assert lines[0].startswith("d.jsonl:2: not a JSON object")
    assert lines[1] == "d.jsonl:3: document A twice, first on line 1"


def test_import_documents(tmp_path: Path) -> None:
    collection = make_collection("bees")
    command("import_documents", "bees", written(tmp_path, "d.jsonl", '{"docno": "A", "text": "one"}\n'))
    assert current_document_versions(collection).get().text == "one"


def test_import_qrels(tmp_path: Path) -> None:
    make_collection("bees")
    out, _ = command("import_qrels", "bees", written(tmp_path, "q.txt", "1 0 A 1\n2 0 A 0\n"), "--name", "official")
    read_as, stored = out.splitlines()
    assert read_as == "read as TREC qrels (trec): number from 1st, docno from 3rd, grade from 4th"
    assert stored == "stored: topics 2, pairs 2, grade 0 1, grade 1 1"
    assert Snapshot.objects.get().name == "official"


def test_import_run(tmp_path: Path) -> None:
    make_collection("bees")
    file = written(tmp_path, "r.run", "1 Q0 D1 1 2 mine\n")
    assert command("import_run", "bees", file)[0].endswith("\nstored: mine, topics 1, rows 1, tied rows 0\n")
    assert "already here, unchanged" in command("import_run", "bees", file)[0]
    other = written(tmp_path, "o.run", "1 Q0 D2 1 2 mine\n1 Q0 D2 1 2 mine\n")
    assert refused("import_run", "bees", other)[1] == [
        "o.run:2: document 'D2' is already retrieved for topic '1' in line 1"
    ]
    assert "\nstored: yours," in command("import_run", "bees", file, "--tag", "yours")[0]
    assert list(Run.objects.values_list("tag", flat=True)) == ["mine", "yours"]


def test_import_pairs_makes_a_pool(tmp_path: Path) -> None:
    collection = make_collection("bees")
    make_topic(collection, "1")
    make_document(collection, "A")
    make_document(collection, "B")
    file = written(tmp_path, "pairs.txt", "1 B\n1 A\n")
    out, _ = command("import_pairs", "bees", file, "--name", "first")
    assert out.endswith("stored: topics 1, pairs 2\n")
    pairs = PoolPair.objects.filter(pool__name="first").order_by("rank")
    assert list(pairs.values_list("document__docno", "rank")) == [("B", 1), ("A", 2)]
    assert refused("import_pairs", "bees", file, "--name", "first")[1] == [
        "pairs.txt: the collection already has a pool called first",
        "--name gives the pool another name",
    ]


def test_import_gold(tmp_path: Path) -> None:
    collection = make_collection("bees")
    make_topic(collection, "1")
    make_document(collection, "A")
    out, _ = command("import_gold", "bees", written(tmp_path, "gold.tsv", "1\tA\t3\tsays so\n"))
    assert out.endswith("stored: new 1, corrected 0, explained anew 0, unchanged 0\n")
    assert list(GoldEvent.objects.values_list("grade", "reason")) == [(3, "says so")]
    assert refused("import_gold", "bees", written(tmp_path, "more.tsv", "1\tA\t2\n1\tC\t2\n"))[1] == [
        "more.tsv:2: the collection has no document C",
        "--unknown skip leaves such rows aside",
    ]


def test_import_gold_corrects_only_where_it_is_told_to(tmp_path: Path) -> None:
    collection = make_collection("bees")
    make_topic(collection, "1")
    make_document(collection, "A")
    command("import_gold", "bees", written(tmp_path, "gold.tsv", "1\tA\t3\n"))
    other, advice = (
        written(tmp_path, "other.tsv", "1\tA\t2\n"),
        "1 pair that is gold is corrected: topic 1, document A: 3 → 2",
    )
    for words in (("--dry-run",), ()):
        ended = ran("import_gold", "bees", str(other), *words)
        assert advice in ended.out
        assert "would be stored: new 0, corrected 1" in ended.out
        assert (ended.code, ended.err) == (1, "Nothing was stored: --correct stores it.\n")
    assert (GoldEvent.objects.count(), Import.objects.count()) == (1, 1)
    assert "stored: new 0, corrected 1" in command("import_gold", "bees", other, "--correct")[0]
    assert list(GoldEvent.objects.order_by("pk").values_list("grade", flat=True)) == [3, 2]


def test_several_files_are_stored_one_after_another_until_one_is_refused(tmp_path: Path) -> None:
    collection = make_collection("bees")
    one, two = written(tmp_path, "1.tsv", "1\tbees\n"), written(tmp_path, "2.tsv", "2\thoney\n")
    bad, last = written(tmp_path, "3.tsv", "3\n"), written(tmp_path, "4.tsv", "4\twax\n")
    ended = ran("import", "topics", "bees", *map(str, (one, two, bad, last)), "--json")
    facts = [json.loads(line) for line in ended.out.splitlines()]
    assert [(each["file"], each["stored"]) for each in facts] == [("1.tsv", True), ("2.tsv", True), ("3.tsv", False)]
    assert (ended.code, [each["file"] for each in ended.error["problems"]]) == (1, ["3.tsv"])
    assert [version.number for version in Topic.objects.filter(collection=collection)] == ["1", "2"]
    assert ran("import", "run", "bees", str(one), str(two), "--tag", "x").code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("import", "pairs", "bees", "-", "--name", "x" * 101),
        ("import", "qrels", "bees", "-", "--name", ""),
        ("import", "run", "bees", "-", "--tag", "two words"),
        ("import", "gold", "bees", "-", "--grades", "one is two"),
        ("import", "judgments", "bees", "-", "--name", "x" * 101),
        ("snapshot", "bees", "x" * 101),
        ("pool", "bees", "x" * 101, "--pairs", "-"),
        ("batch", "new", "bees", "x" * 101, "--pool", "none"),
        ("collection", "edit", "bees", "--name", "x" * 201),
        ("token", "make", "lead", "x" * 101),
    ],
)
def test_values_that_a_form_does_not_take_are_wrong_use(words: tuple[str, ...]) -> None:
    Membership.objects.create(collection=make_collection("bees"), user=make_user("lead"), role="admin")
    ended = ran(*words, "--json")
    assert (ended.code, ended.out, ended.error["exit_code"]) == (2, "", 2)


def test_an_error_for_programs_names_problems_and_what_helps(tmp_path: Path) -> None:
    make_collection("bees")
    assert ran("import", "topics", "bees", str(written(tmp_path, "1.tsv", "1\tbees\n"))).code == 0
    other = str(written(tmp_path, "2.tsv", "1\twasps\n"))
    for words in (["--dry-run"], []):
        ended = ran("import", "topics", "bees", other, *words, "--json")
        reason = "topic 1 is already here with another text"
        assert ended.error == {
            "error": "1 problem; nothing was stored.",
            "exit_code": 1,
            "problems": [{"file": "2.tsv", "line": 1, "reason": reason}],
            "advice": ["--on-conflict version stores the new text, skip leaves it aside"],
        }


def test_one_object_says_what_came_of_it(tmp_path: Path) -> None:
    make_collection("bees")
    out, err = command("import_topics", "bees", written(tmp_path, "t.tsv", "1\tbees\n"), "--json", "--dry-run")
    facts = json.loads(out)
    assert (facts["kind"], facts["file"], facts["stored"], facts["import"], err) == ("topics", "t.tsv", False, None, "")
    assert (facts["counts"], facts["n_problems"]) == ({"New": 1, "Unchanged": 0, "Changed": 0}, 0)
    assert facts["format"]["name"] == "tsv"
    assert json.loads(command("import_topics", "bees", tmp_path / "t.tsv", "--json")[0])["stored"] is True


def test_one_object_says_what_was_wrong(tmp_path: Path) -> None:
    make_collection("bees")
    out, file = io.StringIO(), str(written(tmp_path, "t.tsv", "1\tbees\n1\twasps\n"))
    with pytest.raises(CommandError) as failure:
        call_command("import_topics", "bees", file, "--json", stdout=out, stderr=io.StringIO())
    assert failure.value.returncode == 1
    facts = json.loads(out.getvalue())
    assert (facts["stored"], facts["n_problems"], facts["counts"]["Duplicates"]) == (False, 1, 1)
    assert facts["problems"] == [{"file": "t.tsv", "line": 2, "reason": "topic 1 twice, first on line 1"}]


def test_what_a_file_is_read_as_may_be_said(tmp_path: Path) -> None:
    make_collection("bees")
    file = written(tmp_path, "q.txt", "1 0 A 1\n")
    assert "(trec)" in command("import_qrels", "bees", file, "--name", "q", "--format", "trec")[0]
    _, lines = refused("import_qrels", "bees", file, "--name", "r", "--columns", "docno=b", "grade=c")
    assert lines == ["q.txt: TREC qrels has its columns in fixed places: none can be chosen"]
    for wrong in (["--format", "sgml"], ["--columns", "docno"], ["--columns", "=b"]):
        with pytest.raises(CommandError) as failure:
            call_command("import_qrels", "bees", str(file), "--name", "s", *wrong)
        assert failure.value.returncode == 2
    assert Snapshot.objects.count() == 1


def test_the_standard_input_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_collection("bees")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1\tbees\n2\n")))
    assert refused("import_topics", "bees", "-")[1][0].startswith("standard input:2: ")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1\tbees\n")))
    assert command("import_topics", "bees", "-")[0].endswith("stored: new 1, unchanged 0, changed 0\n")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.commands.progress.STEP", 0)
    screen, paper = Screen(), io.StringIO()
    for stream in (screen, paper):
        progress = Progress(OutputWrapper(stream))
        progress(1, 2, "3 topics read")
        progress.end()
    assert f"[{'#' * 15}{'.' * 15}] 3 topics read" in screen.getvalue()
    assert (screen.getvalue().endswith("\r"), paper.getvalue()) == (True, "")


@pytest.mark.parametrize("name", ["topics", "documents", "qrels", "run", "pairs", "gold"])
def test_help_names_the_forms_and_the_exit_codes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command(f"import_{name}", "--help")
    output = capsys.readouterr().out
    assert all(f"  {form.name} " in output for form in formats_of(name))
    assert "\n  1    refused" in output


@pytest.mark.parametrize("name", ["import_topics", "import_documents", "import_run"])
def test_a_missing_collection_or_file_is_named(tmp_path: Path, name: str) -> None:
    make_collection("bees")
    file = written(tmp_path, "f", "1\n")
    assert refused(name, "wasps", file)[0] == "There is no collection wasps."
    with pytest.raises(CommandError) as failure:
        call_command(name, "wasps", str(file))
    assert failure.value.returncode == 2
    assert refused(name, "bees", tmp_path / "missing")[0] == f"{tmp_path / 'missing'}: No such file or directory"
