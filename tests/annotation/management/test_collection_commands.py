"""Collections by command: empty, with texts from files, changed; as the pages do it, audit included."""

import io
import json
from pathlib import Path

import pytest

from annotation.exchange.steps.deletion import deleting
from annotation.models import AuditEvent, Collection, InformationVersion, Job, Membership, Topic
from tests.commands import ran
from tests.factories import make_batch, make_collection, make_topic, make_user

pytestmark = pytest.mark.django_db
GRADES = [{"name": "No", "definition": "Nothing."}, {"name": "Yes", "definition": "Something.", "example": "A page."}]
CASE = {"topic": "bees", "document": "All of it.", "grade": 1, "reason": "It says so."}


def file_of(folder: Path, name: str, content: object) -> str:
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(file)


def test_an_empty_collection_has_the_usual_scale_and_a_guideline() -> None:
    lead = make_user("lead", may_create_collections=True)
    ended = ran("collection", "new", "Bees and honey", "--language", "en-gb", "--json")
    assert (ended.code, ended.facts["slug"], ended.facts["admins"], ended.facts["stored"]) == (
        0,
        "bees-and-honey",
        ["lead"],
        True,
    )
    collection = Collection.objects.get()
    assert collection.scale
    assert collection.guideline
    assert (collection.language, len(collection.scale.grades), collection.guideline.number) == ("en-GB", 5, 1)
    assert Membership.objects.get().user == lead
    assert set(AuditEvent.objects.values_list("verb", "actor__username")) >= {("collection created", "lead")}


def test_its_texts_come_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_user("lead", may_create_collections=True)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"We keep your grades.\r\n")))
    guideline = {"introduction": "Read it.", "cases": [CASE]}
    ended = ran(
        *("collection", "new", "Bees", "--slug", "bees", "--information", "-"),
        *("--scale", file_of(tmp_path, "s.json", GRADES)),
        *("--guideline", file_of(tmp_path, "g.json", guideline)),
    )
    assert (ended.code, ended.out) == (0, "made: bees, 2 grades, led by lead\n")
    collection = Collection.objects.get()
    assert collection.scale
    assert collection.guideline
    assert [grade["name"] for grade in collection.scale.grades] == ["No", "Yes"]
    assert (collection.guideline.introduction, collection.guideline.cases) == ("Read it.", [CASE])
    assert collection.guideline.edge_cases
    assert InformationVersion.objects.get().text == "We keep your grades."
    shown = ran("collection", "show", "bees", "--json").facts
    assert (len(shown["grades"]), shown["guideline"], shown["counts"]["topics"]) == (2, 2, 0)
    assert [row["admins"] for row in ran("collection", "list", "--json").facts] == [["lead"]]


def test_edit_changes_what_is_named_and_nothing_else(tmp_path: Path) -> None:
    collection = make_collection("bees")
    lead = make_user("lead")
    Membership.objects.create(collection=collection, user=lead, role="admin")
    before = collection.name
    tried = ran("collection", "edit", "bees", "--description", "New.", "--dry-run", "--json")
    assert (tried.code, tried.facts["description"], tried.facts["stored"]) == (0, "New.", False)
    guideline = file_of(tmp_path, "g.md", "Judge what it says.\n")
    done = ran("collection", "edit", "bees", "--description", "New.", "--guideline", guideline, "--json")
    assert (done.code, done.facts["description"], list(done.facts["versions"])) == (0, "New.", ["guideline"])
    collection.refresh_from_db()
    assert collection.guideline
    assert (collection.name, collection.description) == (before, "New.")
    assert collection.guideline.introduction == "Judge what it says."
    assert set(AuditEvent.objects.values_list("verb", "actor__username")) == {
        ("collection described", "lead"),
        ("guideline revised", "lead"),
    }
    assert ran("collection", "edit", "bees").code == 2


