"""Inverse square rank."""

from dataclasses import dataclass

from evaluation.engine.arrays import Floats
from evaluation.engine.fusion.entries import Entries
from evaluation.engine.fusion.method import Method


@dataclass(frozen=True, kw_only=True)
class ISR(Method):
    """Number of runs that have the document × Σ 1 / rank² over them: tops count far more than with RRF.

    Mourão, Martins and Magalhães, Multimodal medical information retrieval with unsupervised rank fusion,
    Computerized Medical Imaging and Graphics 39, 2015.
    """

    title = "ISR"
    meaning = "Number of runs that have the document, times the sum of 1 / rank². Tops decide."

    def fused(self, entries: Entries) -> Floats:
        return entries.total(1.0 / entries.rank.astype(float) ** 2) * entries.count()
