"""Collections as commands: listed, looked at, made (also empty), changed, deleted."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.db import transaction

from annotation.corpus.forms.collections import CollectionForm, DescriptionForm
from annotation.corpus.steps.collections import create_collection, describe_collection
from annotation.exchange.forms.deletion import DeletionForm
from annotation.exchange.steps.deletion import CollectionUsedError, delete_here, start_deletion
from annotation.home.read.collection import collection_counts
from annotation.kernel.commands.base import (
    DONE,
    REFUSED,
    STOPPED,
    MisuseError,
    RefusedError,
    TouchstoneCommand,
)
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    admin_named,
    collection_named,
    leader_named,
    require_valid,
    trial,
)
from annotation.kernel.commands.progress import Progress
from annotation.kernel.taken import TakenError
from annotation.management.texts import FILES, add_texts, grades_of, read_texts, store_texts
from annotation.models import DEFAULT_GRADES, Collection, Membership, Role

DESCRIPTION = ("name", "description", "language")
EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "done, or with --dry-run: could be done",
        REFUSED: "refused: a short name that is taken, a file that cannot be used, a scale that is in use",
    }
)


class ListCollections(TouchstoneCommand):
    help = "List the collections of this installation, by name."
    examples = ("touchstone collection list", "touchstone collection list --json")

    def handle(self, **_options: object) -> None:
        admins: dict[int, list[str]] = {}
        leading = Membership.objects.filter(role=Role.ADMIN).order_by("user__username")
        for collection, username in leading.values_list("collection", "user__username"):
            admins.setdefault(collection, []).append(username)
        rows = [(each, admins[each.pk]) for each in Collection.objects.filter(pk__in=admins)]
        words = "\n".join(f"{each.slug}: {each.name}, led by {', '.join(names)}" for each, names in rows)
        self.answer(words or "no collection", [{**_as_facts(each), "admins": names} for each, names in rows])


class ShowCollection(TouchstoneCommand):
    help = "Say what a collection holds: its scale, and how many topics, documents, batches and judgments."
    examples = ("touchstone collection show bees --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        shown = collection_named(collection)
        counts = vars(collection_counts(shown))
        grades = shown.scale.grades if shown.scale else []
        words = [
            f"{shown.slug}: {shown.name}",
            *(f"  {grade['grade']}: {grade['name']}" for grade in grades),
            *(f"  {name.replace('_', ' ')}: {n}" for name, n in counts.items()),
        ]
        guideline = shown.guideline.number if shown.guideline else None
        facts = {**_as_facts(shown), "grades": grades, "guideline": guideline, "counts": counts}
        self.answer("\n".join(words), facts)


class NewCollection(TouchstoneCommand):
    help = "Make a collection: empty but for its scale and guideline. Who makes it is its admin."
    examples = (
        "touchstone collection new 'Bees and honey' --slug bees --language en",
        "touchstone collection new Bees --scale grades.json --guideline guide.md --information consent.md --as lead",
    )
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="what people call it")
        parser.add_argument("--slug", default="", help="its short name, made from the name if there is none")
        parser.add_argument("--description", default="", help="what is in it and what it is for")
        parser.add_argument("--language", default="", help="of its texts, as a tag: en, pt-BR")
        add_texts(parser)
        add_actor(parser, "the only account that may create collections")
        add_dry_run(parser)

    def handle(self, *, slug: str, actor: str | None, dry_run: bool, **options: Any) -> None:
        person, texts = leader_named(actor, "--as"), read_texts(options)
        if not person.may_create_collections and not person.is_superuser:
            raise MisuseError(f"{person} may not create collections.")
        form = CollectionForm({**{name: options[name] for name in DESCRIPTION}, "slug": slug, "scale": "default"})
        require_valid(form)
        values = {name: form.cleaned_data[name] for name in ("slug", *DESCRIPTION)}
        grades = grades_of(texts.pop("scale")) if "scale" in texts else DEFAULT_GRADES
        try:
            with trial(dry_run=dry_run), transaction.atomic():
                collection = create_collection(**values, grades=grades, actor=person)
                store_texts(collection, texts, person)
        except TakenError as fault:
            raise RefusedError(f"“{values['slug']}” was taken just now.") from fault
        words = f"{'would be made' if dry_run else 'made'}: {collection.slug}, {len(grades)} grades, led by {person}"
        self.answer(words, {**_as_facts(collection), "admins": [str(person)], "stored": not dry_run})


class EditCollection(TouchstoneCommand):
    help = "Change name, description, language, scale, guideline or information text of a collection."
    examples = (
        "touchstone collection edit bees --description 'Questions of beekeepers'",
        "touchstone collection edit bees --scale grades.json --guideline - --dry-run",
    )
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--name", help="what people call it")
        parser.add_argument("--description", help="what is in it and what it is for")
        parser.add_argument("--language", help="of its texts, as a tag: en, pt-BR; empty: not told")
        add_texts(parser)
        add_actor(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, actor: str | None, dry_run: bool, **options: Any) -> None:
        changed = collection_named(collection)
        person = admin_named(changed, actor)
        wanted = {name: options[name] for name in DESCRIPTION if options[name] is not None}
        if not wanted and all(options[name] is None for name in FILES):
            raise MisuseError("Say what to change: --name, --description, --language, --scale, --guideline, …")
        texts = read_texts(options)
        form = DescriptionForm({name: getattr(changed, name) for name in DESCRIPTION} | wanted)
        require_valid(form)
        with trial(dry_run=dry_run), transaction.atomic():
            describe_collection(changed, **form.cleaned_data, actor=person)
            versions = store_texts(changed, texts, person)
        counted = ", ".join([*wanted, *(f"{name} version {number}" for name, number in versions.items())])
        words = f"{'would be changed' if dry_run else 'changed'}: {changed.slug}: {counted}"
        self.answer(words, {**_as_facts(changed), "versions": versions, "stored": not dry_run})


class DeleteCollection(TouchstoneCommand):
    help = "Delete a collection in which nobody has worked: from then on nobody sees it, and its short name is free."
    examples = (
        "touchstone collection delete bees --name 'Bees and honey' --dry-run",
        "touchstone collection delete bees --name 'Bees and honey' --as lead",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "deleted, or with --dry-run: could be deleted",
            REFUSED: "refused: people have worked in it, a batch is open or a job is at work",
            STOPPED: "stopped by Ctrl-C; once the collection is hidden, a worker clears the rest away",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--name", required=True, help="what people call it, to confirm")
        add_actor(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, actor: str | None, dry_run: bool, **_options: object) -> None:
        doomed = collection_named(collection)
        person = admin_named(doomed, actor)
        require_valid(DeletionForm({"name": name}, collection=doomed))
        watch = Progress(self.stderr)
        try:
            with trial(dry_run=dry_run):
                job = start_deletion(doomed, actor=person)
            if not dry_run:
                delete_here(job, watch=watch)
        except CollectionUsedError as error:
            raise RefusedError(str(error)) from error
        finally:
            watch.end()
        words = f"{'would be deleted' if dry_run else 'deleted'}: {collection}"
        self.answer(words, {"slug": collection, "name": doomed.name, "stored": not dry_run})


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "list": ListCollections,
        "show": ShowCollection,
        "new": NewCollection,
        "edit": EditCollection,
        "delete": DeleteCollection,
    }
)


def _as_facts(collection: Collection) -> dict[str, object]:
    return {name: getattr(collection, name) for name in ("slug", *DESCRIPTION)}
