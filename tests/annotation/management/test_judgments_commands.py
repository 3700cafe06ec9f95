"""Judgments made elsewhere and their gold in by command, up to frozen qrels; the rf10 crowd against plain Python."""

import csv
import gzip
import json
from collections import defaultdict
from pathlib import Path
from statistics import median

import pytest

from annotation.models import Batch, Collection, GoldEvent, Import, Item, Judgment
from annotation.quality.policy import Policy as Parameters
from annotation.trust.pages.report import quality_report
from annotation.trust.read.snapshots import qrels_path
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.snapshots import freeze_snapshot, verify_snapshot
from tests.annotation.management.test_import_commands import command, refused, written
from tests.annotation.roles import make_people
from tests.factories import make_collection

pytestmark = pytest.mark.django_db

FILE = "topic,passage,worker,label,time,comment\n1,A,w1,yes,2020-01-02T03:04:05Z,=clear\n1,A,w2,broken,,\n1,B,w1,no,,\n"
CHOSEN = ("--columns", "docno=passage", "--grades", "yes=4, no=0, broken=cannot")


def test_import_judgments(tmp_path: Path) -> None:
    make_collection("bees")
    file = written(tmp_path, "crowd.csv", FILE)
    out, err = command("import_judgments", "bees", file, "--name", "first", *CHOSEN)
    assert (out.splitlines()[0].startswith("read as CSV"), err) == (True, "")
    assert out.splitlines()[1] == (
        "stored: judgments 3, topics 1, documents 2, annotators 2, pairs 2, revisions 0, "
        "grade 0 1, grade 1 0, grade 2 0, grade 3 0, grade 4 1, cannot judge 1"
    )
    assert Batch.objects.get().name == "first"
    judgments = Judgment.objects.order_by("pk").values_list("grade", "comment")
    assert (judgments[0], judgments[2]) == ((4, "=clear"), (0, ""))


def test_a_dry_run_says_the_same_and_stores_nothing(tmp_path: Path) -> None:
    make_collection("bees")
    file = written(tmp_path, "crowd.csv", FILE)
    out, _ = command("import_judgments", "bees", file, *CHOSEN, "--dry-run", "--json")
    facts = json.loads(out)
    assert (facts["stored"], facts["counts"]["Judgments"], facts["counts"]["Cannot judge"]) == (False, 3, 1)
    assert ["passage", "docno"] in facts["format"]["columns"]
    assert [model.objects.count() for model in (Batch, Judgment, Import)] == [0, 0, 0]


def test_words_that_nobody_has_given_a_grade_are_named(tmp_path: Path) -> None:
    make_collection("bees")
    file = written(tmp_path, "crowd.csv", FILE)
    reason, lines = refused("import_judgments", "bees", file, "--columns", "docno=passage", "--grades", "yes=4")
    assert reason == "1 problem; nothing was stored."
    assert "'broken', 'no'" in lines[0]
    reason = refused("import_judgments", "bees", file, "--grades", "yes=most")[0]
    assert reason == "--grades: 'yes=most' is not of the form word=grade, or word=cannot"


def test_who_came_before_is_asked_about(tmp_path: Path) -> None:
    make_collection("bees")
    command("import_judgments", "bees", written(tmp_path, "one.csv", FILE), *CHOSEN)
    two = written(tmp_path, "two.csv", FILE)
    assert refused("import_judgments", "bees", two, *CHOSEN)[1] == [
        "two.csv: w1, w2 came with earlier judgments: say whether they are the same people or new",
        "--annotators same or --annotators new says which",
    ]
    command("import_judgments", "bees", two, *CHOSEN, "--annotators", "same")
    assert Collection.objects.get().annotators.count() == 2
    assert list(Batch.objects.order_by("pk").values_list("name", "state")) == [("one", "closed"), ("two", "closed")]


def test_gold_of_pairs_without_a_text(tmp_path: Path) -> None:
    make_collection("bees")
    command("import_judgments", "bees", written(tmp_path, "crowd.csv", FILE), *CHOSEN)
    gold = written(tmp_path, "gold.tsv", "number\tdocno\tgrade\n1\tA\t2\n1\tB\t7\n")
    out, _ = command("import_gold", "bees", gold, "--grades", "2=4, 7=cannot")
    assert "note: gold.tsv: 1 row that nobody can judge, as the map says, was left aside" in out
    assert list(GoldEvent.objects.values_list("document__docno", "grade")) == [("A", 4)]
    elsewhere = written(tmp_path, "other.tsv", "1\tZ\t2\n")
    assert refused("import_gold", "bees", elsewhere)[1] == [
        "other.tsv:1: the collection has no document Z",
        "--unknown skip leaves such rows aside",
    ]
    reason = refused("import_gold", "bees", gold, "--grades", "2")[0]
    assert reason == "--grades: '2' is not of the form word=grade, or word=cannot"


