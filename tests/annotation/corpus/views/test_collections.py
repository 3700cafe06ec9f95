"""Collections: created, looked at, described; over HTTP."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpus.steps.guidelines import FIRST_GUIDELINE
from annotation.models import DEFAULT_GRADES, AuditEvent, Batch, Collection, Membership
from tests.annotation.roles import ADMINS_ONLY, make_people
from tests.factories import make_batch, make_document, make_run, make_snapshot, make_topic, make_user

pytestmark = pytest.mark.django_db
NEW = "/collections/new"
ENTRIES = {"name": "Bees and hives", "slug": "", "description": "", "scale": "default"}


def scale_entries(*names: str, total: int = 11) -> dict[str, object]:
    """What the browser sends for the rows of a scale."""
    entries: dict[str, object] = {"grades-TOTAL_FORMS": total, "grades-INITIAL_FORMS": 0}
    for row in range(total):
        entries[f"grades-{row}-name"] = names[row] if row < len(names) else ""
        entries[f"grades-{row}-definition"] = entries[f"grades-{row}-example"] = ""
    return entries


def creator() -> Client:
    client = Client()
    client.force_login(make_user("maker", may_create_collections=True))
    return client


def test_creating_makes_scale_guideline_and_admin() -> None:
    answer = creator().post(NEW, ENTRIES)
    assert answer.headers["Location"] == "/c/bees-and-hives/start"
    collection = Collection.objects.get()
    assert (collection.slug, collection.name) == ("bees-and-hives", "Bees and hives")
    assert collection.scale is not None
    assert collection.guideline is not None
    assert (collection.scale.number, collection.scale.grades, len(collection.scale.sha256)) == (1, DEFAULT_GRADES, 64)
    assert (collection.guideline.number, collection.guideline.introduction) == (1, FIRST_GUIDELINE["introduction"])
    assert [(m.user.username, m.role) for m in Membership.objects.all()] == [("maker", "admin")]
    assert AuditEvent.objects.filter(verb="collection created", collection=collection).count() == 1


def test_an_own_scale_begins_empty_so_that_no_usual_definition_stays_under_another_name() -> None:
    rows = creator().get(NEW).context["rows"]
    assert {form[name].value() for form in rows for name in form.fields} == {None}


def test_an_own_scale() -> None:
    entries = {**ENTRIES, "scale": "own", **scale_entries("No", "Yes")}
    entries["grades-1-definition"] = "Answers\r\n  it."
    creator().post(NEW, entries)
    collection = Collection.objects.get()
    assert collection.scale is not None
    assert collection.scale.grades == [
        {"grade": 0, "name": "No", "definition": "", "example": ""},
        {"grade": 1, "name": "Yes", "definition": "Answers it.", "example": ""},
    ]


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("Only one",), "A scale has at least 2 grades."),
        ((), "A scale has at least 2 grades."),
        (("No", "", "Yes"), "Grade 1 is empty. Grades are counted from 0 without a gap."),
        (("", "No", "Yes"), "Grade 0 is empty. Grades are counted from 0 without a gap."),
        (("No", "Yes", "no"), "Grade 0 and another grade have the same name."),
    ],
)
def test_a_scale_that_is_none_is_refused(names: tuple[str, ...], reason: str) -> None:
    answer = creator().post(NEW, {**ENTRIES, "scale": "own", **scale_entries(*names)})
    assert answer.context["rows"].non_form_errors() == [reason]
    assert not Collection.objects.exists()


def test_more_rows_than_a_scale_may_have_are_not_read() -> None:
    names = [f"Grade {number}" for number in range(12)]
    creator().post(NEW, {**ENTRIES, "scale": "own", **scale_entries(*names, total=12)})
    assert not Collection.objects.exists()


def test_a_scale_without_its_rows_is_refused() -> None:
    answer = creator().post(NEW, {**ENTRIES, "scale": "own"})
    assert answer.status_code == 200
    assert not Collection.objects.exists()


@pytest.mark.both("refusals")
@pytest.mark.parametrize(
    ("entries", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "蜂"}, "slug"),
        ({"slug": "two words"}, "slug"),
        ({"slug": "taken"}, "slug"),
        ({"scale": "unknown"}, "scale"),
        ({"name": "nul\0"}, "name"),
    ],
)
def test_what_makes_no_sense_is_refused(entries: dict[str, str], field: str) -> None:
    Collection.objects.create(slug="taken", name="Taken")
    answer = creator().post(NEW, {**ENTRIES, **entries})
    assert list(answer.context["form"].errors) == [field]
    assert Collection.objects.count() == 1


def test_only_those_who_may_create() -> None:
    people = make_people()
    assert people.statuses(NEW) == {
        "admin": 403, "researcher": 403, "annotator": 403, "outsider": 403, "anonymous": 302
    }  # fmt: skip
    assert people.client("admin").post(NEW, ENTRIES).status_code == 403
    assert not Collection.objects.filter(slug="bees-and-hives").exists()


def test_the_overview_is_for_admins_and_researchers_and_annotators_go_to_the_start() -> None:
    people = make_people()
    assert people.statuses("/c/bees/") == {
        "admin": 200, "researcher": 200, "annotator": 302, "outsider": 404, "anonymous": 302
    }  # fmt: skip
    assert people.client("annotator").get("/c/bees/").headers["Location"] == "/"
    assert people.client("annotator").get("/c/bees/", follow=True).status_code == 200


def test_the_overview_counts_and_names_the_next_step() -> None:
    people = make_people()
    make_topic(people.collection)
    for _ in range(2):
        make_document(people.collection)
    context = people.client("admin").get("/c/bees/").context
    assert (context["counts"].topics, context["counts"].documents, context["counts"].annotators) == (1, 2, 1)
    checklist = context["checklist"]
    assert (checklist.next.step.page, checklist.n_done, checklist.is_set_up) == ("runs", 3, False)
    assert [each.step.page for each in checklist.steps if each.step.done] == ["topics", "documents", "people"]
    addresses = {each.step.page: each.address for each in checklist.steps}
    assert (addresses["topics"], addresses["runs"]) == ("/c/bees/topics/", "/c/bees/runs/new")
    assert (addresses["pools"], addresses["snapshots"]) == ("/c/bees/pools/without-runs", "/c/bees/snapshots/new")


def test_the_way_goes_by_runs_and_ends_at_the_leaderboard() -> None:
    people = make_people()
    make_run(people.collection, "1 Q0 a 1 9 one\n")
    checklist = people.client("admin").get("/c/bees/").context["checklist"]
    steps = {each.step.page: each for each in checklist.steps}
    assert steps["runs"].step.done
    assert steps["pools"].address == "/c/bees/pools/runs"
    assert (steps["leaderboard"].step.done, steps["leaderboard"].step.optional) == (False, False)


def test_a_draft_is_gone_on_with_and_a_layout_opened() -> None:
    people = make_people()
    batch = make_batch(people.collection, [], state=Batch.State.DRAFT)
    page = f"/c/bees/batches/{batch.token}/"
    for state in (Batch.State.DRAFT, Batch.State.LAID_OUT):
        Batch.objects.update(state=state)
        steps = people.client("admin").get("/c/bees/").context["checklist"].steps
        assert [each.step.text for each in steps if each.address == page] == [
            "Lay out a batch" if state == Batch.State.DRAFT else "Open it"
        ]


def test_imported_qrels_are_no_snapshot_of_judgments() -> None:
    people = make_people()
    make_snapshot(people.collection, "1 0 a 1\n")
    context = people.client("admin").get("/c/bees/").context
    assert context["counts"].snapshots == 1
    assert [each.step.page for each in context["checklist"].steps if each.step.done] == ["people"]


def test_the_record_is_shown_to_admins_only() -> None:
    people = make_people()
    people.client("admin").post("/c/bees/edit", {"name": "Hives", "description": ""})
    assert [event.verb for event in people.client("admin").get("/c/bees/").context["events"]] == [
        "collection described"
    ]
    assert people.client("researcher").get("/c/bees/").context["events"] == []


def test_name_and_description_are_changed_by_admins() -> None:
    people = make_people()
    assert people.statuses("/c/bees/edit") == ADMINS_ONLY
    assert people.client("researcher").post("/c/bees/edit", {"name": "Mine"}).status_code == 403
    people.client("admin").post("/c/bees/edit", {"name": "Hives", "description": "All of them"})
    people.collection.refresh_from_db()
    assert (people.collection.name, people.collection.description) == ("Hives", "All of them")


def test_the_language_is_told_as_a_tag() -> None:
    creator().post(NEW, {**ENTRIES, "language": "pt-br"})
    assert Collection.objects.get().language == "pt-BR"
    people = make_people()
    admin = people.client("admin")
    admin.post("/c/bees/edit", {"name": "Hives", "language": "zh-hant"})
    people.collection.refresh_from_db()
    assert people.collection.language == "zh-Hant"
    refused = admin.post("/c/bees/edit", {"name": "Hives", "language": "German"})
    assert refused.context["form"].errors == {
        "language": ["This is no language tag: expected something like en, pt-BR or zh-Hant."]
    }
    admin.post("/c/bees/edit", {"name": "Hives", "language": ""})
    people.collection.refresh_from_db()
    assert people.collection.language == ""


@pytest.mark.parametrize(("language", "languages"), [("", []), ("de", ["de"])])
def test_texts_say_in_which_language_they_are(language: str, languages: list[str]) -> None:
    people = make_people()
    Collection.objects.filter(slug="bees").update(language=language)
    make_topic(people.collection, "1"), make_document(people.collection, "d1")
    client = people.client("researcher")
    for page in ("topics/", "documents/", "topics/1", "documents/d1"):
        text = client.get(f"/c/bees/{page}").text
        assert sorted(set(re.findall(r' lang="([^"]*)"', text))) == [*languages, "en"], page


def test_queries_do_not_grow_with_what_is_in_the_collection() -> None:
    people = make_people()
    client = people.client("researcher")

    def queries() -> int:
        make_topic(people.collection)
        make_document(people.collection)
        with CaptureQueriesContext(connection) as seen:
            client.get("/c/bees/")
        return len(seen)

    assert queries() == queries()
