"""`ts.fuse`: one run made of several."""

from evaluation.engine.fusion.fuse import DEPTH, method_named
from evaluation.engine.fusion.fuse import fuse as fuse_packed
from evaluation.engine.fusion.normalisation import Normalisation
from evaluation.engine.run import PackedRun
from touchstone.library.sources import RunSources, runs_with_notes


def fuse(
    runs: RunSources,
    method: str = "rrf",
    *,
    k: int | None = None,
    normalisation: Normalisation | None = None,
    depth: int = DEPTH,
    tag: str | None = None,
) -> PackedRun:
    """Fuse two runs or more, given as in `evaluate`; what comes out is a run for `evaluate`, `compare` and `fuse`.

    `method` is `rrf`, `comb_sum`, `comb_mnz`, `isr` or `borda`; `k` is that of `rrf`, 60 unless given; `normalisation`
    that of `comb_sum` and `comb_mnz`, `min-max` unless given. `depth` documents are kept of each topic; `tag` names the
    run, after the method unless given. evaluation/engine/fusion/ has definitions and papers.

    Raises `ValueError` for fewer than two runs, an unknown method, a parameter that it does not take, a depth below 1
    and sums that are not finite; and as `read_run` does.
    """
    parameters: dict[str, object] = {"k": k, "normalisation": normalisation}
    chosen = method_named(method, parameters)
    return fuse_packed(runs_with_notes(runs)[0], chosen, tag=tag or method, depth=depth).packed
