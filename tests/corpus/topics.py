"""Topics that must be refused, with every reason, and topics that must be read with what is said of them."""

import bz2
import gzip
import lzma

from annotation.formats.topics import FORMATS
from tests.corpus import Malformed, malformed
from tests.corpus.packing import zipped

TSV = b"1\tone\n"
TOP = b"<top>\n<num> Number: 301\n<title> Wings\n</top>\n"
XML = b'<topics>\n<topic number="1"><title>one</title></topic>\n</topics>\n'
PACKED = gzip.compress(TSV * 1000, mtime=0)
CUT = "the gzip is cut short: the upload or the file is incomplete"
COLUMNS = "2 to 4 columns expected (number, title, description, narrative)"
ALIEN = "not recognised as any of " + ", ".join(f"{each.title} ({each.name})" for each in FORMATS)
NUMBER = (
    "no topic number: a string or integer under one of number, id, _id, query_id, topic_id, topic, qid, num expected"
)
ENTITIES = "the file declares entities, which are not read"


def _in_xml(inside: str) -> bytes:
    return f'<topics>\n<topic number="1"><title>{inside}</title></topic>\n</topics>\n'.encode()


PACKING = [
    ("empty file", b"", "there is nothing in this file"),
    ("white space", b" \n\t\n", "there is nothing in this file"),
    ("gzip of nothing", gzip.compress(b"", mtime=0), "there is nothing in this file"),
    ("byte order mark only", b"\xef\xbb\xbf", "there is nothing in this file"),
    ("gzip cut in the middle", PACKED[: len(PACKED) // 2], CUT),
    ("gzip without its check", PACKED[:-8], CUT),
    ("gzip twice", gzip.compress(PACKED, mtime=0), "this was packed with gzip twice; unpack it once"),
    (
        "a gzip bomb",
        gzip.compress(TSV + b" " * (64 << 20), mtime=0),
        "the gzip unpacks to more than 500 times its size: this is no list of texts",
    ),
    ("a gzip bomb of nothing", gzip.compress(b"\n" * (64 << 20), mtime=0), "there is nothing in this file"),
    ("zip", zipped(TSV), "this is a zip archive; unpack it, or pack the file with gzip instead"),
    ("bzip2", bz2.compress(TSV), "this was packed with bzip2; unpack it, or pack it with gzip instead"),
    ("xz", lzma.compress(TSV), "this was packed with xz; unpack it, or pack it with gzip instead"),
    ("UTF-16", TSV.decode().encode("utf-16"), "this is UTF-16; save it as UTF-8"),
    ("no form", b"a line of words\n", ALIEN),
    ("HTML", b"<!DOCTYPE html>\n<html><p>404</html>\n", ALIEN),
    ("documents", b"<DOC><DOCNO>1</DOCNO><TEXT>a</TEXT></DOC>\n", ALIEN),
    ("commas", b"number,title\n1,one\n", ALIEN),
]

UNTITLED = ", but '{0}': choose which part is its title, as title={0}"
TSVS = [
    ("one column among two", TSV + b"only\n", f"2: {COLUMNS}, 1 found"),
    ("five columns", TSV + b"2\ta\tb\tc\td\n", f"2: {COLUMNS}, 5 found"),
    (
        "more columns than the header",
        b"number\ttitle\n1\tone\tx\n",
        "2: 2 columns expected, as in the first line, 3 found",
    ),
    ("no title", b"1\t \n", "1: topic 1 has no title"),
    ("no number", b"\tone\n", "1: the topic number is empty"),
    ("a number twice", TSV + b"2\ttwo\n1\tagain\n", "3: topic 1 twice, first on line 1"),
    ("Latin-1", TSV + b"2\tcaf\xe9\n", "2: not UTF-8 at byte 6 of the line (0xe9)"),
    ("a blank in a number", b"a b\tone\n", "1: the topic number 'a b' contains white space"),
    ("U+2028 in a number", "a\u2028b\tone\n".encode(), "1: the topic number 'a\\u2028b' contains white space"),
    ("NUL in a number", b"a\0b\tone\n", "1: the topic number 'a�b' contains a character that cannot be printed"),
    (
        "byte order mark twice",
        b"\xef\xbb\xbf\xef\xbb\xbf1\tone\n",
        "1: the topic number '\\ufeff1' contains a character that cannot be printed",
    ),
    (
        "a number of 201 characters",
        b"7" * 201 + b"\tone\n",
        "1: the topic number is 201 characters long, at most 200 are allowed",
    ),
    (
        "a line beyond 8 MiB",
        TSV + b"2\t" + b"x" * (8 << 20) + b"\n",
        "2: the line is longer than the limit of 8388608 bytes",
    ),
    ("header alone", b"number\ttitle\n", "there is no topic in this file"),
]

JSONL = [
    (
        "broken JSON",
        b'{"id": "1", "title": "one"}\n{"id"\n',
        "2: not a JSON object: Expecting ':' delimiter at character 6",
    ),
    ("an array on a line", b'{"id": "1", "title": "one"}\n[1]\n', "2: not a JSON object: an object ({…}) is expected"),
    ("no id", b'{"title": "one"}\n', f"1: {NUMBER}"),
    ("an id that is no id", b'{"id": 1.5, "title": "one"}\n', f"1: {NUMBER}"),
    ("no title in JSON", b'{"id": "1"}\n', "1: topic 1 has no title"),
    ("a title that is a number", b'{"id": "1", "title": 5}\n', "1: the title is not a string"),
    ("a key twice", b'{"id": "1", "title": "a", "title": "b"}\n', "1: not a JSON object: the key 'title' stands twice"),
    ("half a surrogate pair", b'{"id": "1", "title": "\\ud800"}\n', "1: the title contains half of a surrogate pair"),
    (
        "deep JSON",
        b'{"id": "1", "title": "a", "x": ' + b"[" * 40 + b"]" * 40 + b"}\n",
        "1: nested deeper than 32 levels",
    ),
    ("very deep JSON", b'{"id": "1", "x": ' + b"[" * 100_000 + b"\n", "1: nested deeper than 32 levels"),
    ("NaN", b'{"id": "1", "title": "a", "x": NaN}\n', "1: not a JSON object: NaN is not a JSON number"),
    ("a BEIR id twice", b'{"_id": "1", "text": "a"}\n{"_id": "1", "text": "b"}\n', "2: topic 1 twice, first on line 1"),
]

SGML = [
    ("no num", b"<top>\n<title> Wings\n</top>\n", "1: this topic has no number"),
    ("an empty num", b"<top>\n<num> Number:\n<title> Wings\n</top>\n", "1: the topic number is empty"),
    (
        "a num of two words",
        b"<top>\n<num> Number: 301 b\n<title> Wings\n</top>\n",
        "1: the topic number '301 b' contains white space",
    ),
    (
        "no title in SGML",
        b"<top>\n<num> Number: 301\n<desc> Description:\nall\n</top>\n",
        "1: topic 301 has no title" + UNTITLED.format("desc"),
    ),
    (
        "a top that is not closed",
        TOP + b"<top>\n<num> 302\n<title> b\n" + TOP.replace(b"301", b"303"),
        "5: this <top> is not closed before line 8",
    ),
    ("SGML cut short", TOP + b"<top>\n<num> 302\n<title> b\n", "5: this <top> is not closed: is the file cut short?"),
    ("a <top> forgotten", TOP[:-7] + TOP[6:], "1: this topic has 2 nums: has it run into the next?"),
    ("text between topics", TOP + b"and then\nmore\n", "5: text outside of <top> … </top>"),
    ("a number twice in SGML", TOP + TOP, "5: topic 301 twice, first on line 1"),
    (
        "Latin-1 in SGML",
        b"<top>\n<num> 1\n<title> caf\xe9\n<desc> a\n</top>\n",
        f"1: topic 1 has no title{UNTITLED.format('desc')}\n3: not UTF-8 at byte 12 of the line (0xe9)",
    ),
    (
        "an endless topic",
        b"<top>\n<num> 1\n<title> b\n<desc>\n" + b"x\n" * 600_000,
        "1: this topic is longer than 1048576 characters",
    ),
    ("top without anything", b"<top>\n</top>\n", "1: this topic has no number"),
]

XMLS = [
    (
        "billion laughs",
        b'<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY a "ha">\n<!ENTITY b "&a;&a;&a;">]>\n<topics/>\n',
        f"2: {ENTITIES}",
    ),
    ("an external entity", b'<!DOCTYPE a [\n<!ENTITY b SYSTEM "file:///etc/passwd">]>\n<topics/>\n', f"2: {ENTITIES}"),
    (
        "a parameter entity",
        b'<!DOCTYPE a [\n<!ENTITY % b SYSTEM "http://example.org/x.dtd">\n%b;]>\n<topics/>\n',
        f"2: {ENTITIES}",
    ),
    (
        "an entity nobody declared",
        _in_xml("a &nbsp; b"),
        "2: not well-formed XML: undefined entity at character 28 of the line",
    ),
    (
        "an entity of a DTD elsewhere",
        b'<!DOCTYPE a SYSTEM "http://example.org/x.dtd">\n' + _in_xml("&b;"),
        "3: not well-formed XML: undefined entity at character 26 of the line",
    ),
    (
        "a bare ampersand",
        _in_xml("R&D costs"),
        "2: not well-formed XML: not well-formed (invalid token) at character 29 of the line",
    ),
    ("deep XML", b"<topics>\n" + b"<a>" * 40 + b"\n", "2: nested deeper than 32 levels"),
    ("very deep XML", b"<topics>" * 100_000, "1: nested deeper than 32 levels"),
    (
        "a tag not closed",
        b"<topics>\n<topic number='1'><title>a</topic>\n</topics>\n",
        "2: not well-formed XML: mismatched tag at character 29 of the line",
    ),
    ("XML cut short", XML[:40], "2: not well-formed XML: unclosed token at character 29 of the line"),
    ("XML cut in a tag", XML[:30], "2: not well-formed XML: unclosed token at character 19 of the line"),
    ("two roots", XML + XML, "4: not well-formed XML: junk after document element at character 1 of the line"),
    (
        "an attribute twice",
        b"<topics>\n<topic number='1' number='2'/></topics>\n",
        "2: not well-formed XML: duplicate attribute at character 19 of the line",
    ),
    (
        "101 attributes",
        b"<topics " + b" ".join(b"a%d='1'" % i for i in range(101)) + b"/>\n",
        "1: an element has more than 100 attributes",
    ),
    (
        "XML in Latin-1",
        b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<topics/>\n',
        "1: the file says that it is ISO-8859-1: save it as UTF-8",
    ),
    ("XML that only is Latin-1", XML.replace(b"one", b"caf\xe9"), "2: not UTF-8 at byte 29 of the line (0xe9)"),
    ("XML without topics", b"<root><item/></root>\n", "there is no topic in this file"),
    ("XML without a number", b"<topics>\n<topic><title>a</title></topic>\n</topics>\n", "2: this topic has no number"),
    (
        "XML without a title",
        b'<topics>\n<topic number="1"><narrative>a</narrative></topic>\n</topics>\n',
        "2: topic 1 has no title" + UNTITLED.format("narrative"),
    ),
    (
        "two titles in XML",
        XML.replace(b"</title>", b"</title><title>two</title>"),
        "2: this topic has 2 titles: has it run into the next?",
    ),
    (
        "a number twice in XML",
        XML.replace(b"</topics>", b'<topic number="1"><query>b</query></topic></topics>'),
        "3: topic 1 twice, first on line 2",
    ),
    ("an endless topic in XML", _in_xml("x" * (1 << 20)), "2: this topic is longer than 1048576 characters"),
    (
        "a control character in XML",
        _in_xml("a\x01b"),
        "2: not well-formed XML: not well-formed (invalid token) at character 27 of the line",
    ),
]

MALFORMED: list[Malformed] = malformed("a", [*PACKING, *TSVS, *JSONL, *SGML, *XMLS])
