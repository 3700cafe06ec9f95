"""Gold: events, files, imported qrels."""

import json
from io import BytesIO

import pytest

from annotation.corpus.steps.pooling import create_pool_from_file
from annotation.exchange.read.exports import outgoing_gold
from annotation.formats.problems import FormatError
from annotation.gold.read.current import current_gold, gold_balance
from annotation.gold.steps import files
from annotation.gold.steps.events import GoldError, GoldTaken, set_gold, withdraw_gold
from annotation.gold.steps.files import take_gold_from_file
from annotation.gold.steps.qrels import take_gold_from_snapshot
from annotation.models import AuditEvent, Collection, GoldEvent, Snapshot
from tests.annotation.exchange.steps.import_work import problems_of, stored
from tests.factories import make_collection, make_document, make_snapshot, make_topic, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

UNJUDGED = "1 row with a grade below 0 (unjudged) was left aside"


def with_texts() -> Collection:
    """Topics 1 and 2, documents a to h."""
    collection = make_collection()
    for number in "12":
        make_topic(collection, number)
    for docno in "abcdefgh":
        make_document(collection, docno)
    return collection


def gold_rows(collection: Collection) -> list[tuple[object, ...]]:
    rows = current_gold(collection).order_by("topic__number", "document__docno")
    return list(rows.values_list("topic__number", "document__docno", "grade"))


def put(collection: Collection, number: str, docno: str, grade: int, accepted: tuple[int, ...] = ()) -> GoldEvent:
    topic, document = collection.topics.get(number=number), collection.documents.get(docno=docno)
    return set_gold(collection, topic=topic, document=document, grade=grade, accepted=accepted, reason="", actor=None)


def take_file(collection: Collection, text: str) -> GoldTaken:
    stream = BytesIO(text.encode())
    return take_gold_from_file(collection, stream=stream, filename="gold.tsv", actor=make_user(), correct=True)


def test_the_last_event_of_a_pair_holds() -> None:
    collection = with_texts()
    put(collection, "1", "a", 3)
    put(collection, "1", "b", 0)
    put(collection, "1", "a", 2)
    assert gold_rows(collection) == [("1", "a", 2), ("1", "b", 0)]
    topic, document = collection.topics.get(number="1"), collection.documents.get(docno="b")
    withdraw_gold(collection, topic=topic, document=document, reason="the text changed", actor=None)
    assert gold_rows(collection) == [("1", "a", 2)]
    with pytest.raises(GoldError, match="Topic 1, document b is not gold"):
        withdraw_gold(collection, topic=topic, document=document, reason="again", actor=None)
    named = make_document(collection, "LA-010189/B")
    with pytest.raises(GoldError, match="Topic 1, document LA-010189/B is not gold"):
        withdraw_gold(collection, topic=topic, document=named, reason="never was", actor=None)
    assert GoldEvent.objects.count() == 4
    assert AuditEvent.objects.filter(verb="gold set").count() == 3
    assert AuditEvent.objects.filter(verb="gold withdrawn").count() == 1


def test_the_audit_log_says_what_was_gold_until_then() -> None:
    collection = with_texts()
    for grade in (3, 2, 1):
        put(collection, "1", "a", grade)
    events = AuditEvent.objects.filter(verb="gold set").order_by("pk")
    assert [event.detail["before"] for event in events] == ["no gold", "3 (accepted: 3)", "2 (accepted: 2)"]


def test_the_grade_itself_is_always_accepted() -> None:
    assert put(with_texts(), "1", "a", 3, (2,)).accepted == [2, 3]


