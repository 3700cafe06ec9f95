"""Writing a report: everything beside the files it is made from, and a manifest with the hash of each."""

import hashlib
import json
import platform
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from annotation.formats.version import VERSION
from annotation.text.watch import Watch
from evaluation.engine.order_agreement import order_agreements
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.formats.comparison import FORMATS as PAIR_FORMATS
from evaluation.formats.many_runs import FORMATS as MANY_FORMATS
from evaluation.formats.report.contents import Contents, contents_of
from evaluation.formats.report.figures import write_figures
from evaluation.formats.report.page import definition_of, report_page
from evaluation.formats.report.question import (
    Inputs,
    Question,
    compare_command,
    compare_many_command,
    evaluate_command,
    report_command,
)
from evaluation.formats.values import FORMATS as VALUE_FORMATS

FORM = "touchstone report 1"
INPUTS, TABLES, PLOTS, PAGE, MANIFEST = "inputs", "tables", "plots", "report.html", "manifest.json"
ENDINGS = {"csv": "csv", "json": "json", "latex": "tex"}
PACKAGES = ("numpy", "scipy", "matplotlib")  # whose versions may move the last digit, or a line of a plot


@dataclass(frozen=True)
class Table:
    """Its text is what the command prints."""

    text: str
    command: Sequence[str]


def copied(files: Sequence[Path], folder: Path) -> list[str]:
    """Copies of the files, byte for byte, as their places in the report's folder. A file of a name that is taken goes
    into a folder of its own, so that its name, by which a run without a tag is called, stays."""
    names, taken = [], set[str]()
    for at, file in enumerate(files):
        name = f"{INPUTS}/{file.name}" if file.name not in taken else f"{INPUTS}/{at}/{file.name}"
        taken.add(file.name)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / name)
        names.append(name)
    return names


def write_report(
    question: Question,
    inputs: Inputs,
    qrels: Qrels,
    runs: Sequence[PackedRun],
    folder: Path,
    *,
    watch: Watch,
    device: str | None = None,
) -> Path:
    """Into a folder that holds the inputs; gives the manifest's path. Raises `ValueError` as `contents_of`."""
    contents = contents_of(question, qrels, runs, watch=watch, device=device)
    tables = tables_of(question, contents, inputs)
    names = [inputs.qrels, *inputs.runs, *([inputs.facts_file] if inputs.facts_file else [])]
    hashes = {name: _sha256(folder / name) for name in names}
    commands = {name: table.command for name, table in tables.items()}
    (folder / PAGE).write_text(report_page(question, contents, inputs, hashes, commands), "utf-8")
    for name, table in tables.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(table.text.encode())
    (folder / PLOTS).mkdir(exist_ok=True)
    plots = [f"{PLOTS}/{path.name}" for path in write_figures(question, contents, folder / PLOTS, watch)]
    output_hashes = {name: _sha256(folder / name) for name in [PAGE, *tables, *plots]}
    tags = {name: one.tag for name, one in zip(inputs.runs, contents.evaluations, strict=True)}
    manifest = _manifest(question, inputs, tags, hashes=hashes, output_hashes=output_hashes, commands=commands)
    (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", "utf-8")
    return folder / MANIFEST


def tables_of(question: Question, contents: Contents, inputs: Inputs) -> dict[str, Table]:
    """By their places in the folder."""
    tables = dict[str, Table]()
    for form, ending in ENDINGS.items():
        text = VALUE_FORMATS[form](contents.evaluations, per_topic=False)
        tables[f"{TABLES}/means.{ending}"] = Table(text, evaluate_command(question, inputs, form))
        if contents.many:
            name = "ranks" if question.kind == "evaluation" else "comparison"
            text = MANY_FORMATS[form](contents.many, question.seed)
            tables[f"{TABLES}/{name}.{ending}"] = Table(text, compare_many_command(question, inputs, form))
        if contents.pairs:
            text = PAIR_FORMATS[form](contents.pairs, order_agreements(contents.pairs), question.seed)
            tables[f"{TABLES}/comparison.{ending}"] = Table(text, compare_command(question, inputs, form))
    text = VALUE_FORMATS["csv"](contents.evaluations, per_topic=True)
    tables[f"{TABLES}/topics.csv"] = Table(text, evaluate_command(question, inputs, "csv", per_topic=True))
    return tables


def _manifest(
    question: Question,
    inputs: Inputs,
    tags: Mapping[str, str],
    *,
    hashes: Mapping[str, str],
    output_hashes: Mapping[str, str],
    commands: Mapping[str, Sequence[str]],
) -> dict[str, object]:
    packages = {name: version(name) for name in PACKAGES}
    return {
        "form": FORM,
        "touchstone": VERSION,
        "made_with": {"python": platform.python_version(), **packages},
        "kind": question.kind,
        "title": question.title,
        "command": report_command(question, inputs),
        "averaging": question.averaging,
        "options": asdict(question.options),
        "design": asdict(question.design),
        "seed": question.seed,
        "cutoffs": list(question.cutoffs),
        "measures": {str(one): definition_of(one) for one in question.measures},
        "facts": inputs.facts,
        "inputs": [{"file": name, "run": tags.get(name), "sha256": sha} for name, sha in hashes.items()],
        "files": [{"file": name, "sha256": sha, "command": commands.get(name)} for name, sha in output_hashes.items()],
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
