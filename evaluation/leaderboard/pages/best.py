"""The best run, as the overview of a collection names it."""

from urllib.parse import urlencode

from django.template.defaultfilters import floatformat
from django.urls import reverse

from annotation.kernel.tasks import Figure
from annotation.models import Collection, Snapshot
from evaluation.engine.measures import is_quality
from evaluation.leaderboard.read.board import leaderboard_of


def best_run(collection: Collection) -> Figure | None:
    """On top of the leaderboard of the newest snapshot that runs were evaluated against; None where there is none.

    Goes by the leaderboard's first measure of quality. A mean alone never says that a run is better than the next.
    """
    snapshot = Snapshot.objects.filter(evaluations__averaging="complete", collection=collection).order_by("-pk").first()
    if snapshot is None:
        return None
    board = leaderboard_of(snapshot, averaging="complete")
    measure = next((name for name in board.measures if is_quality(name)), "")
    at = board.measures.index(measure) if measure else 0
    best = [row for row in board.rows if (cell := row.cells[at]) and cell.is_best]
    if not best:
        return None
    cell = best[0].cells[at]
    assert cell is not None
    n_level = len(best) - 1
    level = f"; {n_level} more {'is' if n_level == 1 else 'are'} as good" if n_level else ""
    note = f"{measure} {floatformat(cell.mean, cell.digits)} on {snapshot.name}{level}"
    query = urlencode({"snapshot": snapshot.name, "sort": f"-{measure}"})
    return Figure(
        "Best run", best[0].evaluation.run.tag, note, f"{reverse('leaderboard', args=[collection.slug])}?{query}"
    )