def test_a_file_corrects_explanations_and_takes_none_away() -> None:
    collection = with_texts()
    put(collection, "1", "a", 3, (2,))
    assert take_file(collection, "1\ta\t3\tbetween us\tIt says so.\n").n_set == 1
    event = current_gold(collection).get()
    assert (event.grade, event.accepted, event.explanation) == (3, [2, 3], "It says so.")
    for unchanged in ("1\ta\t3\n", "1\ta\t3\tanother reason\tIt says so.\n"):
        assert take_file(collection, unchanged) == GoldTaken(n_set=0, n_unchanged=1)
    assert take_file(collection, "1\ta\t2\t\tRead anew.\n").n_set == 1
    event = current_gold(collection).get()
    assert (event.grade, event.accepted, event.explanation) == (2, [2], "Read anew.")


def test_the_balance_counts_by_topic_and_grade() -> None:
    collection = with_texts()
    for docno, grade in zip("abcd", (0, 0, 4, 2), strict=True):
        put(collection, "1", docno, grade)
    put(collection, "2", "a", 1)
    assert collection.scale is not None
    balance = gold_balance(collection, collection.scale)
    assert [(topic.number, topic.counts, topic.total) for topic in balance] == [
        ("1", [2, 0, 1, 0, 1], 4),
        ("2", [0, 1, 0, 0, 0], 1),
    ]


def test_gold_from_a_file_corrects_and_leaves_what_is_equal() -> None:
    collection = with_texts()
    put(collection, "1", "a", 3, (2,))
    put(collection, "1", "b", 0)
    assert take_file(collection, "1\ta\t3\n1\tb\t1\tclearer now\n2\ta\t4\n") == GoldTaken(
        n_set=2, n_unchanged=1, n_known=1
    )
    assert gold_rows(collection) == [("1", "a", 3), ("1", "b", 1), ("2", "a", 4)]
    assert current_gold(collection).get(document__docno="a", topic__number="1").accepted == [2, 3]
    assert current_gold(collection).get(document__docno="b").reason == "clearer now"
    assert AuditEvent.objects.get(verb="gold taken").detail == {"pairs": 2, "corrected": 1}


def test_a_file_with_faults_changes_nothing() -> None:
    collection = with_texts()
    with pytest.raises(FormatError) as refused:
        take_file(collection, "1\ta\t3\n1\tb\t5\n3\ta\t1\n1\tz\t1\n1\tc\tx\n")
    assert sorted(str(problem) for problem in refused.value.problems) == [
        "gold.tsv:2: the scale has no grade 5 (0 to 4)",
        "gold.tsv:3: the collection has no topic 3",
        "gold.tsv:4: the collection has no document z",
        "gold.tsv:5: the grade 'x' is not a whole number",
    ]
    assert gold_rows(collection) == []


QRELS = "1 0 a 3\n1 0 b 0\n1 0 c 0\n1 0 unknown 2\n2 0 a 4\n2 0 d -1\n"


def test_gold_from_qrels_takes_what_is_listed() -> None:
    collection = with_texts()
    snapshot = make_snapshot(collection, QRELS, name="trec")
    taken = take_gold_from_snapshot(
        collection, snapshot=snapshot, per_grade=None, unlisted_are_zero=False, seed=1, actor=None
    )
    assert taken == GoldTaken(n_set=4, n_unchanged=0, n_unlisted=0, n_unknown=1, notes=(UNJUDGED,))
    assert gold_rows(collection) == [("1", "a", 3), ("1", "b", 0), ("1", "c", 0), ("2", "a", 4)]
    assert set(current_gold(collection).values_list("reason", flat=True)) == {"Listed in trec"}