WORTH = {"0": 0, "1": 2, "2": 4}  # as the README of the data suggests; -2 is a broken link
MAP = "0=0, 1=2, 2=4, -2=cannot"

Rows = list[tuple[str, str, str, str]]


def crowd_of(folder: Path) -> tuple[Rows, dict[tuple[str, str], int]]:
    """The judgments as they stand, and the gold on our scale."""
    with gzip.open(folder / "judgments.tsv.gz", "rt") as stream:
        rows = [(n, d, w, worth) for n, d, w, worth in list(csv.reader(stream, delimiter="\t"))[1:]]
    with (folder / "gold.tsv").open(encoding="utf-8") as stream:
        known = list(csv.reader(stream, delimiter="\t"))[1:]
    return rows, {(n, d): WORTH[worth] for n, d, worth in known if worth in WORTH}


def figures_of(
    rows: Rows, gold: dict[tuple[str, str], int]
) -> tuple[dict[tuple[str, str, str], int], dict[str, list[int]]]:
    """The last grade of each person and pair, where it is one; of each person, for each gold pair, 1 if right."""
    last = {(w, n, d): worth for n, d, w, worth in rows}
    grades = {key: WORTH[worth] for key, worth in last.items() if worth in WORTH}
    right: dict[str, list[int]] = defaultdict(list)
    for (worker, number, docno), grade in grades.items():
        if (number, docno) in gold:
            right[worker].append(int(grade == gold[number, docno]))
    return grades, right


def believed_of(right: dict[str, list[int]], threshold: float) -> set[str]:
    return {worker for worker, scored in right.items() if len(scored) >= 10 and sum(scored) / len(scored) >= threshold}


def brought_crowd(folder: Path) -> tuple[Collection, Batch]:
    """As docs/quality.md says."""
    collection = make_people("rf10").collection
    command("import_judgments", "rf10", folder / "judgments.tsv.gz", "--name", "crowd", "--grades", MAP)
    command("import_gold", "rf10", folder / "gold.tsv", "--grades", "0=0, 1=2, 2=4")
    return collection, Batch.objects.get()


@pytest.mark.shared
def test_the_rf10_crowd_from_file_to_qrels(shared_data: Path) -> None:
    folder = shared_data / "crowd" / "trec-rf10"
    rows, gold = crowd_of(folder)
    grades_by_person, right = figures_of(rows, gold)
    collection, batch = brought_crowd(folder)
    assert (Judgment.objects.count(), Item.objects.count(), GoldEvent.objects.count()) == (98_453, 20_232, 3_277)
    assert batch.n_expected == len({row[:3] for row in rows})

    report = quality_report(collection, [batch], Parameters())
    people = {person.pseudonym: person for person in report.people}
    assert len(people) == 766
    assert {name: person.n_gold for name, person in people.items() if person.n_gold} == {
        worker: len(scored) for worker, scored in right.items()
    }
    assert all(people[worker].accuracy == sum(scored) / len(scored) for worker, scored in right.items())
    assert {name for name, person in people.items() if person.standing == "reliable"} == believed_of(right, 0.7)
    assert len(believed_of(right, 0.7)) == 7
    assert (report.coverage.kept, report.outcome.n_kept) == (0, 3_277)

    policy = store_policy(
        collection, name="mild", parameters=Parameters(accuracy_threshold=0.4, max_range=2), actor=None
    )
    snapshot = freeze_snapshot(collection, name="rf10", batches=[batch], policy=policy, created_by=None)
    believed = believed_of(right, 0.4)
    grades_by_pair: dict[tuple[str, str], list[int]] = defaultdict(list)
    for (worker, number, docno), grade in grades_by_person.items():
        if worker in believed:
            grades_by_pair[number, docno].append(grade)
    kept = {
        pair: int(median(grades))
        for pair, grades in grades_by_pair.items()
        if len(grades) >= 2 and max(grades) - min(grades) <= 2
    }
    expected = {**kept, **gold}
    assert len(expected) > 3_277
    lines = [line.split() for line in qrels_path(snapshot).read_text().splitlines()]
    assert {(number, docno): int(grade) for number, _, docno, grade in lines} == expected
    assert verify_snapshot(snapshot).rebuilt
