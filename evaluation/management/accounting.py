"""`manage.py accounting`: what the options name, and the answer as a table to look at."""

from collections.abc import Iterator, Sequence

from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.naming import named
from annotation.models import Batch, Collection
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.comparison import trials
from annotation.trust.read.policies import parameters_of, policies_of, policy_named
from annotation.trust.read.withheld import judged_batches
from evaluation.accounting.pages import MeasureView, measure_views, overall
from evaluation.formats.accounting import AccountingResult
from evaluation.models import Run
from evaluation.runs.read import runs_of


def runs_named(collection: Collection, tags: Sequence[str]) -> list[Run]:
    """The runs of these tags; without tags, all."""
    here = {run.tag: run for run in runs_of(collection)}
    chosen = named("run", tags, here)
    if not here:
        raise RefusedError("This collection has no run.")
    return chosen


def batches_named(collection: Collection, names: Sequence[str]) -> list[Batch]:
    """The batches of these names; without names, every one that is laid out."""
    here = {batch.name: batch for batch in judged_batches(collection)}
    return named("batch", names, here)


def policies_named(collection: Collection, names: Sequence[str], rules: Sequence[str]) -> dict[str, Parameters]:
    """Policies as `NAME` or `NAME v2`, and rules on trial; two at least."""
    stored = policies_of(collection)
    policies = {}
    for name in names:
        policy = policy_named(stored, name)
        if policy is None:
            raise MisuseError(f"There is no policy {name}.")
        policies[str(policy)] = parameters_of(policy)
    policies |= trials(rules)
    if len(policies) < 2:
        raise MisuseError("Name two policies or rules at least, or a snapshot.")
    return policies


def as_table(result: AccountingResult, *, against_first: bool) -> str:
    """What to conclude, the share of each run that is judged, then a block a measure."""
    views = measure_views(result, against_first=against_first)
    blocks = [overall(views), "\n".join(_shares(result)), *("\n".join(_block(view)) for view in views)]
    return "\n\n".join(blocks) + "\n"


def _shares(result: AccountingResult) -> Iterator[str]:
    width = max(len(each.tag) for each in result.runs)
    yield f"{f'judged@{result.k}'.ljust(width)}  " + "  ".join(result.cases)
    for each in sorted(result.runs, key=lambda one: (one.judged[0], one.tag)):
        shares = (f"{share:.3f}".rjust(len(case)) for share, case in zip(each.judged, result.cases, strict=True))
        yield f"{each.tag.ljust(width)}  " + "  ".join(shares)


def _block(view: MeasureView) -> Iterator[str]:
    width = max(len(view.measure), *(len(row.tag) for row in view.rows))
    heads = [name.rjust(6) for name in view.cases]
    yield f"{view.measure.ljust(width)}  " + "  ".join(heads)
    for row in view.rows:
        means = (f"{value.mean:.4f}".rjust(len(head)) for value, head in zip(row.values, heads, strict=True))
        yield f"{row.tag.ljust(width)}  " + "  ".join(means)
    yield view.conclusion
