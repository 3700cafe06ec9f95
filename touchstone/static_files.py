"""Which static files are served, under names that change with their content, so that browsers may keep them."""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import sha384
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Folders and files of packages that no page of ours names: our API answers JSON alone, and pages load htmx 2.
UNUSED = ("rest_framework", "htmx-4*", "htmax-*", "ext")

# `import … from "./name.js";` at the beginning of a line, and what it becomes.
_IMPORT = (
    r"""(?m)^(?P<matched>import (?P<names>[^"';]+) from "(?P<url>\.[^"]+)";)$""",
    """import %(names)s from "%(url)s";""",
)


INTEGRITY = "integrity.json"  # in STATIC_ROOT


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise ships no types
    """Compressed, each under a name with the hash of its content; our modules import each other by these names.

    Django's own `support_js_module_import_aggregation` takes every script for a module, those of other packages and
    what their comments quote as well, and then misses the files. So the rule is ours, for our scripts alone.

    A file's hash depends on those of the files it imports. So names are settled in passes, one for each step of the
    longest chain of imports at most, and a circle of imports is an error of `collectstatic`.
    """

    patterns: tuple[Any, ...] = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", (_IMPORT,)))
    max_post_process_passes = 10

    def post_process(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """As usual; then the hashes of scripts and styles as they are served are written beside their names."""
        yield from super().post_process(*args, **kwargs)
        if not kwargs.get("dry_run"):
            served = {name: hashed for name, hashed in self.hashed_files.items() if name.endswith((".js", ".css"))}
            hashes = {name: integrity((Path(self.location) / hashed).read_bytes()) for name, hashed in served.items()}
            (Path(self.location) / INTEGRITY).write_text(json.dumps(hashes, sort_keys=True), "utf-8")

    def integrity_of(self, name: str) -> str:
        """As `integrity` names it; empty before `collectstatic`."""
        return self._integrity.get(name, "")

    @cached_property
    def _integrity(self) -> dict[str, str]:
        try:
            hashes: dict[str, str] = json.loads((Path(self.location) / INTEGRITY).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return hashes


def integrity(content: bytes) -> str:
    """What browsers compare a file with."""
    return f"sha384-{b64encode(sha384(content).digest()).decode()}"


class UsedFiles(AppDirectoriesFinder):
    """The static files of packages without those that nobody asks for: compressing them took four of five seconds."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Any]:
        """Paths with their storages."""
        yield from super().list([*(ignore_patterns or ()), *UNUSED])
