"""How large experiments must be."""

from collections.abc import Iterator
from typing import Any, Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.experiments import ExperimentsPlanQuery, SampledTopic


class Experiments(Part):
    def sample(self) -> Iterator[SampledTopic]:
        """Topics that were drawn from query logs, with their inclusion probabilities."""
        return self._pages(SampledTopic, "sample")

    def plan(self, **query: Unpack[ExperimentsPlanQuery]) -> dict[str, Any]:
        """How large an experiment must be, or what it can show, as `touchstone plan_experiment --json` has it."""
        return self._get(dict[str, Any], "plan", query=query)