def test_unlisted_pairs_are_drawn_from_the_pool_by_seed() -> None:
    collection = with_texts()
    text = "".join(f"{number} {docno}\n" for number in "12" for docno in "abcdefgh")
    pool = create_pool_from_file(collection, name="all", stream=BytesIO(text.encode()), filename="x", created_by=None)
    snapshot = make_snapshot(collection, QRELS)

    def take(seed: int) -> tuple[GoldTaken, set[tuple[object, ...]]]:
        GoldEvent.objects.all().delete()
        taken = take_gold_from_snapshot(
            collection,
            snapshot=snapshot,
            per_grade=1,
            unlisted_are_zero=True,
            pool=pool,
            n_unlisted=2,
            seed=seed,
            actor=None,
        )
        return taken, set(gold_rows(collection))

    taken, gold = take(3)
    assert taken == GoldTaken(n_set=7, n_unchanged=0, n_unlisted=4, n_unknown=1, notes=(UNJUDGED,))
    assert {("1", "a", 3), ("2", "a", 4)} <= gold
    assert len([1 for row in gold if row in {("1", "b", 0), ("1", "c", 0)}]) == 1
    unlisted = {row for row in gold if row[1] not in {"a", "b", "c"}}
    assert {row[2] for row in unlisted} == {0}
    assert len([row for row in unlisted if row[0] == "2"]) == 2
    assert take(3)[1] == gold
    assert any(take(seed)[1] != gold for seed in range(4, 8))


def test_frozen_snapshots_and_grades_off_the_scale_are_refused() -> None:
    collection = with_texts()
    snapshot = make_snapshot(collection, "1 0 a 7\n", name="wide")
    with pytest.raises(FormatError, match=r"wide:1: the scale has no grade 7"):
        take_gold_from_snapshot(
            collection, snapshot=snapshot, per_grade=None, unlisted_are_zero=False, seed=1, actor=None
        )
    snapshot.origin = Snapshot.Origin.FROZEN
    with pytest.raises(GoldError, match="Only imported qrels"):
        take_gold_from_snapshot(
            collection, snapshot=snapshot, per_grade=None, unlisted_are_zero=False, seed=1, actor=None
        )
    assert gold_rows(collection) == []


def test_rows_that_are_left_aside_are_told_of() -> None:
    collection = with_texts()
    taken = take_file(collection, "1 0 a 3\n1 0 b -2\n2 0 a -1\n")
    note = "2 rows with a grade below 0 (unjudged) were left aside"
    assert taken == GoldTaken(n_set=1, n_unchanged=0, notes=(note,))
    snapshot = make_snapshot(collection, "1 0 a 3\n1 0 c 1\n2 0 b -2\n")
    drawn = take_gold_from_snapshot(
        collection, snapshot=snapshot, per_grade=None, unlisted_are_zero=False, seed=1, actor=None
    )
    assert (drawn.n_set, drawn.n_unchanged, drawn.notes) == (1, 1, (UNJUDGED,))


CROWD = "number\tdocno\tannotator\tgrade\n1\ta\tw1\t2\n1\tb\tw1\tgood\n"
ASKED = (
    "the grade 2 was mapped in the judgments of crowd (good=3, 0=0, 2=4): say what the grades of this file are worth, "
    "in the same way, or as 2=2 where they are of the scale already"
)


def test_gold_as_it_is_beside_judgments_whose_grades_were_mapped_is_asked_about() -> None:
    collection = with_texts()
    stored(collection, "judgments", CROWD, name="crowd", grades="good=3, 0=0, 2=4")
    record = stored(collection, "gold", "1\ta\t0\n1\tb\t2\n")
    assert problems_of(record) == [("my.gold", 2, ASKED)]
    with pytest.raises(FormatError, match="the grade 2 was mapped"):
        take_file(collection, "1\ta\t2\n")
    assert GoldEvent.objects.count() == 0


@pytest.mark.parametrize(("grades", "grade"), [("0=0, 2=4", 4), ("2=2", 2)])
def test_an_answer_is_taken(grades: str, grade: int) -> None:
    collection = with_texts()
    stored(collection, "judgments", CROWD, name="crowd", grades="good=3, 0=0, 2=4")
    assert stored(collection, "gold", "1\tb\t2\n", grades=grades).state == "published"
    assert gold_rows(collection) == [("1", "b", grade)]


