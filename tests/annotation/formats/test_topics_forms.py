"""Topics from TREC's SGML and XML, from BEIR, and from columns that somebody has chosen."""

import io
from pathlib import Path

import pytest

from annotation.formats.file_formats import meanings_of_columns, recognise_format
from annotation.formats.problems import Problems
from annotation.formats.topics import FORMATS, TopicRow
from tests.corpus.texts import read_topics

ROBUST = """<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations of R&D
 and the countries (a < b, <i>involved</i>) &amp; more.

<narr> Narrative:
First paragraph
goes on.

Second paragraph.

</top>

<top>
<num> Number: 302
<dom> Domain: Law
<title> Topic: Poliomyelitis
</top>
"""
COVID = """<?xml version="1.0" encoding="UTF-8"?>
<topics task="COVIDSearch 2020">
  <topic number="1">
    <query>origin</query>
    <question>what is the <b>origin</b> of it</question>
    <narrative>its
      evolution</narrative>
  </topic>
</topics>
"""
WEB = """<!DOCTYPE webtrack [ <!ELEMENT topic (query, description, subtopic*)>
 <!ATTLIST topic number CDATA #REQUIRED type (faceted|single) "single"> ]>
<webtrack><!-- a <topic> in a comment -->
<topic number="201" type="faceted"><query>raspberry pi</query><description>What is it?</description>
<subtopic number="1" type="inf">What is it?</subtopic><subtopic number="2" type="nav">Its foundation.</subtopic></topic>
</webtrack>
"""


def read(text: str, **options: object) -> tuple[list[TopicRow], list[str], list[str]]:
    problems = Problems("t")
    rows = list(read_topics(io.BytesIO(text.encode()), problems, **options))  # type: ignore[arg-type]
    return rows, [str(problem) for problem in problems], [problem.reason for problem in problems.notes]


def meanings_of(text: str) -> tuple[str, list[tuple[str, str]]]:
    form, head = recognise_format(FORMATS, io.BytesIO(text.encode()), Problems("t"))
    return form.name, meanings_of_columns(form, head, {})


def test_sgml_with_unclosed_tags() -> None:
    rows, problems, notes = read(ROBUST)
    description = "Identify organizations of R&D and the countries (a < b, <i>involved</i>) & more."
    assert rows == [
        TopicRow("301", "International Organized Crime", description, "First paragraph goes on.\nSecond paragraph.", 1),
        TopicRow("302", "Poliomyelitis", "", "", 18),
    ]
    assert (problems, notes) == ([], ["elements left aside: dom"])


def test_sgml_with_closed_tags_on_one_line() -> None:
    text = "<TOP><NUM>1</NUM><TITLE>a b</TITLE><DESC>c</DESC></TOP><top><num>2</num><title>d</title></top>"
    assert read(text)[:2] == ([TopicRow("1", "a b", "c", "", 1), TopicRow("2", "d", "", "", 1)], [])


def test_sgml_in_which_not_even_top_is_closed() -> None:
    assert [row.number for row in read("<top>\n<num>1\n<title>a\n<top>\n<num>2\n<title>b\n")[0]] == ["1", "2"]


@pytest.mark.parametrize("text", [ROBUST, COVID, WEB])
def test_line_ends_and_byte_order_mark_change_nothing(text: str) -> None:
    assert read("\ufeff" + text.replace("\n", "\r\n"))[:2] == read(text)[:2]


def test_xml_of_query_question_and_narrative() -> None:
    assert read(COVID) == ([TopicRow("1", "origin", "what is the origin of it", "its evolution", 3)], [], [])


def test_subtopics_are_left_aside_unless_chosen() -> None:
    assert read(WEB) == (
        [TopicRow("201", "raspberry pi", "What is it?", "", 4)],
        [],
        ["elements left aside: subtopic, type"],
    )
    rows, problems, _ = read(WEB, columns={"narrative": "subtopic"})
    assert ([row.narrative for row in rows], problems) == (["What is it?\nIts foundation."], [])


def test_xml_with_elements_as_in_sgml() -> None:
    text = "<xml><top><num>1</num><title>a</title><desc>b</desc><narr>c</narr></top></xml>"
    assert read(text)[:2] == ([TopicRow("1", "a", "b", "c", 1)], [])


def test_xml_of_text_alone() -> None:
    assert read('<topics><topic number="1">\n a patient\n of 40 </topic></topics>')[0][0].title == "a patient of 40"


def test_a_namespace_changes_nothing() -> None:
    text = COVID.replace("<topics", '<topics xmlns="https://example.org/topics"')
    assert read(text)[:2] == read(COVID)[:2]


def test_a_default_of_the_document_type_is_no_value() -> None:
    text = '<!DOCTYPE t [<!ATTLIST topic number CDATA "9">]><t><topic><title>a</title></topic></t>'
    assert read(text)[1] == ["t:1: this topic has no number"]


