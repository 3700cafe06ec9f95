"""A worked campaign that counts as large: its columns are kept, and what pages show is made by the worker."""

from typing import Any, Never

import pytest
from django.test import Client
from django.urls import reverse

from annotation.home.pages.collection_quality import clear_quality
from annotation.kernel.judged import keeping
from annotation.kernel.judged.keeping import keep_columns
from annotation.kernel.results.stored import let_go
from annotation.quality.policy import Policy
from annotation.review.read import supply, suspects
from annotation.trust.pages.report import QualityReport, quality_report
from annotation.trust.read import judgments, results
from annotation.trust.read.kept import clear_memory
from annotation.trust.steps import results as sweeping
from annotation.trust.steps.results import sweep_results
from tests.annotation.roles import People
from tests.annotation.worked_campaign import Worked, make_worked

COMPARE = "policies/compare?batch={token}&policy=default+v1&rule=median&rule=majority"
COMPARED = reverse("api_policies_compare", args=["bees"]) + "?policy=default+v1&rule=median&rule=majority"


def make_large(people: People, monkeypatch: pytest.MonkeyPatch) -> Worked:
    monkeypatch.setattr(keeping, "SETTLED", -3_600_000_000)
    worked = make_worked(people.collection)
    for batch in worked.collection.batches.all():
        keep_columns(batch, behind=1, least=1)
    monkeypatch.setattr(results, "LARGE", 1)
    monkeypatch.setattr(sweeping, "_looked", [])
    monkeypatch.setattr(sweeping, "TIMES", 0)
    another_process()
    return worked


def another_process() -> None:
    """Nothing is held, as where a process has just begun."""
    for forget in (let_go, clear_memory, clear_quality, sweeping._looked.clear):
        forget()


def report_now(worked: Worked) -> QualityReport:
    return quality_report(worked.collection, [worked.batch], Policy())


def make_all() -> int:
    another_process()
    n = sweep_results()
    another_process()
    return n


def opened(client: Client, address: str) -> Any:
    """The page, once the worker has made what it waits for."""
    answer = client.get(address)
    if answer.status_code in {202, 503}:
        sweep_results()
        answer = client.get(address)
    assert answer.status_code == 200
    return answer


def nothing_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> Never:
        raise AssertionError("judgments were read")

    monkeypatch.setattr(judgments, "policy_inputs", refuse)
    monkeypatch.setattr(suspects, "judged_gold", refuse)
    monkeypatch.setattr(supply, "supply_of", refuse)
