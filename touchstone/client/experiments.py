"""How large experiments must be."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.planning import (
    Estimates,
    ExperimentsEstimatesQuery,
    ExperimentsPlanQuery,
    Planned,
    SampledTopic,
)


class Experiments(Part):
    def sample(self) -> Iterator[SampledTopic]:
        """Topics that were drawn from the newest query log, with their inclusion probabilities."""
        return self._pages(SampledTopic, "sample")

    def estimates(self, **query: Unpack[ExperimentsEstimatesQuery]) -> Estimates:
        """Means of evaluated runs over all queries and all traffic, as `touchstone estimate_means --json`."""
        return self._get(Estimates, "estimates", query=query)

    def plan(self, **query: Unpack[ExperimentsPlanQuery]) -> Planned:
        """How large an experiment must be, or what it can show, as `touchstone plan_experiment --json` has it."""
        return self._get(Planned, "plan", query=query)
