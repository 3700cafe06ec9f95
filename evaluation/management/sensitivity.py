"""`manage.py sensitivity`: what its options name, from files or from a collection."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from annotation.formats.gold import GoldRow
from annotation.formats.objects import strict_json
from annotation.formats.outside import OutsideJudgment
from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.foundation import OutputWrapper
from annotation.kernel.commands.naming import collection_named, snapshot_named
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy, PolicyError
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.sensitivity.evidence import Evidence, Question
from evaluation.engine.sensitivity.judgments import Judgments, judgments_of
from evaluation.formats.annotators import inputs_of, parse_annotators, parse_gold, policy_for
from evaluation.management.accounting import runs_named
from evaluation.management.command_options import engine_errors
from evaluation.management.files import read_file, read_qrels, read_runs, refuse_strangers, refuse_two_stdins
from evaluation.sensitivity.read import evidence_of, options_of


def evidence_in_files(options: Mapping[str, Any], stderr: OutputWrapper) -> Evidence:
    """Qrels, or the judgments of several annotators and what their policy makes of them; other qrels; runs."""
    judged, names = str(options["judged"]), list(options["runs"])
    beside = parted_by_name(options["beside"], "--beside")
    refuse_two_stdins([judged, *names, *beside.values()])
    judgments = _judgments(judged, options, stderr) if options["judgments"] == "annotators" else None
    if judgments is None and (options["gold"] or options["policy"]):
        raise MisuseError("--gold and --policy go with --judgments annotators.")
    pairs = judgments.pairs if judgments else read_qrels(judged, stderr)
    runs = _runs(names, judged, pairs, stderr)
    others = {name: read_qrels(file, stderr) for name, file in beside.items()}
    return Evidence(runs=runs, pairs=pairs, judgments=judgments, others=others)


def evidence_in_collection(options: Mapping[str, Any], question: Question) -> tuple[Evidence, Question]:
    """A snapshot's, with its policy and the scale's top."""
    if options["judged"] or not options["snapshot"]:
        raise MisuseError("Name a collection with a snapshot and without files, or files alone.")
    collection = collection_named(options["collection"])
    snapshot = snapshot_named(collection, options["snapshot"])
    beside = [snapshot_named(collection, name) for name in options["beside"]]
    with engine_errors():
        evidence = evidence_of(snapshot, runs_named(collection, options["run"]), beside=beside)
    options_here = replace(question.options, max_grade=options_of(snapshot, evidence.pairs).max_grade)
    return evidence, replace(question, options=options_here)


def parted_by_name(entries: Sequence[str], option: str) -> dict[str, str]:
    """`name=value` entries by their names."""
    parts = [entry.partition("=") for entry in entries]
    if any(not (name and equals and value) for name, equals, value in parts):
        raise MisuseError(f"{option} takes NAME=VALUE.")
    named = {name: value for name, _, value in parts}
    if len(named) < len(parts):
        raise MisuseError(f"{option} has a name twice.")
    return named


def _runs(names: Sequence[str], judged: str, pairs: Qrels, stderr: OutputWrapper) -> list[PackedRun]:
    runs = read_runs(names, stderr)
    refuse_strangers(names, runs, judged, pairs.numbers)
    return runs


def _judgments(judged: str, options: Mapping[str, Any], stderr: OutputWrapper) -> Judgments:
    rows: list[OutsideJudgment] = read_file(judged, parse_annotators, stderr)
    gold: list[GoldRow] = read_file(options["gold"], parse_gold, stderr) if options["gold"] else []
    with engine_errors():
        inputs = inputs_of(rows, gold, top=options["max_grade"])
        return judgments_of(inputs, _policy(options["policy"], inputs))


def _policy(file: str | None, inputs: Inputs) -> Policy:
    """The parameters of the file in those of the default policy."""
    if file is None:
        return policy_for(inputs)
    try:
        values = strict_json(Path(file).read_text("utf-8-sig"))
    except OSError as fault:
        raise MisuseError(f"{file}: {fault.strerror}") from fault
    except ValueError as fault:
        raise RefusedError(f"{file}: not JSON: {fault}") from fault
    if not isinstance(values, dict) or (unknown := sorted(values.keys() - asdict(Policy()).keys())):
        what = f"{unknown[0]} is no parameter of a policy" if isinstance(values, dict) else "a JSON object is expected"
        raise RefusedError(f"{file}: {what}")
    try:
        return replace(Policy(), **values)
    except PolicyError as fault:
        raise RefusedError(f"{file}: {fault}") from fault
