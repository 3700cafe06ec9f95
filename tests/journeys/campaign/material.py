"""What a campaign starts from: files as a lead has them on disk, and the true grades, which only the people know."""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from touchstone.demo.content import CONTENT, DOCUMENTS, TOPICS, demo_documents, demo_grades, demo_topics
from touchstone.demo.rankers import make_runs

Pair = tuple[str, str]  # topic number, docno


@dataclass(frozen=True)
class NamedFile:
    name: str
    content: bytes


@dataclass(frozen=True)
class Shown:
    """What of a document an annotator sees, to be recognised by: white space does not count."""

    title: str
    text: str

    @property
    def key(self) -> str:
        return "".join(self.title.split()) + "\n" + "".join(self.text.split())


@dataclass(frozen=True)
class Material:
    """`numbers`: the topics to judge. `truth`: true grades; a pair that is not there has grade 0."""

    name: str
    topics: NamedFile
    documents: NamedFile
    runs: Sequence[NamedFile]
    truth: Mapping[Pair, int]
    numbers: Sequence[str]
    depth: int
    shown: Mapping[str, Shown] = field(repr=False)  # docno → what one sees of it

    def grade(self, pair: Pair) -> int:
        return self.truth.get(pair, 0)

    def true_qrels(self) -> NamedFile:
        """The true grades of the chosen topics as TREC qrels."""
        rows = sorted((pair, grade) for pair, grade in self.truth.items() if pair[0] in self.numbers)
        text = "".join(f"{number} 0 {docno} {grade}\n" for (number, docno), grade in rows)
        return NamedFile("truth.qrels", text.encode())

    def pool(self) -> set[Pair]:
        """The pairs within the depth of any run, by score and then docno, both descending."""
        return {pair for run in self.runs for pair in self._tops(run)}

    def docno_by_look(self) -> dict[str, str]:
        """What one sees → docno, for documents that look like no other."""
        times = Counter(shown.key for shown in self.shown.values())
        return {shown.key: docno for docno, shown in self.shown.items() if times[shown.key] == 1}

    def _tops(self, run: NamedFile) -> Iterator[Pair]:
        rows: dict[str, list[tuple[float, bytes]]] = defaultdict(list)
        for line in _plain(run).decode().splitlines():
            number, _, docno, _, score, _ = line.split()
            if number in self.numbers:
                rows[number].append((float(score), docno.encode()))
        for number, scored in rows.items():
            yield from ((number, docno.decode()) for _, docno in sorted(scored, reverse=True)[: self.depth])


def demo_material() -> Material:
    """The almanac: its six rankers, pooled to depth 13, for at depth 10 they have fewer than 300 pairs."""
    runs = make_runs(demo_topics(), demo_documents())
    return Material(
        name="Household almanac",
        topics=_file(CONTENT / TOPICS),
        documents=_file(CONTENT / DOCUMENTS),
        runs=[NamedFile(f"{tag}.run", content) for tag, content in runs.items()],
        truth={(row.number, row.docno): row.grade for row in demo_grades()},
        numbers=[topic.number for topic in demo_topics()],
        depth=13,
        shown={document.docno: Shown(document.title, document.text) for document in demo_documents()},
    )


def cranfield_material(folder: Path, *, numbers: Sequence[str]) -> Material:
    """Nine runs at depth 10; unlisted pairs have grade 0. Topics and documents go in as the files stand."""
    lines = (folder / "docs.jsonl").read_text("utf-8").splitlines()
    documents = {row["doc_id"]: Shown(row["title"], row["text"]) for row in map(json.loads, lines)}
    rows = [line.split() for line in (folder / "qrels.graded.txt").read_text("utf-8").splitlines()]
    return Material(
        name="Cranfield",
        topics=_file(folder / "queries.tsv"),
        documents=_file(folder / "docs.jsonl"),
        runs=[_file(path) for path in sorted((folder / "runs").glob("*.run.gz"))],
        truth={(number, docno): int(grade) for number, _, docno, grade in rows},
        numbers=numbers,
        depth=10,
        shown=documents,
    )


def _file(path: Path) -> NamedFile:
    return NamedFile(path.name, path.read_bytes())


def _plain(file: NamedFile) -> bytes:
    return gzip.decompress(file.content) if file.name.endswith(".gz") else file.content
