"""A kept result read back is the one that was written; nothing but results of this program is read."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from annotation.kernel.results import stored
from annotation.kernel.results.form import MAGIC, SIZE, ResultFormError, from_bytes, to_bytes
from annotation.kernel.store import put
from annotation.models import KeptResult, User
from annotation.quality.agreement.icc import Squares
from annotation.quality.filtering import Reason
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes
from annotation.quality.wilson import Share
from tests.factories import make_user

VOTES = Votes(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3, 4, 3]), 2)
ARRAYS = (
    np.array([], dtype=np.int64),
    np.array([-(2**63), 2**63 - 1]),
    np.array([[-128, 127], [0, 1]]),
    np.arange(40_000),
    np.array([0.1, np.nan, np.inf, -np.inf, -0.0, 1e-320, 1e300]),
    np.array([0.5, -0.0, np.nan, 2048.0]),
    np.array([True, False]),
    np.array(3.5),
)


def again(value: Any, **lets_go: Any) -> Any:
    return from_bytes(to_bytes(value, lets_go.get("lets_go", {})))


@pytest.mark.parametrize("array", ARRAYS, ids=str)
def test_arrays_keep_every_bit(array: "np.ndarray[Any, Any]") -> None:
    read = again(array)
    assert (read.dtype, read.shape, read.tobytes()) == (array.dtype, array.shape, array.tobytes())
    assert not read.flags.writeable


def test_values_of_python_keep_their_kinds() -> None:
    values = [
        None, True, 1, -(2**70), 0.1, float("inf"), "ἀ\u2028", (1, [2.0, ("x",)]), {"a": {1: (2,)}}, {(1, "b"): None},
        {3, 4}, frozenset({"z"}), datetime(2026, 11, 28, 17, 2, tzinfo=UTC), date(2026, 11, 28), Reason.TIED,
        np.int64(7), np.float64(0.1), np.True_, Share(3, 4), Scale((0, 1, 2)),
    ]  # fmt: skip
    read = again(values)
    assert read == values
    assert [type(each) for each in read] == [type(each) for each in values]
    assert np.isnan(again(float("nan")))


def test_what_was_worked_out_stays_and_one_object_stays_one() -> None:
    counts = VOTES.n
    first, second = again((VOTES, [VOTES, counts]))
    assert second[0] is first
    assert second[1] is first.n
    assert first.n.tolist() == [2, 1]


def test_what_is_let_go_is_gone_and_never_another_value() -> None:
    assert VOTES.n.tolist() == [2, 1]
    read = again(VOTES, lets_go={Votes: {"pair", "annotator", "grade"}})
    assert (read.n_pairs, read.n.tolist()) == (2, [2, 1])
    for name in ("pair", "annotator", "grade"):
        with pytest.raises(AttributeError):
            getattr(read, name)


@pytest.mark.parametrize("odd", ["", "é – 文", "two\nlines", "\n", 3, None, "a \\n b"])
def test_many_texts_are_written_as_one(odd: object) -> None:
    names = (*(f"d{n}" for n in range(150)), odd, "last")
    for texts in (names, (*names, "")):
        assert again({"names": texts})["names"] == texts
        assert again(list(texts)) == list(texts)
    plain = all(type(each) is str and "\n" not in each for each in names)
    assert (b"d1\nd2\n" in to_bytes(names, {})) == plain


def test_named_tuples() -> None:
    squares = Squares(*range(len(Squares._fields)))
    read = again(squares)
    assert (read, type(read)) == (squares, Squares)


@dataclass
class OfAnother:
    """No class of the program."""

    value: int = 1

    @cached_property
    def twice(self) -> int:
        return 2 * self.value


@pytest.mark.parametrize("value", [OfAnother(), len, object(), OfAnother, b"bytes", np.array(["a"]), 1j])
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(ResultFormError):
        to_bytes([value], {})


def written(root: object, **parts: object) -> bytes:
    head = json.dumps({"root": root, "objects": [], "arrays": [], "rows": {}, **parts}).encode()
    return MAGIC + len(head).to_bytes(SIZE, "little") + head


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"another file",
        MAGIC,
        to_bytes([1, VOTES], {})[:-1],
        to_bytes([1, VOTES], {})[:60],
        written(["o", "os:system", {}]),
        written(["o", "annotation.kernel.store:put", {}]),
        written(["o", "annotation.kernel.store.disk:DiskStore.put", {}]),
        written(["o", "annotation.quality.filtering:Reason", {}]),
        written(["e", "annotation.quality.votes:Votes", 1]),
        written(["e", "annotation.quality.filtering:Reason", 99]),
        written(["t", "annotation.quality.votes:Votes", []]),
        written(["o", "annotation.no_such_module:Votes", {}]),
        written(["r", 3]),
        written(["?", 3]),
        written([1]),
        written(["a", 0], arrays=[["|O", "|O", [1], 8]]),
        written(["a", 0], arrays=[["<i8", "<i8", [4], 32]]),
    ],
    ids=range(18),
)
def test_nothing_else_is_read(data: bytes) -> None:
    with pytest.raises(ResultFormError):
        from_bytes(data)


@pytest.mark.django_db
def test_rows_are_read_anew_and_one_that_is_gone_is_no_result() -> None:

    person = make_user("amber")
    data = to_bytes({"of": person}, {})
    User.objects.update(username="birch")
    assert from_bytes(data)["of"].username == "birch"
    person.delete()
    with pytest.raises(ResultFormError):
        from_bytes(data)


def test_of_each_result_a_process_holds_the_newest_alone() -> None:
    stored.let_go()
    one, other = KeptResult(key="one"), KeptResult(key="other")
    for n in (1, 2, 3):
        data = to_bytes([n], {})
        one.made = other.made = {"sha256": put(data), "size": len(data)}
        assert [stored.read_result(row) for row in (one, other)] == [[n], [n]]
    assert [entry.result for entry in stored._held.values()] == [[3], [3]]
    assert stored.read_result(one) is stored._held["one"].result
    stored.let_go()


def test_what_is_not_read_for_a_while_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    stored.let_go()
    moment = 100.0
    monkeypatch.setattr(stored, "monotonic", lambda: moment)
    data = to_bytes([1], {})
    one, other = (KeptResult(key=key, made={"sha256": put(data), "size": len(data)}) for key in ("one", "other"))
    first = stored.read_result(one)
    assert not stored.let_go_unread()
    moment += stored.HELD - 1
    assert stored.read_result(other) == [1]
    moment += 2
    assert (stored.let_go_unread(), list(stored._held)) == (True, ["other"])
    assert stored.read_result(one) == first
    assert stored.read_result(one) is not first
    stored.let_go()
