"""Worked examples of a guideline: rows that are added, moved, removed, checked, stored and shown; over HTTP."""

import re

import pytest
from django.test import Client

from annotation.corpus.steps.guidelines import GuidelineText, guideline_sha256, revise_guideline
from annotation.models import Case, GuidelineVersion
from tests.annotation.roles import People, make_people

pytestmark = pytest.mark.django_db
EDIT = "/c/bees/guideline/edit"
PREVIEW = "/c/bees/guideline/preview"
TEXTS = {"introduction": "Judge what the text says.", "examples": "", "edge_cases": ""}


def case(topic: str, grade: int = 0) -> Case:
    return Case(topic=topic, document=f"About {topic}", grade=grade, reason=f"Because of {topic}")


def entries(*cases: Case, deed: str = "save", based_on: int = 1, **changes: str) -> dict[str, object]:
    rows = {f"case-{at}-{name}": value for at, each in enumerate(cases) for name, value in each.items()}
    return {**TEXTS, "n_cases": len(cases), **rows, "deed": deed, "based_on": based_on, **changes}


def rows_of(text: str) -> list[str]:
    """The topics that stand in the rows."""
    return [
        (re.findall(r' value="([^"]*)"', field) or [""])[0]
        for field in re.findall(r'<input[^>]*name="case-\d+-topic"[^>]*>', text)
    ]


def in_force(people: People) -> GuidelineVersion:
    people.collection.refresh_from_db()
    assert people.collection.guideline is not None
    return people.collection.guideline


def test_cases_are_stored_in_their_order_and_blank_rows_are_none() -> None:
    people = make_people()
    cases = [case("moths", 4), case("bees", 0)]
    blank = {"topic": "", "document": "", "grade": "", "reason": ""}
    people.client("admin").post(EDIT, entries(cases[0], blank, cases[1]))  # type: ignore[arg-type]
    assert in_force(people).cases == cases
    form = people.client("admin").get(EDIT)
    assert rows_of(form.text) == ["moths", "bees"]


def test_a_guideline_without_cases_keeps_the_hash_of_old() -> None:
    """The hash is that of the three texts in canonical JSON, from before there were cases."""
    text = GuidelineText(introduction="Judge what the text says.", examples="", edge_cases="")
    old = "c2b25d7d95ee542362ec9db479d25f3f1e00cbb5f60cfca9d5f515db97b9e7b6"
    assert guideline_sha256(text) == guideline_sha256(text, []) == old
    assert guideline_sha256(text, [case("moths")]) != old


def test_the_order_of_cases_and_each_of_their_words_make_another_version() -> None:
    people = make_people()
    one, two = case("moths", 4), case("bees", 0)
    for cases in ([one, two], [two, one], [one], [{**one, "reason": "x"}], [{**one, "grade": 3}], [one, two]):
        revise_guideline(people.collection, **TEXTS, cases=cases, actor=None)  # type: ignore[arg-type]
    assert people.collection.guideline_versions.count() == 1 + 5
    assert in_force(people).number == 2


@pytest.mark.parametrize(
    ("deed", "rows"),
    [
        ("add", ["a", "b", "c", ""]),
        ("up 1", ["b", "a", "c"]),
        ("down 0", ["b", "a", "c"]),
        ("down 1", ["a", "c", "b"]),
        ("remove 1", ["a", "c"]),
        ("up 0", ["a", "b", "c"]),
        ("down 2", ["a", "b", "c"]),
        ("remove 9", ["a", "b", "c"]),
        ("down 9", ["a", "b", "c"]),
        ("up ²", ["a", "b", "c"]),
        ("explode 1", ["a", "b", "c"]),
        ("preview", ["a", "b", "c"]),
    ],
)
def test_rows_are_moved_by_the_form_itself_and_nothing_is_stored(deed: str, rows: list[str]) -> None:
    people = make_people()
    answer = people.client("admin").post(EDIT, entries(*map(case, "abc"), deed=deed, introduction="Not yet saved."))
    assert answer.status_code == 200
    assert rows_of(answer.text) == rows
    assert "Not yet saved." in answer.text
    assert "errors" not in answer.text
    assert GuidelineVersion.objects.filter(collection=people.collection).count() == 1


@pytest.mark.parametrize(
    ("deed", "focused"),
    [
        ("add", 'id="id_case-2-topic"'),
        ("up 1", 'value="down 0"'),
        ("down 0", 'value="up 1"'),
        ("remove 1", 'value="remove 0"'),
    ],
)
def test_the_focus_stays_with_what_was_moved(deed: str, focused: str) -> None:
    people = make_people()
    text = people.client("admin").post(EDIT, entries(case("a"), case("b"), deed=deed)).text
    (element,) = re.findall(r"<[^>]*\bautofocus\b[^>]*>", text)
    assert focused in element


