"""A run of a collection, to a file or the standard output."""

import argparse
from pathlib import Path

from django.core.management.base import CommandError

from annotation.formats.atomic_output import write_out
from evaluation.management.base import MISUSED, REFUSED, CollectionCommand, collection_named
from evaluation.models import Run
from evaluation.runs.read import RUN_FORMS, outgoing_run, runs_of

HELP_END = """examples:
  python manage.py export_run bees bm25 > bm25.run
  python manage.py export_run bees bm25 --format gzip --output bm25.run.gz

exit codes:
  0  written
  1  not written, or not whole: nothing is left under the name of the file
  2  the command cannot be carried out as given: no such collection or run, an unknown option or form"""


class Command(CollectionCommand):
    help = "Write a run. Rows of equal scores are in the order of the file that was imported."
    help_end = HELP_END

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("tag", help="the tag of the run")
        parser.add_argument("--format", dest="form", choices=RUN_FORMS, default=RUN_FORMS[0])
        parser.add_argument("--output", type=Path, help="the file to write; without it, the standard output")
        parser.add_argument("--force", action="store_true", help="replace the file if it is there")
        parser.add_argument(
            "--json",
            action="store_true",
            dest="as_json",
            help="say what was written as JSON, on the standard error where the file itself goes to the output",
        )

    def handle(
        self,
        *,
        collection: str,
        tag: str,
        form: str,
        output: Path | None,
        force: bool,
        as_json: bool,
        **_options: object,
    ) -> None:
        if output and output.exists() and not force:
            raise CommandError(f"{output}: there is such a file already; --force replaces it.", returncode=MISUSED)
        try:
            file = write_out(outgoing_run(_run(collection, tag), form).pieces, output, replace=force)
        except OSError as fault:
            raise CommandError(f"{fault.filename or output}: {fault.strerror}", returncode=REFUSED) from fault
        if output or as_json:
            message = file.as_json() if as_json else file.in_words()
            (self.stdout if output else self.stderr).write(message, style_func=str)


def _run(slug: str, tag: str) -> Run:
    run = runs_of(collection_named(slug)).filter(tag=tag).first()
    if run is None:
        raise CommandError(f"There is no run {tag} in this collection.", returncode=MISUSED)
    return run
