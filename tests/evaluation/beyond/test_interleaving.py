"""Interleaving in a collection: lists drawn, clicks credited, power simulated; page, API and command say the same."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import AuditEvent, Job
from evaluation.models import Description
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.evaluation.beyond.test_descriptions import LOG, asked_of, sent, worked
from tests.evaluation.management.calling import called
from tests.factories import make_run, make_snapshot

pytestmark = pytest.mark.django_db

TOPICS = range(1, 7)


def run_text(tag: str, seed: int) -> str:
    rng = np.random.default_rng(seed)
    lines = []
    for topic in TOPICS:
        order = rng.permutation(15)[:12].tolist()
        lines += [f"{topic} Q0 d{docno} {at} {20 - at} {tag}\n" for at, docno in enumerate(order, 1)]
    return "".join(lines)


RUNS = {tag: run_text(tag, seed) for seed, tag in enumerate(("old", "new", "third"))}
GRADES = "".join(f"{topic} 0 d{docno} {docno % 3}\n" for topic in TOPICS for docno in range(15))


@pytest.fixture
def people() -> People:
    people = make_people()
    for text in RUNS.values():
        make_run(people.collection, text)
    make_snapshot(people.collection, GRADES, name="judged")
    return people


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for tag, text in RUNS.items():
        (tmp_path / f"{tag}.run").write_text(text)
    (tmp_path / "judged").write_text(GRADES)
    return tmp_path


def drawn(people: People, **query: Any) -> bytes:
    answer = caller(people.researcher).get(reverse("api_interleaved_lists", args=["bees"]), query)
    assert answer.status_code == 200, answer.content
    return answer.getvalue()


@pytest.mark.parametrize(
    ("tags", "options"),
    [
        (("old", "new"), {"method": "team_draft", "shared_prefix": "teamless"}),
        (("new", "old"), {"method": "optimised", "click_credit": "linear", "depth": "5"}),
        (("old", "new", "third"), {"method": "probabilistic", "tau": "1.5"}),
    ],
)
def test_lists_are_those_of_the_command(
    people: People, folder: Path, tags: tuple[str, ...], options: dict[str, str]
) -> None:
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    printed, _ = called("interleave", *(folder / f"{tag}.run" for tag in tags), "--lists=3", "--seed=7", *flags)
    query = {"runs": tags, "lists": "3", "seed": "7", **options}
    assert drawn(people, **query).decode() == printed
    page = people.client("researcher").get("/c/bees/beyond/lists", {"depth": "10", **query})
    assert page.getvalue().decode() == printed
    address, client = reverse("api_interleaved_lists", args=["bees"]), caller(people.researcher)
    asked = [query, {**query, "seed": "8"}, {**query, "runs": tags[::-1]}]
    assert len({client.get(address, one).headers["ETag"] for one in (*asked, query)}) == 3
    assert page.headers["Content-Disposition"] == 'attachment; filename="bees-lists.jsonl"'


def test_clicks_are_credited_alike_by_every_door(people: People, folder: Path) -> None:
    lists = drawn(people, runs=["old", "new", "third"], lists="20", method="team_draft")
    (folder / "lists.jsonl").write_bytes(lists)
    asked = ("--impressions", "400", "--clicks", "perfect", "-o", folder / "clicks.jsonl")
    called("simulate_clicks", folder / "judged", folder / "lists.jsonl", *asked)
    options = ("--confidence", "0.9", "--correction", "bonferroni", "--json")
    command = json.loads(called("credit_clicks", folder / "lists.jsonl", folder / "clicks.jsonl", *options)[0])
    files = {
        "lists": SimpleUploadedFile("lists.jsonl", lists),
        "log": SimpleUploadedFile("clicks.jsonl", (folder / "clicks.jsonl").read_bytes()),
    }
    description = asked_of(people, "interleaving", confidence="0.9", correction="bonferroni", **files)
    assert description["figures"] == command
    page = people.client("researcher").get(f"/c/bees/beyond/of/{description['key']}")
    assert all(sentence.replace("'", "&#x27;") in page.text for sentence in command["words"])
    rows = page.context["table"].rows
    assert [row[:5] for row in rows] == [
        [one["first"], one["second"], *(f"{one[name]:,}" for name in ("wins", "losses", "ties"))]
        for one in command["preferences"]
    ]
    (picture,) = page.context["pictures"]
    values = [mark.estimate.value for mark in picture.plot.marks]
    assert values == [0.5, *(one["share"] for one in command["preferences"])]
    shown = [mark.estimate.is_marked for mark in picture.plot.marks]
    assert shown == [False, *(one["p_adjusted"] <= 0.1 for one in command["preferences"])]
    file = people.client("researcher").get(f"/c/bees/beyond/of/{description['key']}/file")
    table = file.content.decode().splitlines()
    first = command["preferences"][0]
    assert table[1].split(",")[5:8] == [repr(each) for each in (first["share"], *first["clustered"].values())]
    assert page.context["command"].startswith("manage.py credit_clicks lists.jsonl clicks.jsonl --")
    assert "--confidence 0.9" in page.context["command"]


def test_ties_alone_have_no_share_and_a_log_is_refused_by_line(people: People) -> None:
    one = {"number": "1", "list": 1, "method": "team_draft", "rankers": ["A", "B"], "docnos": ["x", "y"]}
    lists = json.dumps({**one, "teams": ["A", None]}) + "\n"
    entries = sent(lists=lists, log="number,list,position\n1,1,2\n")
    description = asked_of(people, "interleaving", **entries)
    assert description["figures"]["preferences"][0]["share"] is None
    page = people.client("researcher").get(f"/c/bees/beyond/of/{description['key']}")
    assert (page.context["pictures"], page.context["table"].rows[0][5]) == ([], "–")
    address = reverse("api_interleaving", args=["bees"])
    entries = sent(lists=lists, log="number,list,position\n1,1,1\n\n1,1,3\n")
    assert caller(people.researcher).post(address, entries, format="multipart").status_code == 202
    job = worked()
    assert (job.state, job.error) == (
        Job.State.FAILED,
        "log.csv:4: position 3 lies behind the end of the list, which has 2",
    )


def test_power_is_that_of_the_command(people: People, folder: Path) -> None:
    options = {"clicks": "position_based", "eta": "0.5", "sizes": "20,50", "replications": "30", "seed": "3"}
    flags = [f"--{name}={value}" for name, value in options.items()]
    files = (folder / "judged", folder / "old.run", folder / "new.run")
    command = json.loads(called("interleaving_power", *files, *flags, "--json")[0])
    stored = {"snapshot": "judged", "first": "old", "second": "new"}
    description = asked_of(people, "interleaving_power", **stored, **{**options, "sizes": "50, 20"})
    assert description["figures"] == command
    page = people.client("researcher").get(f"/c/bees/beyond/of/{description['key']}")
    (picture,) = page.context["pictures"]
    lines = {line.curve.name: line.curve.values for line in picture.plot.lines}
    assert lines["interleaving"] == [point["interleaving"]["found"] for point in command["points"]]
    assert lines["A/B test"] == [point["ab"]["found"] for point in command["points"]]
    assert page.context["command"].startswith("manage.py interleaving_power judged old new --")
    assert "--method team_draft" in page.context["command"]
    page_says_rows = people.client("researcher").get(f"/c/bees/beyond/of/{description['key']}/file").content.decode()
    assert page_says_rows.splitlines()[1].startswith(f"20,{command['points'][0]['interleaving']['found']!r},")


WRONG: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("interleaving", {}, "lists", "Send a file"),
    ("interleaving", {"confidence": "1", **sent(lists="a", log="b")}, "confidence", "less than or equal to 0.9999"),
    ("interleaving_power", {"snapshot": "judged", "first": "old"}, "second", "Choose a run"),
    ("interleaving_power", {"snapshot": "judged", "first": "old", "second": "old"}, "second", "The same run"),
    ("interleaving_power", {"snapshot": "none"}, "snapshot", "Select a valid choice"),
    ("interleaving_power", {"snapshot": "judged", "sizes": "10,many"}, "sizes", "Whole numbers"),
    ("interleaving_power", {"snapshot": "judged", "sizes": "3"}, "sizes", "of 4 to 100,000"),
    ("interleaving_power", {"snapshot": "judged", "sizes": "100000", "replications": "2000"}, "sizes", "more than"),
    ("interleaving_power", {"snapshot": "judged", "eta": "2"}, "clicks", "eta is a parameter of position_based"),
    ("interleaving_power", {"snapshot": "judged", "tau": "2"}, "method", "team draft has no tau"),
    ("interleaving_power", {"snapshot": "judged", "method": "optimised", "depth": "20"}, "depth", "at most 10"),
)


def test_a_question_of_no_sense_is_refused(people: People) -> None:
    program = caller(people.researcher)
    for kind, entries, field, reason in WRONG:
        for value in entries.values():
            if isinstance(value, SimpleUploadedFile):
                value.seek(0)
        answer = program.post(reverse(f"api_{kind}", args=["bees"]), entries, format="multipart")
        assert (answer.status_code, reason in " ".join(answer.json()["errors"][field])) == (400, True), entries
    assert not Job.objects.exists()
    address = reverse("api_interleaved_lists", args=["bees"])
    others = [make_run(people.collection, f"1 Q0 d1 1 9 run-{n}\n").tag for n in range(18)]
    for query, reason in (
        ({"runs": ["old"]}, "Two at least"),
        ({"runs": [*RUNS, *others]}, "20 at most"),
        ({"runs": ["old", "none"]}, "Select a valid choice"),
        ({"runs": ["old", "new", "third"], "method": "balanced"}, "take team draft"),
    ):
        assert reason in str(program.get(address, query).json()["errors"]["runs"]), query
        page = people.client("researcher").get("/c/bees/beyond/lists", query)
        assert page.status_code == 422
    make_run(people.collection, "".join(f"{n} Q0 d{d} 1 {d} wide\n" for n in range(101) for d in range(2)))
    make_run(people.collection, "".join(f"{n} Q0 d{d} 1 {-d} deep\n" for n in range(101) for d in range(2)))
    many: dict[str, Any] = {"runs": ["wide", "deep"], "method": "optimised"}
    assert "101 topics are too many at once" in str(program.get(address, many).json()["errors"]["runs"])
    long = {"runs": ["wide", "deep"], "lists": "1000", "depth": "2"}
    assert "at most 200,000 documents" in str(program.get(address, long).json()["errors"]["runs"])
    shown = people.client("researcher").get("/c/bees/beyond/lists", {**many, "depth": 5, "lists": 1, "seed": 0})
    assert (shown.status_code, "too many at once" in shown.text) == (422, True)
    assert people.statuses("/c/bees/beyond/lists") == RESEARCH_ONLY


def test_a_description_is_deleted_by_every_door(people: People) -> None:
    keys = [
        asked_of(people, "recommendations", **sent(asked_file=LOG.replace("4\t1\t0", f"4\t{n}\t0")))["key"]
        for n in range(2, 5)
    ]
    address = reverse("api_description", args=["bees", keys[0]])
    statuses = {who: client.delete(address).status_code for who, client in callers(people).items() if who != "admin"}
    assert statuses == {**{who: code for who, code in RESEARCH.items() if who != "admin"}, "researcher": 403}
    assert caller(people.admin).delete(address).status_code == 204
    assert caller(people.admin).delete(address).status_code == 404
    assert people.client("researcher").post(f"/c/bees/beyond/of/{keys[1]}/delete").status_code == 403
    page = people.client("admin").post(f"/c/bees/beyond/of/{keys[1]}/delete", follow=True)
    assert "The description is deleted." in page.text
    assert ran("delete", "description", "bees", keys[2], "--dry-run").code == 0
    job = Job.objects.latest("pk")
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
    refused = ran("delete", "description", "bees", keys[2])
    assert (refused.code, "A job describes it anew" in refused.err) == (1, True)
    kept = people.client("admin").post(f"/c/bees/beyond/of/{keys[2]}/delete", follow=True)
    assert ("A job describes it anew" in kept.text, Description.objects.count()) == (True, 1)
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)
    assert ran("delete", "description", "bees", keys[2]).code == 0
    assert ran("delete", "description", "bees", keys[2]).code == 2
    assert not Description.objects.exists()
    assert AuditEvent.objects.filter(verb="description deleted").count() == 3