def test_removing_the_last_row_leaves_the_focus_on_adding_one() -> None:
    people = make_people()
    text = people.client("admin").post(EDIT, entries(case("a"), deed="remove 0")).text
    (element,) = re.findall(r"<[^>]*\bautofocus\b[^>]*>", text)
    assert 'value="add"' in element


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"topic": ""}, "topic"),
        ({"document": ""}, "document"),
        ({"reason": ""}, "reason"),
        ({"grade": ""}, "grade"),
        ({"grade": "5"}, "grade"),
        ({"topic": "x" * 301}, "topic"),
        ({"document": "x" * 3001}, "document"),
    ],
)
def test_a_row_that_is_not_whole_is_refused_in_its_place(change: dict[str, str], field: str) -> None:
    people = make_people()
    wrong = {**case("b"), **change}
    answer = people.client("admin").post(EDIT, entries(case("a"), wrong))  # type: ignore[arg-type]
    assert answer.status_code == 422
    assert [list(form.errors) for form in answer.context["rows"].forms] == [[], [field]]
    assert in_force(people).number == 1


def test_there_is_an_end_to_rows() -> None:
    people = make_people()
    answer = people.client("admin").post(EDIT, entries(*[case("a")] * 44, deed="add"))
    assert len(rows_of(answer.text)) == 44
    assert re.search(r'value="add"[^>]*disabled', answer.text)
    answer = people.client("admin").post(EDIT, {**entries(case("a"), deed="add"), "n_cases": "99999999"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("grades", "warning"),
    [
        ([], "There are no worked examples yet."),
        ([0, 1, 2, 3], "No worked example has grade 4."),
        ([1, 3, 3], "No worked example has grade 0, 2 or 4."),
        ([4, 3, 2, 1, 0, 0], None),
    ],
)
def test_grades_without_an_example_are_named(grades: list[int], warning: str | None) -> None:
    people = make_people()
    admin = people.client("admin")
    admin.post(EDIT, entries(*(case(f"t{at}", grade) for at, grade in enumerate(grades))))
    for text in (admin.get("/c/bees/guideline/").text, admin.get(EDIT).text):
        assert ("worked example" in re.sub(r"(?s)<fieldset.*</fieldset>", "", text)) == (warning is not None)
        assert warning is None or warning in text
    assert "worked example" not in people.client("annotator").get("/c/bees/guideline/").text


def previewed(client: Client, data: dict[str, object]) -> str:
    answer = client.post(PREVIEW, data)
    assert answer.status_code == 200
    return answer.text


def test_the_preview_shows_what_is_being_written_safely_and_stores_nothing() -> None:
    people = make_people()
    admin = people.client("admin")
    evil = Case(topic="<script>alert(1)</script>", document="one\ntwo", grade=3, reason="<b>")
    text = previewed(admin, entries(evil, case("half", 2) | {"reason": ""}, introduction="**bold** <i>x</i>"))
    assert "<strong>bold</strong> &lt;i&gt;x&lt;/i&gt;" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script" not in text
    assert "one<br>two" in text
    assert "3</span> Highly relevant" in text
    assert "half" not in text
    assert "No worked example has grade 0, 1, 2 or 4." in text
    assert previewed(admin, entries(introduction="*" * 40_000))
    assert previewed(admin, {})
    assert GuidelineVersion.objects.filter(collection=people.collection).count() == 1


def test_only_admins_preview_and_only_by_post() -> None:
    people = make_people()
    statuses = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}
    assert {who: people.client(who).post(PREVIEW, entries()).status_code for who in statuses} == statuses
    assert people.client("admin").get(PREVIEW).status_code == 405


def test_everybody_reads_the_cases_and_a_version_says_which_came_and_went() -> None:
    people = make_people()
    admin = people.client("admin")
    admin.post(EDIT, entries(case("moths", 4)))
    admin.post(EDIT, entries(case("moths", 3), based_on=2))
    for who in ("annotator", "researcher"):
        assert "About moths" in people.client(who).get("/c/bees/guideline/").text
    version = admin.get("/c/bees/guideline/3")
    assert "Grade <del>4</del><ins>3</ins>. Topic: moths" in version.text
    assert [section.is_same for section in version.context["changed"]] == [True, False, True, True]
