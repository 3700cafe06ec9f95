"""The same malformed logs through the pages and the API of the app: refused by file, line and reason; nothing stays."""

import json
import re
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.html import escape

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Import, Job, Topic
from evaluation.models import ClickComparison, Description, Experiment, SampledTopic, SeriesPoint
from tests.annotation.callers import caller
from tests.annotation.roles import make_people
from tests.evaluation.malformed_logs import TEAMS, malformed
from tests.evaluation.series.asking import begun
from tests.factories import make_run, make_snapshot

pytestmark = pytest.mark.django_db

# By kind: the columns of its log, and what the page of the import asks.
IMPORTS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "queries": (
        ("query", "count"),
        {"rule": "proportional", "rounding": "largest_remainder", "total": "1", "minimum": "0", "seed": "1"},
    ),
    "experiment": (("arm", "m"), {"name": "one", "variant_column": "arm", "number_columns": "m"}),
    "clicks": (
        ("number", "docno", "position", "clicks", "impressions"),
        {"name": "one", "snapshot": "first", "attraction": "grade", "estimator": "ips"},
    ),
}
# By file of a description: the columns, the kind, and what is asked beside it.
DESCRIPTIONS: dict[str, tuple[tuple[str, ...], str, dict[str, str]]] = {
    "scores": (("score", "positive"), "alarm_scores", {}),
    "items": (("item", "category", "popularity"), "recommendations", {"run": "shop"}),
    "asked_file": (("query", "count", "results"), "recommendations", {}),
    "window_file": (("s",), "drift", {"reference": "run/shop", "column": "s"}),
    "log": (("number", "list", "position"), "interleaving", {}),
}


def worked() -> Job:
    done = None
    while run := claim_job():
        done = run_job(run)
    assert done is not None
    return done


def is_named(text: str, name: str, line: int) -> bool:
    place = rf"{re.escape(name)}:{line}: \S" if line else rf"{re.escape(name)}(:\d+)?: \S"
    return re.match(place, text) is not None


@pytest.mark.parametrize("kind", IMPORTS)
def test_an_import_is_refused(kind: str) -> None:
    people, wrong = make_people(), {}
    make_snapshot(people.collection, "1 0 x 1\n1 0 y 0\n", name="first")
    columns, answers = IMPORTS[kind]
    client, address = people.client("admin"), reverse("import_new", args=["bees", kind])
    before = Topic.objects.count()
    for name, (content, line) in malformed(columns).items():
        page = client.post(address, {**answers, "file": SimpleUploadedFile(name, content)})
        if page.status_code == 422 and not content:  # an empty file is refused by the form
            continue
        assert page.status_code == 302, page.context["form"].errors
        worked()
        record = Import.objects.latest("pk")
        first: dict[str, Any] = (record.problems or [{}])[0]
        if record.state != "refused" or not is_named(f"{first['file']}:{first['line']}: {first['reason']}", name, line):
            wrong[name] = record.state, first
    assert wrong == {}
    stored = (model.objects.exists() for model in (SampledTopic, Experiment, ClickComparison))
    assert (Topic.objects.count(), any(stored)) == (before, False)


@pytest.mark.parametrize("field", DESCRIPTIONS)
def test_a_description_is_refused(field: str) -> None:
    people, wrong = make_people(), {}
    make_run(people.collection, "".join(f"1 Q0 i{n} 1 {n} shop\n" for n in range(1, 20)))
    columns, kind, answers = DESCRIPTIONS[field]
    program, address = caller(people.researcher), reverse(f"api_{kind}", args=["bees"])
    for name, (content, line) in malformed(columns).items():
        files = {field: SimpleUploadedFile(name, content)}
        if field == "log":
            files["lists"] = SimpleUploadedFile("lists.jsonl", json.dumps(TEAMS).encode())
        answer = program.post(address, {**answers, **files}, format="multipart")
        if answer.status_code == 400 and not content:
            continue
        assert answer.status_code == 202, answer.content
        job = worked()
        if job.state != Job.State.FAILED or not is_named(job.error, name, line):
            wrong[name] = job.state, job.error
    assert wrong == {}
    assert not Description.objects.exists()


def test_points_of_a_series_are_refused() -> None:
    people, wrong = make_people(), {}
    series = begun(people)
    client, address = people.client("researcher"), f"/c/bees/series/{series.pk}/file"
    times = {
        "ahead.csv": (f"time,value\n{datetime.now(UTC).year + 2}-01-01,1\n".encode(), 2),
        "day.csv": (b"time,value\n2026-02-30,1\n", 2),
        "far.csv": (b"time,value\n2999-01-01,1\n", 2),
    }
    for name, (content, line) in {**malformed(("time", "value")), **times}.items():
        if name in {"null.jsonl", "nothing.csv"}:  # a moment without a value is left out
            continue
        file = BytesIO(content)
        file.name = name
        page = client.post(address, {"file": file})
        if not content or name in {"gzip.csv", "cut.csv"} or name.endswith("parquet"):  # a plain file alone
            assert page.status_code == 422, name
        else:
            first = page.context["problems"][0]
            reason = escape(first.reason)
            if not is_named(str(first), name, line) or reason not in page.text or page.status_code != 422:
                wrong[name] = page.status_code, str(first)
    assert wrong == {}
    assert not SeriesPoint.objects.exists()
