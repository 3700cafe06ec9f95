"""Large JSON value by value: as Python's own reader has it, however the bytes come."""

import gzip
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats import json_stream
from annotation.formats.json_stream import read_elements, read_members
from annotation.formats.lines import Limits
from annotation.formats.objects import strict_json
from annotation.formats.problems import FormatError, Problems


class Dripping(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(7, size) if size and size > 0 else size)


def elements(data: bytes, limits: Limits | None = None) -> list[tuple[int, dict[str, object]]]:
    problems = Problems("a")
    rows = list(read_elements(Dripping(data), problems, limits or Limits()))
    problems.check()
    return [(line, dict(value)) for line, value in rows]


def fault(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        elements(data, limits)
    return str(caught.value)


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    TEXT | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
OBJECTS = st.lists(st.dictionaries(TEXT, VALUES, max_size=5), max_size=5)


@settings(max_examples=200)
@given(OBJECTS, st.sampled_from([None, 2]), st.booleans())
def test_what_is_read_is_what_was_written(
    objects: list[dict[str, object]], indent: int | None, ascii_only: bool
) -> None:
    data = json.dumps(objects, indent=indent, ensure_ascii=ascii_only).encode()
    assert [value for _, value in elements(data)] == objects
    members = json.dumps({str(i): value for i, value in enumerate(objects)}, indent=indent).encode()
    rows = list(read_members(Dripping(members), Problems("a")))
    assert [(key, value) for _, key, value in rows] == [(str(i), value) for i, value in enumerate(objects)]


def test_each_value_knows_its_line() -> None:
    data = b'\n[{"a": 1}, {"b":\n2},\n\n  {"c": "\\n"}\n]\n'
    assert elements(data) == [(2, {"a": 1}), (2, {"b": 2}), (5, {"c": "\n"})]
    members = list(read_members(io.BytesIO(b'{"x":\n{},\n"y": {}}'), Problems("a")))
    assert members == [(2, "x", {}), (3, "y", {})]


def test_a_key_that_stands_twice_is_named_wherever_it_stands() -> None:
    problems = Problems("a")
    list(read_members(io.BytesIO(b'{"x": {"b": 1},\n"y": {}, "x": {"b": 2}}'), problems))
    assert [str(problem) for problem in problems] == ["a:2: the key 'x' stands twice"]
    keys = ", ".join(f'"{n}": 1' for n in range(200_000))  # of so many, none is looked for among all others
    with pytest.raises(ValueError, match="the key 'last' stands twice"):
        strict_json(f'{{{keys}, "last": 1, "last": 2}}')


def test_a_packed_file_and_a_byte_order_mark() -> None:
    assert elements(gzip.compress(b'\xef\xbb\xbf[{"a": 1}]')) == [(1, {"a": 1})]


def test_nul_is_replaced_and_counted() -> None:
    problems = Problems("a")
    rows = list(read_elements(io.BytesIO(b'[{"a\\u0000": "\\u0000b"}, {"c": "\\\\u0000"}]'), problems))
    assert [value for _, value in rows] == [{"a\ufffd": "\ufffdb"}, {"c": "\\u0000"}]
    assert [str(note) for note in problems.notes] == ["a: 2 NUL characters were replaced by U+FFFD"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "a:1: an array ([…]) is expected: the file ends here"),
        (b"{}", "a:1: an array ([…]) is expected"),
        (b"[", "a:1: an element is not an object ({…}): the file ends here"),
        (b"[{}", "a:1: a comma or ] is expected: the file ends here"),
        (b"[{},\n]", "a:2: a value is expected after the comma, and not ]"),
        (b"[{}\n{}]", "a:2: a comma or ] is expected"),
        (b'[\n{"a": 01}]', "a:2: not JSON: Expecting ',' delimiter"),
        (b'[{"a": Infinity}]', "a:1: not JSON: Infinity is not a JSON number"),
        (b'[{"a": 1, "a": 1}]', "a:1: not JSON: the key 'a' stands twice"),
        (b'[{"a": "\n"}]', "a:1: not JSON: Invalid control character at"),
        (b'[{"a": "\xe9"}]', "a:1: not UTF-8 (0xe9)"),
        (b'[\n\n{"a": "\xc3', "a:3: not UTF-8 (0xc3)"),
    ],
)
def test_faults(data: bytes, reason: str) -> None:
    assert fault(data) == reason


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault(b'[{"a": "bbbbbbbbbbbbbbbbbbbbbbbb"}]', Limits(file=20)) == (
        "a: larger than the limit of 20 bytes (unpacked)"
    )
    monkeypatch.setattr(json_stream, "VALUE", 100)
    assert len(elements(b"[" + b'{"a": "bbbbbbbbbb"},' * 50 + b"{}]")) == 51
    assert fault(b'[{},\n{"a": "' + b"b" * 1000 + b'"}]') == "a:2: a value is longer than 100 characters"
