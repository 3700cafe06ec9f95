"""Gold that comes beside gold: what it would correct is said first, and so is what speaks for another scale."""

from io import BytesIO

import pytest

from annotation.exchange.steps.importing import publish_import, recheck_import
from annotation.formats.problems import FormatError
from annotation.gold.read.current import current_gold
from annotation.gold.steps.files import take_gold_from_file
from annotation.gold.steps.qrels import take_gold_from_snapshot
from annotation.models import Collection, GoldEvent, Import
from tests.annotation.exchange.steps.import_work import bring, stored, work
from tests.factories import make_collection, make_document, make_snapshot, make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]
TOLD = "2 pairs that are gold are corrected: topic 1, document D00: 0 → 2; topic 1, document D01: accepted 1 → 1 2"
GOLD = "1\tD00\t0\n1\tD01\t1\n1\tD02\t2\n"
OTHER = '{"number": "1", "docno": "D00", "grade": 2}\n{"number": "1", "docno": "D01", "grade": 1, "accepted": [2]}\n'
NEW = '{"number": "1", "docno": "D09", "grade": 4}\n'


def with_gold(n: int = 14, **options: str) -> Collection:
    collection = make_collection()
    make_topic(collection, "1")
    for at in range(n):
        make_document(collection, f"D{at:02}")
    assert stored(collection, "gold", GOLD, **options).state == "published"
    return collection


def grades(collection: Collection) -> dict[str, int | None]:
    return dict(current_gold(collection).order_by("document__docno").values_list("document__docno", "grade"))


def notes(record: Import) -> str:
    return "\n".join(record.preview["notes"])


def test_a_file_that_corrects_waits_until_somebody_has_seen_what() -> None:
    collection = with_gold()
    record = stored(collection, "gold", OTHER + NEW)
    assert (record.state, grades(collection)["D00"]) == ("checked", 0)
    assert record.preview["counts"] == [["New", 1], ["Corrected", 2], ["Explained anew", 0], ["Unchanged", 0]]
    assert TOLD in notes(record)
    for n_corrections in (None, 1, 3):
        with pytest.raises(ValueError, match="corrects 2 that are here already"):
            publish_import(record, actor=None, correct=n_corrections)
    publish_import(record, actor=None, correct=2)
    assert work() == ["done"]
    assert grades(collection) == {"D00": 2, "D01": 1, "D02": 2, "D09": 4}


def test_what_somebody_has_seen_does_not_cover_what_came_since() -> None:
    collection = with_gold()
    record = bring(collection, "gold", OTHER)
    work()
    record.refresh_from_db()
    publish_import(record, actor=None, correct=2)
    GoldEvent.objects.filter(document__docno="D00").update(grade=2, accepted=[2])
    assert work() == ["failed"]
    assert grades(collection)["D01"] == 1
    record.refresh_from_db()
    if record.state == "checked":
        recheck_import(record, format_name="", columns={}, actor=None)
        work()
        record.refresh_from_db()
        assert record.preview["facts"] == {"corrects": 1}
        with pytest.raises(ValueError, match="corrects 1 that are here"):
            publish_import(record, actor=None)


def test_a_file_without_corrections_asks_nothing() -> None:
    collection = with_gold()
    record = stored(collection, "gold", GOLD + "1\tD09\t4\n")
    assert (record.state, record.preview["facts"], notes(record)) == ("published", {}, "")


def test_another_explanation_alone_is_no_correction() -> None:
    collection = with_gold()
    record = stored(collection, "gold", "1\tD00\t0\t\tIt says so.\n")
    assert (record.state, record.preview["counts"][2]) == ("published", ["Explained anew", 1])


@pytest.mark.parametrize("n", [1, 11])
def test_the_first_ten_corrections_are_named(n: int) -> None:
    collection = make_collection()
    make_topic(collection, "1")
    rows = [f"1\t{make_document(collection, f'D{at:02}').docno}\t" for at in range(n)]
    stored(collection, "gold", "".join(f"{row}4\n" for row in rows))
    text = notes(stored(collection, "gold", "".join(f"{row}0\n" for row in rows)))
    (note,) = [words for words in text.splitlines() if "corrected: " in words]
    assert note.count("4 → 0") == min(n, 10)
    assert note.endswith("; and 1 more") == (n == 11)


def test_files_and_qrels_taken_at_once_are_refused_unless_told_to_correct() -> None:
    collection = with_gold()
    data = b"1\tD00\t2\n"
    message = "1 pair that is gold is corrected: topic 1, document D00: 0 → 2"
    with pytest.raises(FormatError, match=message):
        take_gold_from_file(collection, stream=BytesIO(data), filename="g", actor=None, correct=False)
    snapshot = make_snapshot(collection, "1 0 D00 2\n")
    with pytest.raises(FormatError, match=message):
        take_gold_from_snapshot(
            collection, snapshot=snapshot, per_grade=None, unlisted_are_zero=False, seed=1, actor=None, correct=False
        )
    assert grades(collection)["D00"] == 0
    take_gold_from_file(collection, stream=BytesIO(data), filename="g", actor=None, correct=True)
    assert grades(collection)["D00"] == 2


def test_grades_as_they_are_beside_gold_that_was_mapped_are_remarked_on() -> None:
    collection = with_gold(grades="0=0, 1=2, 2=4")
    assert grades(collection) == {"D00": 0, "D01": 2, "D02": 4}
    record = stored(collection, "gold", "1\tD05\t2\n1\tD06\t0\n")
    assert record.state == "published"
    assert "though in my.gold 2 was mapped (0=0, 1=2, 2=4)" in notes(record)
    assert notes(stored(collection, "gold", "1\tD07\t0\n")) == ""
    assert notes(stored(collection, "gold", "1\tD08\t2\n", grades="2=4")) == ""


@pytest.mark.parametrize(("n", "top", "remarks"), [(10, 2, True), (9, 2, False), (10, 4, False)])
def test_a_file_that_ends_below_the_scale_is_remarked_on(n: int, top: int, remarks: bool) -> None:
    collection = with_gold()
    stored(collection, "gold", "1\tD13\t3\n")
    text = "".join(f"1\tD{at:02}\t{min(at, top)}\n" for at in range(n))
    words = notes(stored(collection, "gold", text))
    sentence = f"the highest grade of this file is {top}, the scale ends at 4, and what is here reaches 3"
    assert (sentence in words) == remarks
    assert ("the highest grade" in words) == remarks