def test_gold_of_other_grades_and_beside_words_is_not_asked_about() -> None:
    collection = with_texts()
    stored(collection, "judgments", CROWD, name="crowd", grades="good=3, 0=0, 2=4")
    stored(collection, "judgments", CROWD, name="words", grades="good=1", annotators="same")
    assert stored(collection, "gold", "1\ta\t0\n1\tb\t3\n").state == "published"


def test_there_is_a_limit_to_what_is_taken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one transaction, for which who judges on SQLite waits."""
    monkeypatch.setattr(files, "MOST_AT_ONCE", 2)
    collection = with_texts()
    text = "1\ta\t0\n1\tb\t1\n2\ta\t0\n"
    reason = "3 pairs of gold, at most 2 are taken at once"
    assert problems_of(stored(collection, "gold", text)) == [("my.gold", 0, reason)]
    snapshot = make_snapshot(collection, "1 0 a 3\n1 0 c 1\n2 0 b 2\n")
    with pytest.raises(FormatError, match=reason):
        take_gold_from_snapshot(
            collection, snapshot=snapshot, per_grade=None, unlisted_are_zero=False, seed=1, actor=None
        )
    assert GoldEvent.objects.count() == 0


def line(docno: str, grade: int, **fields: object) -> str:
    return json.dumps({"number": "1", "docno": docno, "grade": grade, **fields}) + "\n"


def accepted(collection: Collection) -> dict[str, list[int]]:
    return dict(current_gold(collection).values_list("document__docno", "accepted"))


def test_gold_goes_out_and_comes_in_again_with_all_that_is_accepted() -> None:
    collection = with_texts()
    put(collection, "1", "a", 3, (2, 4))
    put(collection, "1", "b", 0)
    data = b"".join(outgoing_gold(collection).pieces).decode()
    there = with_texts()
    record = stored(there, "gold", data)
    assert record.preview["counts"] == [["New", 2], ["Corrected", 0], ["Explained anew", 0], ["Unchanged", 0]]
    assert sorted(row[-1] for row in record.preview["rows"]) == ["0", "2 3 4"]
    assert sorted(b"".join(outgoing_gold(there).pieces).decode().splitlines()) == sorted(data.splitlines())
    assert stored(there, "gold", data).preview["counts"][-1] == ["Unchanged", 2]


def test_a_file_corrects_what_is_accepted_and_keeps_what_it_does_not_say() -> None:
    collection = with_texts()
    stored(collection, "gold", line("a", 3, accepted=[2], explanation="So.") + line("b", 1, accepted=[0, 1]))
    assert accepted(collection) == {"a": [2, 3], "b": [0, 1]}
    record = stored(collection, "gold", line("a", 3, accepted=[3, 4]), correct="all")
    assert record.preview["counts"][1] == ["Corrected", 1]
    event = current_gold(collection).get(document__docno="a")
    assert (event.accepted, event.explanation) == ([3, 4], "So.")
    stored(collection, "gold", line("a", 3) + line("b", 2), correct="all")
    assert accepted(collection) == {"a": [3, 4], "b": [2]}
    stored(collection, "gold", line("a", 3, accepted=[]), correct="all")
    assert accepted(collection) == {"a": [3], "b": [2]}


def test_accepted_grades_that_the_scale_does_not_have_are_problems() -> None:
    collection = with_texts()
    record = stored(collection, "gold", line("a", 3, accepted=[2, 5, 9]) + line("b", 1, accepted=[-1]))
    assert problems_of(record) == [
        ("my.gold", 1, "the scale has no grade 5, 9, which would be accepted (0 to 4)"),
        ("my.gold", 2, "the scale has no grade -1, which would be accepted (0 to 4)"),
    ]
    assert gold_rows(collection) == []


def test_accepted_grades_are_mapped_as_the_known_one() -> None:
    collection = with_texts()
    stored(collection, "gold", line("a", 2, accepted=[1, 0, 9]), grades="0=0, 1=2, 2=4, 9=cannot")
    assert accepted(collection) == {"a": [0, 2, 4]}
