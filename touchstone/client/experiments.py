"""How large experiments must be."""

from collections.abc import Iterator
from typing import Any, Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.experiments import ExperimentsEstimatesQuery, ExperimentsPlanQuery, SampledTopic


class Experiments(Part):
    def sample(self) -> Iterator[SampledTopic]:
        """Topics that were drawn from query logs, with their inclusion probabilities."""
        return self._pages(SampledTopic, "sample")

    def estimates(self, **query: Unpack[ExperimentsEstimatesQuery]) -> dict[str, Any]:
        """Means of evaluated runs over all queries and all traffic, as `touchstone estimate_means --json`."""
        return self._get(dict[str, Any], "estimates", query=query)

    def plan(self, **query: Unpack[ExperimentsPlanQuery]) -> dict[str, Any]:
        """How large an experiment must be, or what it can show, as `touchstone plan_experiment --json` has it."""
        return self._get(dict[str, Any], "plan", query=query)
