"""How large experiments must be."""

from typing import Any, Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.experiments import ExperimentsPlanQuery


class Experiments(Part):
    def plan(self, **query: Unpack[ExperimentsPlanQuery]) -> dict[str, Any]:
        """How large an experiment must be, or what it can show, as `touchstone plan_experiment --json` has it."""
        return self._get(dict[str, Any], "plan", query=query)
