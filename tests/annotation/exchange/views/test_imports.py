"""Upload, progress, preview, problems, publish: the page family of imports, and who may open it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from annotation.corpus.read.texts import current_topic_versions
from annotation.models import Import, Job, Notice, Snapshot, Topic
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people

pytestmark = pytest.mark.django_db

TOPICS = "1\tbees\tWhat do bees eat?\n2\t<b>honey</b>\n"


@pytest.fixture
def people() -> People:
    return make_people()


def upload(people: People, kind: str, text: str, *, who: str = "admin", **options: str) -> Import:
    """Send the form; the import it made."""
    address = reverse("import_new", args=["bees", kind])
    if kind in ("topics", "documents"):
        options = {"on_conflict": "refuse", **options}
    file = SimpleUploadedFile(f"{kind}.txt", text.encode())
    response = people.client(who).post(address, {"file": file, **options})
    assert response.status_code == 302, response.text
    record = Import.objects.latest("pk")
    assert response["Location"] == reverse("import_detail", args=["bees", record.pk])
    return record


def page(people: People, record: Import, *, who: str = "admin", part: bool = False) -> tuple[int, str]:
    headers = {"HX-Request": "true"} if part else {}
    response = people.client(who).get(reverse("import_detail", args=["bees", record.pk]), headers=headers)
    return response.status_code, response.text


def press(people: People, record: Import, button: str, *, who: str = "admin") -> int:
    return people.client(who).post(reverse(f"import_{button}", args=["bees", record.pk])).status_code


def work() -> None:
    call_command("worker", once=True)


def test_import_new_shows_its_form_for_each_kind(people: People) -> None:
    client = people.client("admin")
    for kind, field in (("topics", "on_conflict"), ("documents", "on_conflict"), ("qrels", "name")):
        html = client.get(reverse("import_new", args=["bees", kind])).text
        assert (f"<h1>Import {kind}</h1>" in html, f'name="{field}"' in html) == (True, True)


def test_an_import_told_to_be_published_waits_and_says_so(people: People) -> None:
    record = upload(people, "topics", TOPICS)
    work()
    listed, part = reverse("imports", args=["bees"]), {"HX-Request": "true"}
    before = [page(people, record)[1], people.client("admin").get(listed, headers=part).text]
    press(people, record, "publish")
    after = [page(people, record)[1], people.client("admin").get(listed, headers=part).text]
    assert [("Ready to publish" in html, "To be stored" in html) for html in before] == [(True, False)] * 2
    assert [("Ready to publish" in html, "To be stored" in html) for html in after] == [(False, True)] * 2


def test_import_detail_from_upload_to_publishing(people: People) -> None:
    record = upload(people, "topics", TOPICS)
    status, html = page(people, record)
    assert (status, 'hx-trigger="every 1s"' in html, "Waits for its turn" in html) == (200, True, True)
    assert page(people, record, part=True)[0] == 200

    work()
    status, part = page(people, record, part=True)
    assert (status, "hx-trigger" in part, "<html" in part) == (286, False, False)
    assert "Ready to publish" in part
    assert "&lt;b&gt;honey&lt;/b&gt;" in part
    assert Topic.objects.count() == 0
    waits = Notice.objects.get(user=people.admin)
    assert waits.read_at is None

    assert press(people, record, "publish") == 302
    work()
    assert Notice.objects.get(user=people.admin, read_at=None).pk > waits.pk, "it waits no more"
    status, html = page(people, record)
    assert ("Published" in html, reverse("topics", args=["bees"]) in html, ">Publish<" in html) == (True, True, False)
    assert Topic.objects.count() == 2


def test_import_detail_of_a_failed_job_says_why(people: People, settings: Settings) -> None:
    record = upload(people, "topics", TOPICS)
    settings.TOUCHSTONE_IMPORTERS = {"topics": "annotation.exchange.steps.importing.nothing.Here"}
    work()
    html = page(people, record)[1]
    assert ("Failed" in html, "Nothing was stored." in html, "ModuleNotFoundError" in html) == (True, True, True)


def test_a_researcher_is_offered_no_import_of_the_admins(people: People) -> None:
    record = upload(people, "topics", TOPICS, publish="on", format="tsv")
    work()
    offer = reverse("import_new", args=[people.collection.slug, "documents"])
    assert (offer in page(people, record)[1], offer in page(people, record, who="researcher")[1]) == (True, False)


def test_publishing_without_asking(people: People) -> None:
    record = upload(people, "topics", TOPICS, publish="on", format="tsv")
    work()
    record.refresh_from_db()
    assert (record.state, Topic.objects.count()) == ("published", 2)


def test_what_was_only_recognised_is_asked_about_in_any_case(people: People) -> None:
    record = upload(people, "topics", TOPICS, publish="on")
    work()
    assert "Ready to publish" in page(people, record)[1]
    assert Topic.objects.count() == 0


def test_problems_reach_the_page_with_file_line_and_reason(people: People) -> None:
    record = upload(people, "topics", "1\tbees\n" + "2\n" * 25)
    work()
    html = page(people, record)[1]
    assert ("25 problems." in html, "1–20 of 25" in html) == (True, True)
    assert '<td class="code wide">topics.txt</td><td class="num fit">2</td>' in html
    assert "2 to 4 columns expected (number, title, description, narrative), 1 found" in html
    assert ('<td class="num fit">21</td>' in html, '<td class="num fit">22</td>' in html) == (True, False)
    assert ("Nothing was stored." in html, Topic.objects.count()) == (True, 0)


def test_import_problems_are_a_text_of_all_of_them(people: People) -> None:
    record = upload(people, "topics", "1\tbees\n" + "2\n" * 25)
    work()
    response = people.client("researcher").get(reverse("import_problems", args=["bees", record.pk]))
    lines = response.text.splitlines()
    assert (len(lines), response["Content-Type"]) == (25, "text/plain; charset=utf-8")
    assert lines[-1] == "topics.txt:26: 2 to 4 columns expected (number, title, description, narrative), 1 found"


def test_qrels_by_page_become_a_snapshot(people: People) -> None:
    record = upload(people, "qrels", "1 0 A 1\n1 0 B 0\n", who="researcher", name="official")
    work()
    assert press(people, record, "publish", who="researcher") == 302
    work()
    snapshot = Snapshot.objects.get()
    assert (snapshot.name, snapshot.n_pairs, snapshot.created_by) == ("official", 2, people.researcher)


def test_a_taken_name_is_refused_by_the_form(people: People) -> None:
    upload(people, "qrels", "1 0 A 1\n", name="official", publish="on", format="trec")
    work()
    address = reverse("import_new", args=["bees", "qrels"])
    file = SimpleUploadedFile("q.txt", b"1 0 A 1\n")
    response = people.client("admin").post(address, {"file": file, "name": "official"})
    assert response.status_code == 422
    assert "already has a snapshot of this name" in response.text


@pytest.mark.parametrize(
    ("data", "limit", "reason"),
    [
        ({"on_conflict": "refuse"}, 100, "This field is required."),
        ({"file": b"", "on_conflict": "refuse"}, 100, "The submitted file is empty."),
        ({"file": b"1\tbees\n", "on_conflict": "refuse"}, 3, "is larger than 3\xa0bytes"),
        ({"file": b"1\tbees\n", "on_conflict": "perhaps"}, 100, "Select a valid choice."),
        ({"file": b"1\tbees\n"}, 100, "This field is required."),
    ],
)
def test_a_form_that_is_wrong_imports_nothing(
    people: People, settings: Settings, data: dict[str, str | bytes], limit: int, reason: str
) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT = limit
    sent = {k: SimpleUploadedFile("t.tsv", v) if isinstance(v, bytes) else v for k, v in data.items()}
    response = people.client("admin").post(reverse("import_new", args=["bees", "topics"]), sent)
    assert (response.status_code, reason in response.text) == (422, True)
    assert (Import.objects.count(), Job.objects.count()) == (0, 0)


def test_import_cancel_before_the_check(people: People) -> None:
    record = upload(people, "topics", TOPICS)
    assert press(people, record, "cancel") == 302
    work()
    assert "Cancelled. Nothing was stored." in page(people, record)[1]


def test_publishing_what_was_refused_says_so(people: People) -> None:
    record = upload(people, "topics", "1\n")
    work()
    address = reverse("import_publish", args=["bees", record.pk])
    response = people.client("admin").post(address, follow=True)
    assert "not ready to be published" in response.text


def test_imports_asks_again_while_something_moves(people: People) -> None:
    upload(people, "topics", TOPICS, publish="on", format="tsv")
    address = reverse("imports", args=["bees"])
    assert 'hx-trigger="every 2s"' in people.client("admin").get(address).text
    work()
    response = people.client("admin").get(address, headers={"HX-Request": "true"})
    assert (response.status_code, "hx-trigger" in response.text) == (286, False)
    assert "Published" in response.text


@pytest.mark.parametrize("n_imports", [1, 3])
def test_imports_costs_the_same_however_long(
    people: People, n_imports: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(n_imports):
        upload(people, "topics", TOPICS)
    client = people.client("admin")
    with django_assert_num_queries(13):
        client.get(reverse("imports", args=["bees"]))


def test_who_may_see_imports(people: People) -> None:
    record = upload(people, "topics", TOPICS)
    for address in (
        reverse("imports", args=["bees"]),
        reverse("import_detail", args=["bees", record.pk]),
        reverse("import_problems", args=["bees", record.pk]),
        reverse("import_new", args=["bees", "qrels"]),
    ):
        assert people.statuses(address) == RESEARCH_ONLY, address


def test_texts_are_the_admins_to_bring(people: People) -> None:
    for kind in ("topics", "documents"):
        assert people.statuses(reverse("import_new", args=["bees", kind])) == ADMINS_ONLY


def test_who_may_publish_and_cancel(people: People) -> None:
    topics = upload(people, "topics", TOPICS)
    work()
    for button in ("publish", "cancel"):
        address = reverse(f"import_{button}", args=["bees", topics.pk])
        assert people.statuses(address, "post") == {**ADMINS_ONLY, "admin": 302}
        assert people.statuses(address, "get") == dict.fromkeys(ADMINS_ONLY, 405) | {"anonymous": 302}
    qrels = upload(people, "qrels", "1 0 A 1\n", name="official")
    address = reverse("import_cancel", args=["bees", qrels.pk])
    assert people.statuses(address, "post") == {**RESEARCH_ONLY, "admin": 302, "researcher": 302}


def test_there_is_no_other_kind_and_no_import_of_another_collection(people: People) -> None:
    record = upload(people, "topics", TOPICS)
    client = people.client("outsider")
    elsewhere = people.outsider.memberships.get().collection.slug
    assert client.get(reverse("import_detail", args=[elsewhere, record.pk])).status_code == 404
    assert people.client("admin").get("/c/bees/imports/new/cakes").status_code == 404


def test_all_that_is_ready_is_published_at_once(people: People) -> None:
    """A researcher publishes what researchers may bring; the texts wait for an admin."""
    upload(people, "topics", TOPICS)
    assert "that are ready" not in people.client("admin").get("/c/bees/imports/").text
    for name in ("first", "second"):
        upload(people, "qrels", "1 0 a 2\n", name=name)
    for _ in range(3):
        work()
    shown = {who: people.client(who).get("/c/bees/imports/").text for who in ("admin", "researcher")}
    assert "Publish the 3 that are ready" in shown["admin"]
    assert "Publish the 2 that are ready" in shown["researcher"]
    assert shown["researcher"].count('data-head="Read as">TREC qrels</td>') == 2

    assert people.client("annotator").post("/c/bees/imports/publish").status_code == 403
    assert people.client("researcher").post("/c/bees/imports/publish")["Location"] == "/c/bees/imports/"
    for _ in range(3):
        work()
    assert sorted(Import.objects.values_list("kind", "state")) == [
        ("qrels", "published"), ("qrels", "published"), ("topics", "checked")
    ]  # fmt: skip


# --- what a file is read as ---


def check_again(people: People, record: Import, *, who: str = "admin", **fields: str) -> tuple[int, str]:
    response = people.client(who).post(reverse("import_check", args=["bees", record.pk]), fields, follow=True)
    return response.status_code, response.text


def test_a_page_says_what_a_file_was_read_as(people: People) -> None:
    record = upload(people, "qrels", "1 0 A 1\n", name="official")
    work()
    html = page(people, record, who="researcher")[1]
    assert "<h2>Read as TREC qrels</h2>" in html
    for column, meaning in (("1st", "number"), ("2nd", "left aside"), ("3rd", "docno"), ("4th", "grade")):
        assert f'<td class="code">{column}</td><td>{meaning}</td>' in html


def test_import_check_reads_the_kept_file_otherwise(people: People) -> None:
    """Refused as what it is not, then read as what it is; nothing is sent again, nothing stored unseen."""
    record = upload(people, "topics", TOPICS, format="jsonl", publish="on")
    work()
    html = page(people, record)[1]
    assert ("Nothing was stored." in html, "Check again" in html) == (True, True)
    status, html = check_again(people, record, format="tsv", on_conflict="refuse")
    assert (status, "Waits for its turn" in html, "Check again" in html) == (200, True, False)
    work()
    html = page(people, record)[1]
    assert ("Ready to publish" in html, "Read as TSV" in html, Topic.objects.count()) == (True, True, 0)
    press(people, record, "publish")
    work()
    assert Topic.objects.count() == 2


def test_import_check_takes_columns(people: People) -> None:
    text = '{"number": "1", "title": "bees", "long": "What do bees eat?"}\n'
    record = upload(people, "topics", text)
    work()
    html = page(people, record)[1]
    assert ('name="column_description"' in html, '<option value="long">long</option>' in html) == (True, True)
    check_again(people, record, format="jsonl", column_description="long", on_conflict="refuse")
    work()
    record.refresh_from_db()
    assert (record.state, record.preview["rows"]) == ("checked", [["1", "bees", "What do bees eat?", ""]])
    assert ["long", "description"] in record.preview["format"]["columns"]
    assert '<option value="long" selected>long</option>' in page(people, record)[1]


DOCCANO = '{"id": 1, "text": "wax", "query_id": "1", "docno": "D1", "label": ["3"], "Comments": []}\n'


def test_import_check_takes_what_all_rows_have(people: People) -> None:
    """doccano writes a file for each person and does not say whose it is."""
    record = upload(people, "judgments", DOCCANO)
    work()
    html = page(people, record)[1]
    assert ("no column for the annotator" in html, 'name="same_in_all"' in html) == (True, True)
    check_again(people, record, format="doccano", same_in_all=" annotator = Amber\r\n\r\ntime=2024-05-01T10:00:00Z")
    work()
    record.refresh_from_db()
    assert (record.state, record.preview["rows"][0][:4]) == ("checked", ["1", "D1", "Amber", "3"])
    assert record.options["columns"] == {"annotator": "=Amber", "at": "=2024-05-01T10:00:00Z"}
    check_again(people, record, format="doccano", column_annotator="=Amber")
    work()
    record.refresh_from_db()
    assert (record.state, record.options["columns"]) == ("checked", {"annotator": "=Amber"})


@pytest.mark.parametrize("same", ["Amber", "annotator=", "person=Amber", "=Amber"])
def test_import_check_says_what_a_value_for_all_rows_looks_like(people: People, same: str) -> None:
    record = upload(people, "judgments", DOCCANO)
    work()
    html = check_again(people, record, format="doccano", same_in_all=same)[1]
    assert "The same in every row: " in html
    names = "number, docno, annotator, grade, time, start, end, duration in seconds, comment"
    assert f"is not name=value with a name of {names}." in html
    record.refresh_from_db()
    assert record.state == "refused"


def test_import_check_answers_a_conflict_anew(people: People) -> None:
    upload(people, "topics", TOPICS, publish="on", format="tsv")
    work()
    record = upload(people, "topics", "2\tmead\n3\twax\n", format="tsv")
    work()
    assert "topic 2 is already here with another text" in page(people, record)[1]
    check_again(people, record, format="tsv", on_conflict="skip")
    work()
    record.refresh_from_db()
    assert record.preview["counts"] == [["New", 1], ["Unchanged", 0], ["Changed", 0], ["Skipped", 1]]
    press(people, record, "publish")
    work()
    titles = current_topic_versions(people.collection).values_list("topic__number", "title")
    assert list(titles) == [("1", "bees"), ("2", "<b>honey</b>"), ("3", "wax")]


def test_import_check_refuses_what_is_not_offered_and_what_comes_too_late(people: People) -> None:
    record = upload(people, "topics", TOPICS)
    assert "cannot be read anew: checking" in check_again(people, record, format="tsv", on_conflict="refuse")[1]
    work()
    wrong = [
        ({}, "Read it as: This field is required."),
        ({"format": "cake", "on_conflict": "refuse"}, "Read it as: Select a valid choice."),
        ({"format": "tsv", "on_conflict": "perhaps"}, "with another text: Select a valid choice."),
    ]
    for fields, reason in wrong:
        assert reason in check_again(people, record, **fields)[1]
        record.refresh_from_db()
        assert record.state == "checked"
    press(people, record, "publish")
    work()
    assert "cannot be read anew: published" in check_again(people, record, format="tsv", on_conflict="refuse")[1]


def test_who_may_check_again(people: People) -> None:
    record = upload(people, "topics", TOPICS)
    address = reverse("import_check", args=["bees", record.pk])
    assert people.statuses(address, "post") == {**ADMINS_ONLY, "admin": 302}
    assert people.statuses(address, "get") == dict.fromkeys(ADMINS_ONLY, 405) | {"anonymous": 302}
    assert "Check again" not in page(people, record, who="researcher")[1]


def test_problems_are_turned_page_by_page(people: People) -> None:
    record = upload(people, "topics", "1\tbees\n" + "2\n" * 45)
    work()
    address = reverse("import_detail", args=["bees", record.pk])
    html = people.client("admin").get(address, {"page": 3}).text
    assert ("45 problems." in html, "41–45 of 45" in html) == (True, True)
    assert ('<td class="num fit">46</td>' in html, '<td class="num fit">41</td>' in html) == (True, False)