def test_beir_queries() -> None:
    text = '{"_id": "q1", "text": "wings", "metadata": {"year": 1}}\n'
    assert read(text) == ([TopicRow("q1", "wings", "", "", 1)], [], ["keys left aside: metadata"])


@pytest.mark.parametrize(
    ("text", "name", "columns"),
    [
        ("1\tone\n2\ttwo\tmore\n", "tsv", [("1st", "number"), ("2nd", "title"), ("3rd", "description")]),
        ("qid\tquery\turl\n1\ta\tb\n", "tsv", [("qid", "number"), ("query", "title"), ("url", "")]),
        ('{"id": "1", "title": "a", "x": 1}\n', "jsonl", [("id", "number"), ("title", "title"), ("x", "")]),
        (
            '{"_id": "1", "text": "a", "metadata": {}}\n',
            "beir",
            [("_id", "number"), ("text", "title"), ("metadata", "")],
        ),
        (
            ROBUST,
            "sgml",
            [("num", "number"), ("title", "title"), ("desc", "description"), ("narr", "narrative"), ("dom", "")],
        ),
        (
            COVID,
            "xml",
            [
                ("number", "number"),
                ("query", "title"),
                ("question", "description"),
                ("b", ""),
                ("narrative", "narrative"),
            ],
        ),
        (
            WEB,
            "xml",
            [("number", "number"), ("type", ""), ("query", "title"), ("description", "description"), ("subtopic", "")],
        ),
        ("<!-- 1 --> <top>\n<num>1\n<title>a\n", "sgml", [("num", "number"), ("title", "title")]),
    ],
    ids=["tsv", "header", "jsonl", "beir", "sgml", "covid", "web", "comment"],
)
def test_what_a_file_is_taken_as(text: str, name: str, columns: list[tuple[str, str]]) -> None:
    assert meanings_of(text) == (name, columns)


def test_columns_that_somebody_has_chosen() -> None:
    assert read("1\tx\tone\n", columns={"title": "3rd", "number": "1st"})[0] == [TopicRow("1", "one", "", "", 1)]
    assert read("a\tb\n1\tone\n", columns={"title": "b", "number": "a"})[0] == [TopicRow("1", "one", "", "", 2)]
    assert read('{"id": 1, "a": "one", "title": "x"}', columns={"title": "a"})[0] == [TopicRow("1", "one", "", "", 1)]
    assert read("<top><num>1<desc>one</top>", columns={"title": "desc"})[0] == [TopicRow("1", "one", "", "", 1)]


def test_a_chosen_column_that_is_not_there() -> None:
    for text in ("1\tone\n", "<top><num>1<desc>one</top>"):
        problems = read(text, columns={"title": "nothing"})[1]
        assert any("there is no column 'nothing' for the title" in problem for problem in problems)


def test_a_form_that_somebody_has_chosen() -> None:
    assert read(ROBUST, name="sgml")[0] == read(ROBUST)[0]
    rooted = read("<topics>\n" + ROBUST + "</topics>\n", name="sgml")
    assert ([row.number for row in rooted[0]], rooted[1]) == (["301", "302"], [])


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "form", "n", "first"),
    [
        ("topics/topics.robust04.txt", "sgml", 250, ("301", "International Organized Crime")),
        ("topics/topics.covid-round5.xml", "xml", 50, ("1", "coronavirus origin")),
        ("topics/topics.web.201-250.txt", "xml", 50, ("201", "raspberry pi")),
        ("topics/topics.dl19-passage.txt", "tsv", 43, ("156493", "do goldfish grow")),
        ("topics/topics.dl20.txt", "tsv", 200, ("1030303", "who is aziz hashim")),
    ],
)
def test_topics_of_trec_go_in(shared_data: Path, name: str, form: str, n: int, first: tuple[str, str]) -> None:
    text = (shared_data / name).read_text("utf-8")
    rows, problems, _ = read(text)
    assert (meanings_of(text)[0], len(rows), problems) == (form, n, [])
    assert (rows[0].number, rows[0].title) == first


@pytest.mark.shared
def test_texts_of_trec_are_whole(shared_data: Path) -> None:
    folder = shared_data / "topics"
    robust = {row.number: row for row in read((folder / "topics.robust04.txt").read_text())[0]}
    assert robust["302"].description == "Is the disease of Poliomyelitis (polio) under control in the world?"
    assert all(row.title and row.description and row.narrative for row in robust.values())
    assert "R&D" in " ".join(row.title for row in robust.values())
    covid = read((folder / "topics.covid-round5.xml").read_text())[0]
    assert (covid[49].number, covid[2].description[:44]) == ("50", "will SARS-CoV2 infected people develop immun")
    assert all(row.narrative for row in covid)
    web = read((folder / "topics.web.201-250.txt").read_text())[0]
    assert (web[0].description, {row.narrative for row in web}) == ("What is a raspberry pi?", {""})
