"""Lists that you have kept under a name."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.home import PatchedViewNameEntriesRequest, SavedView, SavedViewEntriesRequest


class Views(Part):
    def all(self) -> Iterator[SavedView]:
        """Your own, with the `address` of each: whoever may see the list may open it."""
        return self._pages(SavedView)

    def save(self, **entries: Unpack[SavedViewEntriesRequest]) -> SavedView:
        """What a `page` shows when its address asks for `query`; one of the same page and name is replaced."""
        return self._post(SavedView, body=entries)

    def rename(self, view: int, **entries: Unpack[PatchedViewNameEntriesRequest]) -> SavedView:
        return self._patch(SavedView, view, body=entries)

    def delete(self, view: int) -> None:
        self._do(view, method="DELETE")