@pytest.mark.parametrize(
    ("option", "content"),
    [
        ("--scale", "no JSON"),
        ("--scale", [GRADES[0]]),
        ("--scale", [{"name": ""}, GRADES[1]]),
        ("--scale", {"grades": GRADES}),
        ("--guideline", {"introduction": ""}),
        ("--guideline", {"title": "x"}),
        ("--guideline", {"cases": [{**CASE, "grade": 9}]}),
        ("--guideline", {"cases": "x"}),
        ("--information", " "),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_on_trial_too(tmp_path: Path, option: str, content: object) -> None:
    make_user("lead", may_create_collections=True)
    words = ("collection", "new", "Bees", option, file_of(tmp_path, "file", content))
    tried, done = ran(*words, "--dry-run", "--json"), ran(*words, "--json")
    assert (tried.code, done.code, tried.error, tried.out) == (1, 1, done.error, "")
    assert not Collection.objects.exists()


def test_wrong_use_and_refusals(tmp_path: Path) -> None:
    make_user("lead", may_create_collections=True)
    make_user("other")
    ran("collection", "new", "Bees")
    taken, dry = ran("collection", "new", "Bees"), ran("collection", "new", "Wasps", "--dry-run")
    assert (taken.code, taken.err, dry.code) == (1, "slug: “bees” is taken.\n", 0)
    for words in (
        ("new", "Wasps", "--as", "other"),
        ("new", "Wasps", "--as", "nobody"),
        ("new", "Wasps", "--language", "!"),
        ("new", "Wasps", "--scale", str(tmp_path / "none")),
        ("new", "Wasps", "--scale", "-", "--guideline", "-"),
        ("edit", "bees", "--name", "x", "--as", "other"),
        ("edit", "bees", "--name", ""),
    ):
        assert ran("collection", *words).code == 2, words
    assert Collection.objects.count() == 1


def test_delete_asks_for_the_name_and_clears_all_of_it_away() -> None:
    collection = make_collection("bees", admin=make_user("lead"))
    make_topic(collection, "1")
    words = ("collection", "delete", "bees", "--name")
    wrong = ran(*words, "bees", "--json")
    assert (wrong.code, wrong.error["error"]) == (2, "name: This is not the name of the collection.")
    tried = ran(*words, collection.name, "--dry-run", "--json")
    assert (tried.code, tried.facts) == (0, {"slug": "bees", "name": collection.name, "stored": False})
    assert (Collection.objects.count(), Topic.objects.count(), Job.objects.count()) == (1, 1, 0)
    done = ran(*words, collection.name)
    assert (done.code, done.out) == (0, "deleted: bees\n")
    assert (Collection.objects.count(), Topic.objects.count(), Job.objects.get().state) == (0, 0, "done")
    event = AuditEvent.objects.get(verb="collection deleted")
    assert (event.actor and event.actor.username, event.subject) == ("lead", "bees")
    assert ran(*words, collection.name).code == 2


def test_delete_is_refused_on_trial_too_where_the_page_refuses_it() -> None:
    collection = make_collection("bees", admin=make_user("lead"))
    make_batch(collection, [])
    words = ("collection", "delete", "bees", "--name", collection.name, "--json")
    tried, done = ran(*words, "--dry-run"), ran(*words)
    assert (tried.code, done.code, tried.error, done.error["error"]) == (
        *(1, 1, done.error),
        "A batch is open. Close it first.",
    )
    assert Collection.objects.filter(slug="bees").exists()
    assert ran(*words, "--as", "nobody").code == 2


def test_a_deletion_that_is_stopped_is_left_to_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_words: object) -> None:
        raise KeyboardInterrupt

    collection = make_collection("bees", admin=make_user("lead"))
    with monkeypatch.context() as patch:
        patch.setattr(deleting, "delete_in_portions", interrupted)
        stopped = ran("collection", "delete", "bees", "--name", collection.name)
    assert (stopped.code, stopped.err, Job.objects.get().state) == (130, "Stopped.\n", "queued")
    assert not Collection.objects.filter(slug="bees").exists()
    assert ran("worker", "--once").code == 0
    assert (Collection.objects.count(), Job.objects.get().state) == (0, "done")
