"""What the subjects of the API are made of: requests to the addresses under one, and what comes of them."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import httpx

from touchstone.client.uploads import File, Upload, opened, uploading
from touchstone.client.wire import Wire, address, answer_of

T = TypeVar("T")

Query: TypeAlias = Mapping[str, Any] | None
Body: TypeAlias = Mapping[str, Any] | None
PAGE_SIZE = 500  # rows of a list in one request


class Part:
    """Whatever stands under one address. `kind` is what the answer is, for the type checker."""

    def __init__(self, wire: Wire, path: str) -> None:
        self._wire, self._path = wire, path

    def _at(self, *parts: object) -> str:
        return "/".join(filter(None, (self._path, address(*parts))))

    def _get(self, kind: type[T], *parts: object, query: Query = None) -> T:
        return cast("T", self._wire.send("GET", self._at(*parts), answer_of, query=query))

    def _pages(self, kind: type[T], *parts: object, query: Query = None) -> Iterator[T]:
        """Row after row, page after page."""
        page = 1
        while True:
            paging = {**(query or {}), "page": page, "page_size": PAGE_SIZE}
            answer = self._wire.send("GET", self._at(*parts), answer_of, query=paging)
            yield from answer["results"]
            if answer["next"] is None:
                return
            page += 1

    def _post(self, kind: type[T], *parts: object, query: Query = None, body: Body = None) -> T:
        return cast("T", self._wire.send("POST", self._at(*parts), answer_of, query=query, body=body))

    def _patch(self, kind: type[T], *parts: object, body: Body) -> T:
        return cast("T", self._wire.send("PATCH", self._at(*parts), answer_of, body=body))

    def _put(self, kind: type[T], *parts: object, body: Body) -> T:
        return cast("T", self._wire.send("PUT", self._at(*parts), answer_of, body=body))

    def _do(self, *parts: object, method: str = "POST", body: Body = None) -> None:
        """A deed that answers nothing."""
        self._wire.send(method, self._at(*parts), answer_of, body=body)

    def _delete(self, kind: type[T], *parts: object) -> T:
        return cast("T", self._wire.send("DELETE", self._at(*parts), answer_of))

    def _upload(
        self,
        kind: type[T],
        file: File,
        name: str | None,
        fields: Mapping[str, Any],
        *parts: object,
        beside: Mapping[str, str | os.PathLike[str]] | None = None,
    ) -> T:
        with uploading(file, name, fields, beside or {}) as upload:
            return cast("T", self._wire.send("POST", self._at(*parts), answer_of, upload=upload))

    def _send(
        self, kind: type[T], files: Mapping[str, str | os.PathLike[str]], fields: Mapping[str, Any], *parts: object
    ) -> T:
        """Files by the names of their fields; without any, the fields alone."""
        if not files:
            return self._post(kind, *parts, body=fields)
        with opened(files) as streams:
            upload = Upload(streams, fields)
            return cast("T", self._wire.send("POST", self._at(*parts), answer_of, upload=upload))

    def _save(
        self,
        path: str | os.PathLike[str],
        *parts: object,
        method: str = "GET",
        query: Query = None,
        body: Body = None,
    ) -> Path:
        """Write what is sent to a file, which stands there only once it is whole."""
        target = Path(path)
        part = target.with_name(f"{target.name}.part")
        try:
            self._wire.send(method, self._at(*parts), _writing(part), query=query, body=body)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return target


def _writing(path: Path) -> Callable[[httpx.Response], None]:
    def write(response: httpx.Response) -> None:
        with path.open("wb") as output:
            for chunk in response.iter_bytes():
                output.write(chunk)

    return write
