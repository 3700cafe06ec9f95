"""Topics from TSV and JSONL."""

import io
from pathlib import Path

import pytest

from annotation.formats.problems import FormatError, Problems
from annotation.formats.topics import TopicRow
from tests.corpus.texts import read_topics


def read(text: str) -> tuple[list[TopicRow], list[str]]:
    problems = Problems("topics")
    rows = list(read_topics(io.BytesIO(text.encode("utf-8", "surrogatepass")), problems))
    return rows, [str(problem) for problem in problems]


def notes(text: str) -> list[str]:
    problems = Problems("topics")
    list(read_topics(io.BytesIO(text.encode()), problems))
    return [str(note) for note in problems.notes]


def test_tsv_has_two_to_four_columns() -> None:
    rows, problems = read("1\ttitle one\n2\t two \t\n\n3\tthree\tdesc\tnarr\n")
    assert rows == [
        TopicRow("1", "title one", "", "", 1),
        TopicRow("2", "two", "", "", 2),
        TopicRow("3", "three", "desc", "narr", 4),
    ]
    assert problems == []


@pytest.mark.parametrize(
    "header",
    [
        "number\ttitle",
        "number\ttitle\tdescription\tnarrative",
        "Number\ttitle",
        "number\ttitle\tnarrative",
        "query-id\ttext",
        "qid\tquery",
    ],
)
def test_a_header_names_number_and_title(header: str) -> None:
    assert [(row.number, row.title) for row in read(f"{header}\n1\tone\n")[0]] == [("1", "one")]


def test_columns_stand_where_the_header_says() -> None:
    rows, problems = read("narrative\tid\tcolour\ttitle\nn\t1\tred\tone\n")
    assert (rows, problems) == ([TopicRow("1", "one", "", "n", 2)], [])
    assert notes("id\tcolour\ttitle\n1\tred\tone\n") == ["topics: columns left aside: colour"]


@pytest.mark.parametrize("first", ["number\tname", "0\ttitle", "title\ttext"])
def test_anything_else_on_the_first_line_is_a_topic(first: str) -> None:
    assert len(read(f"{first}\n1\tone\n")[0]) == 2


def test_half_a_header_is_a_fault() -> None:
    rows, problems = read("number\n1\tone\n")
    assert [row.number for row in rows] == ["1"]
    assert problems == ["topics:1: 2 to 4 columns expected (number, title, description, narrative), 1 found"]


def test_faults_of_tsv_come_with_file_line_and_reason() -> None:
    rows, problems = read("1\tone\nonly\n2\ta\tb\tc\td\n3\t \n a b\ttext\n1\tagain\n\ttext\n" + "x" * 201 + "\ttext\n")
    assert [row.number for row in rows] == ["1"]
    assert problems == [
        "topics:2: 2 to 4 columns expected (number, title, description, narrative), 1 found",
        "topics:3: 2 to 4 columns expected (number, title, description, narrative), 5 found",
        "topics:4: topic 3 has no title",
        "topics:5: the topic number 'a b' contains white space",
        "topics:6: topic 1 twice, first on line 1",
        "topics:7: the topic number is empty",
        "topics:8: the topic number is 201 characters long, at most 200 are allowed",
    ]


@pytest.mark.parametrize("number", ["a\u00a0b", "a\u2028b"])
def test_ids_have_no_white_space_of_any_kind(number: str) -> None:
    assert "contains white space" in read(f"{number}\ttext\n")[1][0]


@pytest.mark.parametrize("number", ["a\u200bb", "a\ufffdb", "a\u202eb"])
def test_ids_have_nothing_unseen(number: str) -> None:
    assert "cannot be printed" in read(f"{number}\ttext\n")[1][0]


