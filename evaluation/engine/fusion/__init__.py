"""Fusion: one run made of several, from their ranks or their scores. A method is a file here, and a line below."""

from collections.abc import Mapping
from types import MappingProxyType

from evaluation.engine.fusion.borda import Borda
from evaluation.engine.fusion.comb_mnz import CombMNZ
from evaluation.engine.fusion.comb_sum import CombSUM
from evaluation.engine.fusion.isr import ISR
from evaluation.engine.fusion.method import Method
from evaluation.engine.fusion.rrf import RRF

METHODS: Mapping[str, type[Method]] = MappingProxyType(
    {"rrf": RRF, "comb_sum": CombSUM, "comb_mnz": CombMNZ, "isr": ISR, "borda": Borda}
)
