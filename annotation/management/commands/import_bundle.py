"""A whole collection from a bundle that another installation has written."""

import argparse
import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from annotation.management.importing import Progress, opened
from annotation.models import Job, User
from annotation.workflow.bundles import bring_here, sweep_staged


class Command(BaseCommand):
    help = (
        "Import a bundle into a new collection. It is there once everything is stored and every snapshot and run "
        "rebuilds to the hash that it had; otherwise nothing is left."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the bundle, a zip")
        parser.add_argument(
            "--as", dest="slug", default="", help="the short name of the new collection (default: its old one)"
        )
        parser.add_argument(
            "--admin", help="the username of who leads it (default: the only account that may create collections)"
        )
        parser.add_argument("--dry-run", action="store_true", help="try everything, and store nothing")
        parser.add_argument("--json", action="store_true", help="say what was stored as JSON")

    def handle(
        self, *, file: Path, slug: str, admin: str | None, dry_run: bool, json: bool, **_options: object
    ) -> None:
        actor = leader(admin)
        try:
            with opened(file) as stream:
                job = bring_here(
                    stream, filename=file.name, slug=slug, actor=actor, watch=Progress(self.stderr), dry_run=dry_run
                )
        finally:
            sweep_staged()
        if job.state != Job.State.DONE:
            raise CommandError(f"{job.error or f'The job ended as {job.state}.'}\nNothing was stored.")
        self.stdout.write(_as_json(job, dry_run) if json else _in_words(job, actor, dry_run))


def leader(username: str | None) -> User:
    """Who is to lead the collection: the person named, else the only one who may create collections."""
    people = User.objects.filter(is_active=True)
    people = people.filter(username=username) if username else people.filter(may_create_collections=True)
    found = list(people[:2])
    if not found and username:
        raise CommandError(f"There is no account {username}.")
    if not found:
        raise CommandError("A collection needs an admin: make one with manage.py create_admin.")
    if len(found) > 1:
        raise CommandError("Several accounts may create collections: choose one with --admin.")
    return found[0]


def _as_json(job: Job, dry_run: bool) -> str:  # noqa: FBT001
    counts = {name.lower().replace(" ", "_"): rows for name, rows in job.result["counts"]}
    return json.dumps({"collection": job.result["collection"], "stored": not dry_run, "rows": counts})


def _in_words(job: Job, actor: User, dry_run: bool) -> str:  # noqa: FBT001
    counts = ", ".join(f"{name.lower()} {rows}" for name, rows in job.result["counts"] if rows)
    verb = "would be stored" if dry_run else "stored"
    return f"{verb} as {job.result['collection']}, led by {actor.username}: {counts}"