@pytest.mark.parametrize("key", ["number", "id", "_id", "query_id", "topic_id", "topic", "qid", "num"])
@pytest.mark.parametrize("title", ["title", "text", "query"])
def test_jsonl_knows_the_usual_keys(key: str, title: str) -> None:
    rows, problems = read(f'{{"{key}": "7", "{title}": "t", "description": null, "narrative": "n"}}\n')
    assert (rows, problems) == ([TopicRow("7", "t", "", "n", 1)], [])


def test_a_number_may_be_a_json_integer_but_not_another_thing() -> None:
    rows, problems = read('{"id": 7, "title": "t"}\n{"id": true, "title": "t"}\n{"id": 1.0, "title": "t"}\n')
    assert [row.number for row in rows] == ["7"]
    assert [problem[:26] for problem in problems] == ["topics:2: no topic number:", "topics:3: no topic number:"]


def test_faults_of_jsonl_come_with_file_line_and_reason() -> None:
    text = "\n".join(
        [
            '{"id": "1", "title": "one"}',
            "{broken",
            "[1]",
            '{"id": "2", "title": 5}',
            '{"id": "3", "title": "a", "title": "b"}',
            '{"id": "4", "title": "\\ud800"}',
            '{"id": "5", "title": "t", "x": NaN}',
            '{"id": "1", "title": "again"}',
            '{"id": "6", "title": "t", "x": ' + "[" * 40 + "]" * 40 + "}",
            '{"id": "7", "x": ' + "[" * 100_000,
            "null",
            '{"id": "8", "title": "eight"}',
        ]
    )
    rows, problems = read(text)
    assert [row.number for row in rows] == ["1", "8"]
    expected = [
        "topics:2: not a JSON object: Expecting property name",
        "topics:3: not a JSON object: an object ({…}) is expected",
        "topics:4: the title is not a string",
        "topics:5: not a JSON object: the key 'title' stands twice",
        "topics:6: the title contains half of a surrogate pair",
        "topics:7: not a JSON object: NaN is not a JSON number",
        "topics:8: topic 1 twice, first on line 1",
        "topics:9: nested deeper than 32 levels",
        "topics:10: nested deeper than 32 levels",
        "topics:11: not a JSON object: an object ({…}) is expected",
    ]
    assert [message[: len(wanted)] for message, wanted in zip(problems, expected, strict=True)] == expected


def test_nul_written_as_an_escape_is_replaced_and_reported() -> None:
    text = '{"id": "1", "title": "a\\u0000b", "narrative": "\\\\u0000"}\n'
    assert read(text)[0] == [TopicRow("1", "a\ufffdb", "", "\\u0000", 1)]
    assert notes(text) == ["topics: 1 NUL character was replaced by U+FFFD"]


def test_keys_that_are_not_used_are_named() -> None:
    assert notes('{"id": "1", "title": "t", "colour": 1, "author": "x"}\n') == [
        "topics: keys left aside: author, colour"
    ]


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_a_problem(text: str) -> None:
    with pytest.raises(FormatError, match=r"^topics: there is nothing in this file$"):
        read(text)


@pytest.mark.shared
def test_cranfield_goes_in_as_it_is(shared_data: Path) -> None:
    problems = Problems("queries.tsv")
    with (shared_data / "cranfield/queries.tsv").open("rb") as stream:
        rows = list(read_topics(stream, problems))
    assert not problems
    assert [row.number for row in rows] == [str(n) for n in range(1, 226)]
    assert rows[0].title.startswith("what similarity laws must be obeyed")


@pytest.mark.shared
@pytest.mark.parametrize(("name", "n"), [("topics.dl19-passage.txt", 43), ("topics.dl20.txt", 200)])
def test_topics_of_the_deep_learning_track(shared_data: Path, name: str, n: int) -> None:
    problems = Problems(name)
    with (shared_data / "topics" / name).open("rb") as stream:
        rows = list(read_topics(stream, problems))
    assert (len(rows), list(problems)) == (n, [])
    assert not any(row.title.endswith("\r") for row in rows)
