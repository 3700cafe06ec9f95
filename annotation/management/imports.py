"""Each kind of file that a collection takes in, as a command."""

import argparse
from pathlib import Path
from typing import Any

from annotation.exchange.steps.importing import CORRECT_ALL, formats_of
from annotation.formats.id_files import WITHOUT_IDS, ids_beside
from annotation.kernel.commands.files import STREAM, opened
from annotation.kernel.store import put
from annotation.management.importing import ImportCommand, add_grades, add_on_conflict, add_unknown
from annotation.models import Import

HEAD = 64


class ImportTopics(ImportCommand):
    help = "Import topics. What the file is, its content says, or --format."
    kind = Import.Kind.TOPICS
    examples = ("touchstone import topics bees topics.tsv --dry-run",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        add_on_conflict(parser, "topic")


class ImportDocuments(ImportCommand):
    help = "Import documents. What the file is, its content says, or --format."
    kind = Import.Kind.DOCUMENTS
    examples = (
        "touchstone import documents bees part-1.jsonl.gz part-2.jsonl.gz --on-conflict skip",
        "zstd -dc corpus.jsonl.zst | touchstone import documents bees - --columns docno=passage_id --json",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        add_on_conflict(parser, "document")


class ImportQrels(ImportCommand):
    help = "Import qrels as a snapshot. Topics and documents need not be there."
    kind = Import.Kind.QRELS
    naming = "name"
    examples = (
        "touchstone import qrels bees qrels.txt --name official",
        "touchstone import qrels bees qrels.txt --name linking --grades '2=1, 4=2, 8=3, 16=4'",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="what the snapshot is called")
        add_grades(parser)


class ImportRun(ImportCommand):
    help = "Import a run. Topics and documents need not be there."
    kind = Import.Kind.RUN
    naming = "tag"
    examples = (
        "touchstone import run bees bm25.run.gz --tag bm25",
        "touchstone import run bees one.run two.run three.run",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--tag", default="", help="what the run is called, instead of the tag in the file")
        parser.add_argument("--description", default="", help="a line or two about the run")


class ImportVectors(ImportCommand):
    help = (
        "Import the vectors that a model has for the queries or the documents. The ids of .npy and .safetensors are "
        "lines of a file beside it (docs.npy, docs.ids.txt)."
    )
    kind = Import.Kind.VECTORS
    options = ("model", "side", "similarity", "description", "unknown")
    naming = "model"
    examples = (
        "touchstone import vectors bees docs.f32.npy --model e5 --side documents",
        "touchstone import vectors bees queries.parquet --model e5 --side queries --similarity inner --unknown skip",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--model", required=True, help="what the model is called, without blanks")
        parser.add_argument("--side", choices=["queries", "documents"], required=True, help="whose vectors they are")
        parser.add_argument(
            "--similarity",
            choices=["cosine", "inner", "euclidean"],
            default="cosine",
            help="what the model was trained with (default: %(default)s)",
        )
        parser.add_argument("--ids", metavar="FILE", help="the ids, one a line, if not beside the file")
        parser.add_argument("--description", default="", help="a line or two about the vectors")
        parser.add_argument(
            "--unknown",
            choices=["refuse", "skip", "keep"],
            default="refuse",
            help="vectors whose topic or document is not there: refuse the file (default), leave them aside, keep them",
        )

    def further_answers(self, file: str, options: dict[str, Any]) -> dict[str, Any]:
        ids = Path(options["ids"]) if options["ids"] else self._beside(file)
        if ids is None:
            return {}
        with opened(ids) as stream:
            return {"ids": put(stream), "ids_filename": ids.name}

    def _beside(self, file: str) -> Path | None:
        """The file of ids beside one that has none of its own."""
        if file == STREAM:
            return None
        with opened(file) as stream:
            head = stream.read(HEAD)
        form = next((each.name for each in formats_of(self.kind) if each.fits(head)), "")
        if form not in WITHOUT_IDS:
            return None
        return next((path for path in ids_beside(Path(file)) if path.exists()), None)


class ImportPairs(ImportCommand):
    help = "Import pairs to judge as a pool."
    kind = Import.Kind.PAIRS
    naming = "name"
    examples = ("touchstone import pairs bees pairs.txt --name 'depth 10'",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="what the pool is called")
        add_unknown(parser)


class ImportQueries(ImportCommand):
    help = "Import a stratified sample of a query log as topics, with inclusion probabilities."
    kind = Import.Kind.QUERIES
    options = (
        *("total", "minimum", "by", "head", "torso", "rule", "deviation", "oversample", "rounding", "seed"),
        *("number_prefix", "query_column", "count_column"),
    )
    examples = ("touchstone import queries bees log.tsv --total 300 --minimum 20 --seed 7 --dry-run",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--total", required=True, metavar="N", help="topics wanted")
        parser.add_argument("--minimum", default="", metavar="N", help="of each stratum")
        parser.add_argument(
            "--by", default="", metavar="COLUMN", help="strata: a column's; without it head, torso, tail"
        )
        parser.add_argument(
            "--head", default="", metavar="N", help="so many queries, or below 1 a share of the traffic"
        )
        parser.add_argument("--torso", default="", metavar="N", help="the same of those that follow")
        parser.add_argument("--rule", choices=["proportional", "equal", "neyman"], default="proportional")
        parser.add_argument("--deviation", default="", metavar="STRATUM=SD,…", help="for neyman")
        parser.add_argument("--oversample", default="", metavar="STRATUM=TIMES,…", help="beyond the total")
        parser.add_argument("--rounding", choices=["largest_remainder", "floor"], default="largest_remainder")
        parser.add_argument("--seed", default="", metavar="N", help="of what is drawn; default: 0")
        parser.add_argument("--number-prefix", default="", metavar="TEXT", help="before the numbers of the topics")
        parser.add_argument("--query-column", default="", metavar="NAME", help="which column holds the queries")
        parser.add_argument("--count-column", default="", metavar="NAME", help="which says how often each was asked")


class ImportExperiment(ImportCommand):
    help = (
        "Import the log of an A/B test, a row a unit: all of it is checked, and `experiments analyse` analyses it. "
        "Columns whose first thousand values are numbers are numbers in every row, or the log is refused."
    )
    kind = Import.Kind.EXPERIMENT
    options = ("name", "variant_column", "unit_column", "number_columns", "description")
    naming = "name"
    examples = (
        "touchstone import experiment bees log.csv --name checkout --variant-column arm --unit-column user",
        "touchstone import experiment bees log.parquet --name checkout --number-columns bought,seconds --dry-run",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="what the experiment is called, without blanks")
        parser.add_argument(
            "--variant-column", default="", metavar="NAME", help="default: the one called variant, arm, group …"
        )
        parser.add_argument(
            "--unit-column", default="", metavar="NAME", help="a unit that stands twice in it is refused"
        )
        parser.add_argument("--number-columns", default="", metavar="NAME,…", help="which ones hold numbers alone")
        parser.add_argument("--description", default="", help="a line or two about the experiment")


class ImportClicks(ImportCommand):
    help = "Import a log of clicks and set it beside the judgments of a snapshot, corrected for positions."
    kind = Import.Kind.CLICKS
    naming = "name"
    options = ("name", "snapshot", "attraction", "estimator")
    examples = ("touchstone import clicks bees clicks.csv --name 'March' --snapshot official --dry-run",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="what the clicks are called")
        parser.add_argument("--snapshot", required=True, metavar="NAME", help="beside whose judgments they are set")
        parser.add_argument("--attraction", choices=["pair", "grade"], default="pair", help="what attracts alike")
        parser.add_argument("--estimator", choices=["ips", "ratio"], default="ips", help="how clicks are corrected")


class ImportGold(ImportCommand):
    help = (
        "Import gold: pairs whose grade is known. A pair that is gold with another grade is corrected with --correct."
    )
    kind = Import.Kind.GOLD
    options = ("grades", "unknown", "correct")
    examples = (
        "touchstone import gold bees gold.tsv --dry-run",
        "touchstone import gold bees gold.tsv --grades '0=0, 1=2, 2=4' --correct",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        add_grades(parser)
        add_unknown(parser)
        parser.add_argument(
            "--correct",
            action="store_const",
            const=CORRECT_ALL,
            default="",
            help="correct pairs that are gold with another grade; --dry-run says which",
        )


class ImportJudgments(ImportCommand):
    help = (
        "Import judgments that were made elsewhere, as a closed batch with the people who made them. Topics and "
        "documents that are not there come in by their ids alone."
    )
    kind = Import.Kind.JUDGMENTS
    options = ("name", "annotators", "machines", "grades")
    naming = "name"
    examples = (
        (
            "touchstone import judgments bees judgments.tsv --name crowd \\\n"
            "      --columns number=query_id docno=doc_id annotator=worker grade=label \\\n"
            '      --grades "0=0, 1=2, 2=4, -2=cannot" --dry-run'
        ),
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", default="", help="what the batch is called; without it, as the file")
        parser.add_argument(
            "--annotators",
            choices=["same", "new"],
            default="",
            help="people who came with earlier judgments under the same id are the same, or new ones with a number "
            "after it; without it such a file is refused",
        )
        parser.add_argument(
            "--machines",
            default="",
            metavar="IDS",
            help="annotators of the file that are machine judges, with commas between; * for all",
        )
        add_grades(parser)
