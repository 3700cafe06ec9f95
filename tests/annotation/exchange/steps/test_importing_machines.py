"""Machine judges in a file of judgments: said by whoever brings it, or by the file where it is our own."""

import pytest

from annotation.exchange.read.exports import JUDGMENT_FORMATS, outgoing_judgments
from annotation.exchange.read.exports.judgments import judgment_rows
from annotation.models import Annotator, Batch, Collection
from annotation.trust.read.judgments import policy_inputs
from tests.annotation.exchange.steps.import_work import problems_of, stored
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

THREE = "query\tdocno\tannotator\tgrade\n1\tA\tw1\t4\n1\tA\tw2\t2\n2\tB\tw1\t-2\n"


def kinds(collection: Collection) -> dict[str, str]:
    return dict(Annotator.objects.filter(collection=collection).values_list("pseudonym", "kind"))


@pytest.mark.parametrize(
    ("machines", "expected"),
    [
        ("", {"w1": "person", "w2": "person"}),
        ("w2", {"w1": "person", "w2": "machine"}),
        ("*", {"w1": "machine", "w2": "machine"}),
        (" w1,\nw2 ", {"w1": "machine", "w2": "machine"}),
    ],
)
def test_machine_judges_are_named_by_whoever_brings_the_file(machines: str, expected: dict[str, str]) -> None:
    collection = make_collection()
    record = stored(collection, "judgments", THREE, name="crowd", machines=machines)
    assert kinds(collection) == expected
    n = sum(kind == "machine" for kind in expected.values())
    assert ["Of these machine judges", n] in record.preview["counts"] or n == 0
    assert policy_inputs(collection, [Batch.objects.get()]).table.annotators == tuple(
        name for name, kind in expected.items() if kind == "person"
    )


def test_a_machine_that_is_not_in_the_file_is_a_problem() -> None:
    record = stored(make_collection(), "judgments", THREE, name="crowd", machines="w2, gpt")
    assert problems_of(record) == [
        ("my.judgments", 0, "no annotator of the file is called gpt: say which are machines")
    ]
    assert Batch.objects.count() == 0


def test_a_person_does_not_become_a_machine_by_a_file_but_a_machine_stays_one() -> None:
    collection = make_collection()
    stored(collection, "judgments", THREE, name="first", machines="w2")
    record = stored(collection, "judgments", THREE, name="second", annotators="same", machines="*")
    assert problems_of(record) == [
        ("my.judgments", 0, "w1 came as a person: change that on the annotator’s page first")
    ]
    stored(collection, "judgments", THREE, name="third", annotators="same")
    assert kinds(collection) == {"w1": "person", "w2": "machine"}
    stored(collection, "judgments", THREE, name="fourth", annotators="new", machines="*")
    assert kinds(collection) == {"w1": "person", "w2": "machine", "w1-2": "machine", "w2-2": "machine"}


@pytest.mark.parametrize("form", JUDGMENT_FORMATS[:2])
def test_our_own_files_say_themselves_who_is_a_machine(form: str) -> None:
    first, second = make_collection(), make_collection()
    stored(first, "judgments", THREE, name="crowd", machines="w2")
    went_out = b"".join(outgoing_judgments(first, form).pieces)
    assert went_out.count(b"machine") == 1
    stored(second, "judgments", went_out, name="again")
    assert kinds(second) == kinds(first)


def test_judgments_of_machines_go_out_as_not_counted() -> None:
    collection = make_collection()
    stored(collection, "judgments", THREE, name="crowd", machines="w2")
    counted = {(row.annotator, row.docno): row.counted for row in judgment_rows(collection)}
    assert counted == {("w1", "A"): True, ("w2", "A"): False, ("w1", "B"): False}
