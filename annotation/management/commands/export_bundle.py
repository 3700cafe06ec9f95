"""A whole collection into one file that another installation can import."""

import argparse
import json
import os
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from annotation.exchange.steps import record_export, write_bundle
from annotation.formats.atomic_output import whole_file
from annotation.formats.bundle import Manifest
from annotation.kernel.jobs import JobRefusedError
from annotation.management.answering import MISUSED, REFUSED, Progress, collection_of


class Command(BaseCommand):
    help = (
        "Write a collection into a bundle: topics, documents, pools, batches, judgments under pseudonyms, gold, "
        "policies, snapshots and runs. No account goes along. People may go on judging meanwhile."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("collection", help="the collection's short name, as in its address")
        parser.add_argument(
            "--output", type=Path, required=True, help="the file to write, a zip; there once it is whole"
        )
        parser.add_argument("--force", action="store_true", help="replace the file if it is there")
        parser.add_argument("--json", action="store_true", help="say what was written as JSON, with every hash")

    def handle(self, *, collection: str, output: Path, force: bool, json: bool, **_options: object) -> None:
        source, watch = collection_of(collection), Progress(self.stderr)
        try:
            with whole_file(output, replace=force) as file:
                os.fchmod(file.fileno(), 0o640)  # the gold is in it
                manifest = write_bundle(source, file, report=lambda words: watch(0, 0, words))
        except FileExistsError as fault:
            raise CommandError(f"{output}: {fault.strerror}; --force replaces it.", returncode=MISUSED) from fault
        except OSError as fault:
            raise CommandError(f"{output}: {fault.strerror}", returncode=REFUSED) from fault
        except JobRefusedError as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        finally:
            watch.end()
        record_export(source, manifest, actor=None)
        self.stdout.write(_as_json(manifest) if json else _in_words(manifest, output))


def _as_json(manifest: Manifest) -> str:
    return json.dumps(json.loads(manifest.to_json()), ensure_ascii=False)


def _in_words(manifest: Manifest, output: Path) -> str:
    counts = ((name.removesuffix(".jsonl").replace("_", " "), facts.rows) for name, facts in manifest.members.items())
    return f"{output}: {', '.join(f'{name} {rows}' for name, rows in sorted(counts) if rows)}"
