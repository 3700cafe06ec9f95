"""Runs deleted by command, where nothing was made with them; clicks and descriptions."""

from annotation.kernel.commands.base import MisuseError
from annotation.kernel.commands.deleting import DeleteCommand
from annotation.kernel.commands.naming import named
from annotation.models import Collection
from evaluation.beyond.read import description_named
from evaluation.beyond.steps.deletion import DescriptionUsedError, delete_description
from evaluation.clicks.read import comparison_named
from evaluation.clicks.steps import delete_comparison
from evaluation.runs.read import runs_of
from evaluation.runs.steps.deletion import RunUsedError, delete_run


class DeleteRun(DeleteCommand):
    help = "Delete a run that nothing was made with: no evaluation, pool or accounting."
    examples = ("touchstone delete run bees bm25 --dry-run", "touchstone delete run bees bm25 --json")
    noun = "run"
    named_by = "tag"
    refusals = (RunUsedError,)

    def delete(self, collection: Collection, name: str) -> None:
        here = {run.tag: run for run in runs_of(collection)}
        delete_run(named("run", [name], here)[0], actor=None)


class DeleteClicks(DeleteCommand):
    help = "Delete clicks that were set beside judgments; their log can be imported again."
    examples = ("touchstone delete clicks bees March --dry-run",)
    noun = "clicks"

    def delete(self, collection: Collection, name: str) -> None:
        stored = comparison_named(collection, name)
        if stored is None:
            raise MisuseError(f"There are no clicks {name} in this collection.")
        delete_comparison(stored, actor=None)


class DeleteDescription(DeleteCommand):
    help = "Delete what was described beyond ranking, by its key; it can be asked again."
    examples = ("touchstone delete description bees 9f2c0a --dry-run",)
    noun = "description"
    named_by = "key"
    refusals = (DescriptionUsedError,)

    def delete(self, collection: Collection, name: str) -> None:
        description = description_named(collection, name)
        if description is None:
            raise MisuseError(f"There is no description {name} in this collection.")
        delete_description(description, actor=None)
