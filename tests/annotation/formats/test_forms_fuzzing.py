"""Any bytes in any form: see tests/corpus/checking_forms.py for what must hold. tests/fuzz goes on where this stops."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.checking_forms import check_forms
from tests.corpus.forms import FILES
from tests.corpus.mutations import changed

SMALL = [data for data in FILES if len(data) < 2000]
NAMES = """
number query qid docno doc annotator user grade score label labels tag time comment text data annotations result value
type choices completed_by hits meta
"""
KEYS = st.sampled_from(NAMES.split())
CELLS = st.sampled_from(
    [
        "1",
        "a",
        "",
        " ",
        "=1",
        "-2",
        "0.5",
        "yes",
        "٣",
        "2024-05-01",
        "1714564800",
        "a b",
        "\0",
        "\u2028",
        '"',
        "x" * 201,
    ]
)
VALUES = CELLS | st.integers() | st.floats() | st.booleans() | st.none()
NESTED = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(KEYS, NESTED, max_size=6)


@settings(max_examples=150)
@given(changed(SMALL))
def test_a_file_with_some_bytes_changed(data: bytes) -> None:
    check_forms(data)


@settings(max_examples=100)
@given(st.lists(OBJECTS, max_size=4), st.sampled_from([None, 1]))
def test_any_objects(objects: list[dict[str, object]], indent: int | None) -> None:
    check_forms("".join(json.dumps(value) + "\n" for value in objects).encode())
    check_forms(json.dumps(objects, indent=indent).encode())
    check_forms(json.dumps({str(i): value for i, value in enumerate(objects)}, indent=indent).encode())


@settings(max_examples=100)
@given(
    st.lists(KEYS, max_size=6),
    st.lists(st.lists(CELLS, max_size=6), max_size=4),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_any_table(header: list[str], rows: list[list[str]], delimiter: str, end: str) -> None:
    check_forms(end.join(delimiter.join(cells) for cells in [header, *rows]).encode())
