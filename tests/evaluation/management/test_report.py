"""A report from files: its tables are those of the other commands, and the command that it prints gives it again."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.evaluation.management.calling import called

ORDERS = {"one": "abcdef", "two": "bacdef", "six": "fedcba"}
TOPICS = range(1, 13)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Twelve topics in which a, and of every second b, is relevant. Two files have one name, and one run has no tag."""
    folder = tmp_path_factory.mktemp("files")
    grade = {number: number % 2 for number in TOPICS}
    (folder / "q & a.txt").write_text("".join(f"{n} 0 a 2\n{n} 0 b {grade[n]}\n" for n in TOPICS))
    for tag, order in ORDERS.items():
        (folder / tag).mkdir()
        rows = (f"{n} Q0 {d} 1 {-i} {tag}$<b>\n" for n in TOPICS for i, d in enumerate(order))
        (folder / tag / "x.run").write_text("".join(rows))
    return [folder / "q & a.txt", *(folder / tag / "x.run" for tag in ORDERS)]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Page(HTMLParser):
    """What a page loads or runs, and the elements that are not closed where they should be."""

    VOID = frozenset({"meta", "line", "circle", "rect", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.stack: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, value in attrs if (name, (value or "")[:1]) != ("href", "#")}
        if tag in {"script", "link", "img", "iframe"} or names & {"src", "href", "style"} or "onload" in names:
            self.outside.append(tag)
        self.stack += [] if tag in self.VOID else [tag]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed at once."""

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.stack.pop() == tag


@pytest.mark.parametrize(
    ("runs", "options"),
    [
        ((1, 2, 3), ("-m", "nDCG@2", "-m", "RR(rel=2)")),
        ((1, 2, 3), ("--kind", "comparison", "-m", "RR", "--ties", "file", "--max-grade", "3", "--draws", "99")),
        ((1, 3), ("--kind", "comparison", "-m", "nDCG@2", "--minimum-difference", "0.1", "--title", "It's <one>")),
        ((1, 2, 3), ("--kind", "comparison", "-m", "RR", "--baseline", "one$<b>", "--averaging", "retrieved")),
        ((1,), ("-m", "nDCG@2", "-m", "NumRel", "--judged-only", "--depth", "4")),
    ],
)
def test_the_printed_commands_give_the_same_bytes(
    files: list[Path], runs: tuple[int, ...], options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [files[0], *(files[at] for at in runs)]
    (tmp_path / "facts.json").write_text('{"policy": "default v1", "made": {"pairs": 24}}')
    called("report", *paths, *options, "--facts", tmp_path / "facts.json", "-o", tmp_path / "report")
    report = contents(tmp_path / "report")
    manifest = json.loads(report["manifest.json"])
    monkeypatch.chdir(tmp_path / "report")
    called(*manifest["command"][1:])
    assert contents(tmp_path / "report" / "again") == report
    for file in manifest["files"]:
        if file["command"]:
            assert called(*file["command"][1:])[0].encode() == report[file["file"]], file["file"]


def test_what_stands_in_it(files: list[Path], tmp_path: Path) -> None:
    called("report", *files, "-m", "nDCG@2", "-m", "RR(rel=2)", "-o", tmp_path / "report", "--seed", "7")
    report = contents(tmp_path / "report")
    page, manifest = report["report.html"].decode(), json.loads(report["manifest.json"])
    assert Page(page).outside == []
    assert Page(page).stack == []
    assert set(report) >= {
        *(f"plots/{name}.{end}" for name in ("metrics_vs_k", "means_nDCG@2") for end in ("svg", "png")),
        *(f"tables/{name}.{end}" for name in ("means", "ranks") for end in ("csv", "json", "tex")),
        *("inputs/q & a.txt", "inputs/x.run", "inputs/2/x.run", "inputs/3/x.run", "tables/topics.csv"),
    }
    assert (manifest["seed"], manifest["kind"], list(manifest["measures"])) == (
        7,
        "evaluation",
        ["nDCG@2", "RR(rel=2)"],
    )
    for words in (manifest["touchstone"], "Järvelin and Kekäläinen", "six$&lt;b&gt;", "To make it anew", "--seed 7"):
        assert words in page, words
    assert all(each["sha256"] in page for each in manifest["inputs"])
    rows = list(csv.DictReader(io.StringIO(report["tables/means.csv"].decode())))
    assert all(f"{float(row['nDCG@2']):.4f}" in page for row in rows)
    assert not re.search(r"20\d\d-\d\d-\d\d", page)  # no date: it would be another page tomorrow


def test_intervals_are_of_the_confidence_asked_for(files: list[Path], tmp_path: Path) -> None:
    def shown(confidence: str) -> str:
        called("report", *files, "-m", "AP", "--confidence", confidence, "-o", tmp_path / confidence)
        return (tmp_path / confidence / "report.html").read_text("utf-8")

    narrow, wide = shown("0.5"), shown("0.99")
    assert [percent in narrow for percent in ("50 %", "99 %", "95 %")] == [True, False, False]
    assert [percent in wide for percent in ("50 %", "99 %", "95 %")] == [False, True, False]
    means = [re.findall(r"(0\.\d{4})<small>", page) for page in (narrow, wide)]
    assert means[0] == means[1] != []
    ends = [re.findall(r"<small>(\S+) to (\S+)</small>", page) for page in (narrow, wide)]
    widths = [[float(high) - float(low) for low, high in each] for each in ends]
    assert all(small < large or small == large == 0 for small, large in zip(*widths, strict=True))
    assert max(widths[1]) > 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--kind", "comparison", "-m", "GMAP"), "no differences of geometric means"),
        (("-m", "nDCG@2", "--facts", "nowhere"), "nowhere: No such file"),
        (("--threshold", "-1"), "threshold"),
        (("--cutoffs", "0"), "cutoffs are whole numbers"),
    ],
)
def test_what_cannot_be_done_writes_nothing(
    files: list[Path], options: tuple[str, ...], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match=reason):
        called("report", *files, *options, "-o", tmp_path / "report")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("facts", ["{", "[]", '{"a": 1, "a": 2}', "[" * 100_000])
def test_facts_that_are_none_are_refused(files: list[Path], facts: str, tmp_path: Path) -> None:
    (tmp_path / "facts.json").write_text(facts)
    with pytest.raises(CommandError) as refused:
        called("report", *files, "-m", "RR", "--facts", tmp_path / "facts.json", "-o", tmp_path / "report")
    assert (refused.value.returncode, (tmp_path / "report").exists()) == (1, False)


def test_only_an_earlier_report_is_replaced(files: list[Path], tmp_path: Path) -> None:
    arguments: tuple[Any, ...] = (*files[:2], "-m", "RR", "-o", tmp_path / "report")
    (tmp_path / "report").mkdir()
    called("report", *arguments)
    with pytest.raises(CommandError, match="--force replaces it"):
        called("report", *arguments)
    called("report", *arguments, "--force")
    (tmp_path / "report" / "manifest.json").write_text("{}")
    with pytest.raises(CommandError, match="something else in this folder"):
        called("report", *arguments, "--force")
    with pytest.raises(CommandError, match="none can be piped in"):
        called("report", "-", files[1], "-o", tmp_path / "other")
    with pytest.raises(CommandError, match="takes two runs"):
        called("report", *files[:2], "--kind", "comparison", "-o", tmp_path / "other")
