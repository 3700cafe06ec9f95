"""trec_eval, with its options and its output: nothing is stored and the database is not touched."""

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import cast

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output
from evaluation.engine.measures import BinaryMeasure
from evaluation.engine.measures.utility import Utility
from evaluation.engine.options import Options
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import Averaging, MeasureValues
from evaluation.engine.trec_eval_requests import Request, requested
from evaluation.formats.notes import bpref_notes
from evaluation.formats.trec_eval import as_trec_eval, parse_z_scores
from evaluation.management.command_options import QRELS_FORMS, RUN_FORMS, engine_errors
from evaluation.management.files import read_file, read_run, refuse_strangers, refuse_two_stdins, write_text
from evaluation.management.relations import RELATIONS, Judgments, Relation


class Command(TouchstoneCommand):
    help = "Evaluate a run against qrels as trec_eval 10 does, and print what it prints."
    examples = (
        "touchstone trec_eval -q -m map -m ndcg_cut.10 qrels.txt bm25.run",
        "zcat bm25.run.gz | touchstone trec_eval -c qrels.txt - --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "evaluated", REFUSED: "refused: a file has problems, or the run no topic of the qrels"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("qrels", help=f"{QRELS_FORMS}; for the other kinds (-R) TREC; - reads the standard input")
        add("run", help=f"{RUN_FORMS}; - reads the standard input")
        names = "map, ndcg_cut.10,20, official, all_trec, set; also nDCG@10; may be repeated (default: official)"
        add("-m", "--measure", action="append", metavar="MEASURE[.PARAMETERS]", help=names)
        add("-q", "--query_eval_wanted", dest="per_topic", action="store_true", help="each topic's values, too")
        add("-n", "--nosummary", dest="summary", action="store_false", help="no summary over topics")
        add("-c", "--complete_rel_info_wanted", dest="complete", action="store_true", help="over all judged topics")
        add("-l", "--level_for_rel", dest="level", type=int, default=1, metavar="GRADE", help="relevant from it on")
        add("-J", "--Judged_docs_only", dest="judged_only", action="store_true", help="drop unjudged documents first")
        add("-M", "--Max_retrieved_per_topic", dest="depth", type=int, metavar="N", help="only the first N documents")
        add("-N", "--Number_docs_in_coll", dest="documents", type=int, default=0, metavar="N", help="for utility")
        add("-Z", "--Zscore", dest="z_scores", metavar="FILE", help="z-scores, by the means and deviations there")
        add("-R", "--Rel_info_format", dest="relation", choices=sorted(RELATIONS), default="qrels", help="of QRELS")
        add("-T", "--Results_format", choices=["trec_results"], default="trec_results", help="of RUN")
        add_output(parser)

    def handle(  # the options of the command line, by name
        self,
        *,
        qrels: str,
        run: str,
        per_topic: bool,
        summary: bool,
        z_scores: str | None,
        relation: str,
        output: str | None,
        force: bool,
        **rest: object,
    ) -> None:
        refuse_two_stdins([qrels, run, z_scores or ""])
        target = checked_output(output, force=force)
        kind = RELATIONS[relation]
        requests, options = _requests(kind, rest)
        judgments, results = read_file(qrels, kind.parse, self.stderr), read_run(run, self.stderr)
        refuse_strangers([run], [results], qrels, kind.topics(judgments))
        reference = None if z_scores is None else read_file(z_scores, parse_z_scores, self.stderr)
        result = _evaluate(kind, results, judgments, requests, options, complete=bool(rest["complete"]))
        if result.missing and not rest["complete"]:
            self.stderr.write(f"{len(result.missing)} of the judged topics missing from the run, left out: see -c")
        for note in bpref_notes(judgments, [request.measure for request in requests if request.measure is not None]):
            self.stderr.write(note)
        strings = {
            request.name: kind.strings(results, judgments, request.length, options)
            for request in requests
            if request.what == "grades" and kind.strings is not None
        }
        lines = as_trec_eval(
            result, requests, strings=strings, per_topic=per_topic, summary=summary, z_scores=reference
        )
        text = _as_json(lines) if self.as_json else "".join(lines)
        write_text(text, target, self.stdout, force=force)


def _as_json(lines: Iterable[str]) -> str:
    """The lines as objects: values stay as trec_eval writes them, for some are texts."""
    rows = (line.rstrip("\n").split("\t") for line in lines)
    facts = [{"measure": name.strip(), "topic": topic, "value": value} for name, topic, value in rows]
    return json.dumps(facts, ensure_ascii=False) + "\n"


def _requests(kind: Relation[Judgments], arguments: dict[str, object]) -> tuple[list[Request], Options]:
    """The lines that are wanted, and how the run is read; ends the command for what makes no sense."""
    with engine_errors(MisuseError):
        requests = requested(cast("list[str] | None", arguments["measure"]) or [kind.default], kind.measures)
        if kind.strings is None and any(request.what == "grades" for request in requests):
            raise ValueError("relstring cannot be computed from these judgments")
        level, documents = cast("int", arguments["level"]), cast("int", arguments["documents"])
        if documents < 0:
            raise ValueError(f"the documents of a collection are at least 0, not {documents}")
        if level < 1:
            raise ValueError(f"the level rel of measures is a whole number of at least 1, not {level}")
        options = Options(judged_only=bool(arguments["judged_only"]), depth=cast("int | None", arguments["depth"]))
        return [_adapted(request, level=level, documents=documents) for request in requests], options


def _adapted(request: Request, *, level: int, documents: int) -> Request:
    """With trec_eval's -l and -N. A measure named in the field's way has its own level."""
    measure = request.measure
    if request.own or measure is None:
        return request
    if isinstance(measure, BinaryMeasure):
        measure = replace(measure, rel=level)
    if isinstance(measure, Utility):
        measure = replace(measure, documents=documents)
    return replace(request, measure=measure)


def _evaluate(
    kind: Relation[Judgments],
    run: PackedRun,
    judgments: Judgments,
    requests: list[Request],
    options: Options,
    *,
    complete: bool,
) -> MeasureValues:
    measures = [request.measure for request in requests if request.measure is not None] or [kind.stand_in]
    averaging: Averaging = "complete" if complete else "retrieved"
    with engine_errors():
        return kind.evaluate(run, judgments, measures, averaging=averaging, options=options)
