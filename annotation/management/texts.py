"""Scale, guideline and information text from files, checked by the forms of the pages."""

import argparse
from typing import Any, cast

from annotation.corpus.forms.collections import GradeFormSet, grade_formset
from annotation.corpus.forms.guideline import MOST_CASES, NAMES, CaseRows, GuidelineForm
from annotation.corpus.steps.guidelines import FIRST_GUIDELINE, revise_guideline
from annotation.corpus.steps.scales import ScaleFixedError, revise_scale
from annotation.formats.objects import strict_json
from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.files import STREAM, name_of, opened
from annotation.kernel.commands.naming import faults_of
from annotation.models import MOST_GRADES, Collection, Grade, InformationVersion, ScaleVersion, User
from annotation.people.forms import InformationForm
from annotation.people.steps.information import revise_information

FILES = ("scale", "guideline", "information")
GUIDELINE_TEXTS = ("introduction", "examples", "edge_cases")
SCALE_FORM = 'JSON: [{"name": …, "definition": …, "example": …}, …], from grade 0 upwards'
GUIDELINE_FORM = (
    "Markdown, the introduction; or JSON with introduction, examples, edge_cases and cases, a list of worked examples "
    "with topic, document, grade, reason. What is not in the file stays"
)


def add_texts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scale", metavar="FILE", help=SCALE_FORM)
    parser.add_argument("--guideline", metavar="FILE", help=GUIDELINE_FORM)
    parser.add_argument("--information", metavar="FILE", help="Markdown: what people are to know before they take part")


def read_texts(options: dict[str, Any]) -> dict[str, str]:
    """What the files hold, by the name of the option; one of them may be the standard input."""
    files = {name: options[name] for name in FILES if options[name] is not None}
    if list(files.values()).count(STREAM) > 1:
        raise MisuseError("The standard input can be read only once.")
    return {name: _text(file) for name, file in files.items()}


def grades_of(text: str) -> list[Grade]:
    """Raises `RefusedError` for what is no scale."""
    rows = _json(text, "scale")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or len(rows) > MOST_GRADES:
        raise RefusedError(f"scale: a list of at most {MOST_GRADES} grades is expected. {SCALE_FORM}")
    data = {"grades-TOTAL_FORMS": str(len(rows)), "grades-INITIAL_FORMS": "0"}
    for at, row in enumerate(rows):
        data |= {f"grades-{at}-{name}": str(row.get(name, "")) for name in ("name", "definition", "example")}
    formset: GradeFormSet = grade_formset(len(rows))(data, prefix="grades")
    if not formset.is_valid():
        faults = [f"grade {at}: {faults_of(form)}" for at, form in enumerate(formset.forms) if form.errors]
        raise RefusedError("\n".join([*faults, *(f"scale: {fault}" for fault in formset.non_form_errors())]))
    return formset.grades()


def store_scale_text(collection: Collection, text: str, actor: User) -> int:
    """The number of the version that is in force now, as of all three."""
    try:
        return revise_scale(collection, grades=grades_of(text), actor=actor).number
    except ScaleFixedError as fixed:
        raise RefusedError(str(fixed)) from fixed


def store_guideline_text(collection: Collection, text: str, actor: User) -> int:
    """What the file does not name stays as it is."""
    current = collection.guideline
    begin = {name: getattr(current, name) for name in GUIDELINE_TEXTS} if current else dict(FIRST_GUIDELINE)
    sent = _json(text, "guideline") if text.lstrip().startswith("{") else {"introduction": text}
    unknown = sent.keys() - {*GUIDELINE_TEXTS, "cases"}
    if unknown:
        raise RefusedError(f"guideline: {min(unknown)} is no part of a guideline. {GUIDELINE_FORM}.")
    cases = _cases(sent.pop("cases", current.cases if current else []), collection.scale)
    form = GuidelineForm({**begin, **sent, "based_on": current.number if current else 0})
    if not form.is_valid() or not cases.is_valid():
        faults = [f"case {at}: {faults_of(row)}" for at, row in enumerate(cases.forms, 1) if row.errors]
        raise RefusedError("\n".join(filter(None, [faults_of(form), *faults])))
    texts = {name: form.cleaned_data[name] for name in GUIDELINE_TEXTS}
    return revise_guideline(collection, **texts, cases=cases.cases(), actor=actor).number


def store_information_text(collection: Collection, text: str, actor: User) -> int:
    """In place of the newest version: batches that ask for that one ask for this."""
    newest = InformationVersion.objects.filter(collection=collection).order_by("-number").first()
    form = InformationForm({"text": text, "based_on": newest.number if newest else 0})
    if not form.is_valid():
        raise RefusedError(faults_of(form))
    return revise_information(collection, **form.cleaned_data, actor=actor).number


def store_texts(collection: Collection, texts: dict[str, str], actor: User) -> dict[str, int]:
    """The versions that are in force now, by the name of the option."""
    stores = {
        "scale": store_scale_text,
        "guideline": store_guideline_text,
        "information": store_information_text,
    }
    return {name: store(collection, texts[name], actor) for name, store in stores.items() if name in texts}


def _cases(rows: object, scale: ScaleVersion | None) -> CaseRows:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or len(rows) > MOST_CASES:
        raise RefusedError(f"guideline: cases is a list of at most {MOST_CASES} worked examples.")
    entered = [{name: row.get(name, "") for name in NAMES} for row in cast("list[dict[str, object]]", rows)]
    return CaseRows(entered, scale=scale, bound=True)


def _text(file: str) -> str:
    with opened(file) as stream:
        try:
            return stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise RefusedError(f"{name_of(file)}: this is no text in UTF-8") from fault


def _json(text: str, name: str) -> Any:
    try:
        return strict_json(text)
    except ValueError as fault:
        raise RefusedError(f"{name}: not JSON: {fault}") from fault
