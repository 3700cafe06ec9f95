"""A whole collection out of this installation, as a bundle."""

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, cast

from annotation.exchange.steps.bundles import record_export, write_bundle
from annotation.formats.atomic_output import standard_output, whole_file
from annotation.formats.bundle import Manifest
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output
from annotation.kernel.commands.naming import add_collection, collection_named
from annotation.kernel.commands.progress import Progress
from annotation.kernel.jobs import JobRefusedError
from annotation.models import Collection

PORTION = 1 << 20  # bytes


class ExportBundle(TouchstoneCommand):
    help = (
        "Write a collection into a bundle: topics, documents, pools, batches, judgments under pseudonyms, gold, "
        "policies, snapshots and runs. No account goes along. People may go on judging meanwhile."
    )
    examples = ("touchstone export bundle bees --output bees.zip --json",)
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "not written, or not whole: nothing is left under the name of the file"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        add_output(parser, "the zip to write, there once it is whole")

    def handle(self, *, collection: str, output: str | None, force: bool, **_options: object) -> None:
        if output is None:
            raise MisuseError("--output says which file to write; --output - is the standard output.")
        target, source = checked_output(output, force=force), collection_named(collection)
        watch = Progress(self.stderr)
        try:
            manifest = _to_output(source, watch) if target is None else _to_file(source, target, watch, force=force)
        except OSError as fault:
            raise RefusedError(f"{output}: {fault.strerror}") from fault
        except JobRefusedError as error:
            raise RefusedError(str(error)) from error
        finally:
            watch.end()
        record_export(source, manifest, actor=None)
        summary = json.dumps(json.loads(manifest.to_json()), ensure_ascii=False)
        words = summary if self.as_json else _counted(manifest, target)
        (self.stdout if target else self.stderr).write(words, style_func=str)


def _to_file(source: Collection, target: Path, watch: Progress, *, force: bool) -> Manifest:
    with whole_file(target, replace=force) as file:
        os.fchmod(file.fileno(), 0o640)  # the gold is in it
        return write_bundle(source, file, report=lambda words: watch(0, 0, words))


def _to_output(source: Collection, watch: Progress) -> Manifest:
    """Written whole first: a zip is not made in one go."""
    with tempfile.TemporaryFile() as file, standard_output() as out:
        manifest = write_bundle(source, cast("BinaryIO", file), report=lambda words: watch(0, 0, words))
        file.seek(0)
        shutil.copyfileobj(file, out, PORTION)
        return manifest


def _counted(manifest: Manifest, target: Path | None) -> str:
    counts = ((name.removesuffix(".jsonl").replace("_", " "), facts.rows) for name, facts in manifest.members.items())
    return f"{target or 'standard output'}: {', '.join(f'{name} {rows}' for name, rows in sorted(counts) if rows)}"
