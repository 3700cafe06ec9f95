"""A log of an A/B test comes in: the check reads all of it, publishing is one row.

Options of an import: `name`, `description`; `variant_column`, `unit_column`, `number_columns` with
commas between.
"""

from typing import Any, BinaryIO, cast

from annotation.exchange.steps.importing import Importer, preview_of
from annotation.formats.problems import Problems
from annotation.kernel.jobs import JobRefusedError
from annotation.kernel.store import path_of
from annotation.models import Preview
from annotation.text.counted import counted
from evaluation.ab_tests.read import experiment_named
from evaluation.models import Experiment

LONGEST = 200


class ExperimentImporter(Importer):
    """See `Importer`. The file itself is what is stored."""

    @property
    def options(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.record.options)

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        from evaluation.formats.log.experiment_log import read_experiment

        self.run.report(done=0, total=0, message="Reading the log")
        chosen = [name.strip() for name in self.options.get("number_columns", "").split(",") if name.strip()]
        log = read_experiment(
            path_of(self.record.sha256),
            problems,
            variant=self.options.get("variant_column", ""),
            unit=self.options.get("unit_column", ""),
            numbers=chosen,
            watch=lambda n: self.run.report(done=0, total=0, message=f"Read {counted(n, 'unit')}"),
        )
        if len(log.n) < 2:
            problems.add(0, f"all units have the variant {next(iter(log.n))}: there is nothing to compare")
        self._refuse_namesake(problems)
        units = [(f"Units, {name}", n) for name, n in log.n.items()]
        counts = [("Units", sum(log.n.values())), *units, ("Columns of numbers", len(log.numbers))]
        preview = preview_of(counts, log.names, [[cell[:LONGEST] for cell in row] for row in log.rows])
        facts = {"form": log.form, "variant": log.variant, "numbers": log.numbers, "texts": log.texts, "n": log.n}
        preview["facts"] = cast("dict[str, str | int]", facts)
        problems.note(0, f"variants by {log.variant}; numbers: {', '.join(log.numbers)}")
        return preview

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """The check has read the file; here only another may have come since."""
        self._refuse_namesake(problems)
        return cast("Preview", self.record.preview)

    def publish(self) -> None:
        here = experiment_named(self.collection, self.options["name"])
        if here is not None:
            if here.sha256 == self.record.sha256:
                return
            raise JobRefusedError(f"Meanwhile another experiment has come with the name {here.name}.")
        facts = cast("dict[str, Any]", self.record.preview["facts"])
        Experiment.objects.create(
            collection=self.collection,
            name=self.options["name"],
            description=self.options.get("description", ""),
            sha256=self.record.sha256,
            filename=self.record.filename,
            unit=self.options.get("unit_column", ""),
            n_units=sum(facts["n"].values()),
            created_by=self.record.created_by,
            **facts,
        )

    def _refuse_namesake(self, problems: Problems) -> None:
        here = experiment_named(self.collection, self.options["name"])
        if here is not None and here.sha256 != self.record.sha256:
            problems.add(0, f"the collection already has another experiment with the name {here.name}")
