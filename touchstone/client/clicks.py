"""Clicks of users beside judgments. `imports.bring` brings their logs in."""

from collections.abc import Iterator

from touchstone.client.parts import Part
from touchstone.client.schema.clicks import ClickComparison, ClickComparisonLine


class Clicks(Part):
    def all(self) -> Iterator[ClickComparisonLine]:
        return self._pages(ClickComparisonLine)

    def read(self, name: str) -> ClickComparison:
        """Rates by grade, positions and contradictions, as `touchstone compare_clicks --json`, without its pairs."""
        return self._get(ClickComparison, name)

    def delete(self, name: str) -> None:
        """Its log can be imported again."""
        self._do(name, method="DELETE")
