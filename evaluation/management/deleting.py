"""Runs deleted by command, where nothing was made with them."""

from annotation.kernel.commands.deleting import DeleteCommand
from annotation.kernel.commands.naming import named
from annotation.models import Collection
from evaluation.runs.read import runs_of
from evaluation.runs.steps.deletion import RunUsedError, delete_run


class DeleteRun(DeleteCommand):
    help = "Delete a run that nothing was made with: no evaluation, pool or accounting."
    examples = ("touchstone delete run bees bm25 --dry-run", "touchstone delete run bees bm25 --json")
    noun = "run"
    refusals = (RunUsedError,)

    def delete(self, collection: Collection, name: str) -> None:
        here = {run.tag: run for run in runs_of(collection)}
        delete_run(named("run", [name], here)[0], actor=None)
