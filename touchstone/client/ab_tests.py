"""A/B tests and their analyses. `imports.bring` brings logs in."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.jobs import Job, job_of
from touchstone.client.parts import Part
from touchstone.client.schema.ab_tests import (
    AnalysisAsked,
    AnalysisLine,
    Experiment,
    ExperimentQuestionRequest,
    WholeAnalysis,
)


class ABTests(Part):
    def all(self) -> Iterator[Experiment]:
        return self._pages(Experiment)

    def read(self, name: str) -> Experiment:
        return self._get(Experiment, name)

    def delete(self, name: str) -> None:
        """With its analyses."""
        self._do(name, method="DELETE")

    def analyse(self, name: str, **entries: Unpack[ExperimentQuestionRequest]) -> Job:
        """Sample ratio, differences with intervals, guardrails, segments, looks."""
        return job_of(self._wire, self._post(AnalysisAsked, name, "analyses", body=entries))

    def analyses(self, name: str) -> Iterator[AnalysisLine]:
        """What was asked, the last first."""
        return self._pages(AnalysisLine, name, "analyses")

    def analysis(self, name: str, pk: int) -> WholeAnalysis:
        return self._get(WholeAnalysis, name, "analyses", pk)
