"""Vectors of models, runs searched with them, and the space that they lie in. `imports.bring` brings them in."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.jobs import Job, job_of
from touchstone.client.parts import Part
from touchstone.client.schema.vectors import (
    AskedSpace,
    ComparisonAsked,
    ComparisonLine,
    ModelComparisonEntriesRequest,
    SearchedRun,
    Space,
    SpaceEntriesRequest,
    VectorSearchEntriesRequest,
    VectorSet,
    WholeComparison,
)


class Vectors(Part):
    """At the address of the collection: what is found with vectors has addresses of its own."""

    def all(self) -> Iterator[VectorSet]:
        return self._pages(VectorSet, "vectors")

    def read(self, side: str, model: str) -> VectorSet:
        return self._get(VectorSet, "vectors", side, model)

    def delete(self, side: str, model: str) -> None:
        """Unless a run was searched with them."""
        self._do("vectors", side, model, method="DELETE")

    def search(self, **entries: Unpack[VectorSearchEntriesRequest]) -> Job:
        """A new run, by exact search."""
        return job_of(self._wire, self._post(SearchedRun, "searched-runs", body=entries))

    def space(self, side: str, model: str) -> Space:
        """What is known of the space; `figures` is None before anybody has asked."""
        return self._get(Space, "spaces", side, model)

    def describe(self, side: str, model: str, **entries: Unpack[SpaceEntriesRequest]) -> Job:
        return job_of(self._wire, self._post(AskedSpace, "spaces", side, model, body=entries))

    def compare(self, **entries: Unpack[ModelComparisonEntriesRequest]) -> Job:
        """Models beside a reference model, or beside target similarities; `comparisons` has it once it is done."""
        return job_of(self._wire, self._post(ComparisonAsked, "model-comparisons", body=entries))

    def comparisons(self) -> Iterator[ComparisonLine]:
        """The newest first."""
        return self._pages(ComparisonLine, "model-comparisons")

    def comparison(self, comparison: int) -> WholeComparison:
        """With all its numbers, as `touchstone compare_embeddings --json` has them."""
        return self._get(WholeComparison, "model-comparisons", comparison)
