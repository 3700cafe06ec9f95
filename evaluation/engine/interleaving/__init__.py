"""Interleaving: documents of several rankers in one list, so that clicks on it compare them. A
method is a file here, and a line below."""

from collections.abc import Mapping
from types import MappingProxyType

from evaluation.engine.interleaving.balanced import Balanced
from evaluation.engine.interleaving.method import Method
from evaluation.engine.interleaving.optimised import Optimised
from evaluation.engine.interleaving.probabilistic import Probabilistic
from evaluation.engine.interleaving.team_draft import TeamDraft

METHODS: Mapping[str, type[Method]] = MappingProxyType(
    {"team_draft": TeamDraft, "balanced": Balanced, "optimised": Optimised, "probabilistic": Probabilistic}
)
