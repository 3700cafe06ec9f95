"""A whole collection into one file that another installation can import."""

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import BinaryIO, cast

from django.core.management.base import BaseCommand, CommandError

from annotation.formats.bundle import Manifest
from annotation.management.importing import Progress, collection_of
from annotation.models import Collection
from annotation.workflow.bundles import record_export, write_bundle
from annotation.workflow.jobs import JobRefused


class Command(BaseCommand):
    help = (
        "Write a collection into a bundle: topics, documents, pools, batches, judgments under pseudonyms, gold, "
        "policies, snapshots and runs. No account goes along. People may go on judging meanwhile."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("collection", help="the collection's short name, as in its address")
        parser.add_argument("--output", type=Path, required=True, help="the file to write, a zip; replaced when whole")
        parser.add_argument("--json", action="store_true", help="say what was written as JSON, with every hash")

    def handle(self, *, collection: str, output: Path, json: bool, **_options: object) -> None:
        found = collection_of(collection)
        try:
            manifest = self._written(found, output)
        except OSError as fault:
            raise CommandError(f"{output}: {fault.strerror}") from fault
        except JobRefused as refused:
            raise CommandError(str(refused)) from refused
        record_export(found, manifest, actor=None)
        self.stdout.write(_as_json(manifest) if json else _in_words(manifest, output))

    def _written(self, collection: Collection, output: Path) -> Manifest:
        """Beside the wanted file at first, so that there is a whole one or none."""
        watch = Progress(self.stderr)
        with tempfile.NamedTemporaryFile(dir=output.parent, prefix=f".{output.name}-", delete=False) as file:
            place = Path(file.name)
            try:
                manifest = write_bundle(collection, cast("BinaryIO", file), report=lambda words: watch(0, 0, words))
                file.flush()
                os.fsync(file.fileno())
                place.chmod(0o640)
                place.replace(output)
            finally:
                place.unlink(missing_ok=True)
        return manifest


def _as_json(manifest: Manifest) -> str:
    return json.dumps(json.loads(manifest.to_json()), ensure_ascii=False)


def _in_words(manifest: Manifest, output: Path) -> str:
    counts = ((name.removesuffix(".jsonl").replace("_", " "), facts.rows) for name, facts in manifest.members.items())
    return f"{output}: {', '.join(f'{name} {rows}' for name, rows in sorted(counts) if rows)}"
