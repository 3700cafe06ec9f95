"""`ts.compare_clicks`: judgments and clicks of a log together."""

import os
from pathlib import Path
from typing import Any

from annotation.formats.problems import Problems
from evaluation.engine.clicks.comparison import ClickComparison, ClickQuestion
from evaluation.engine.clicks.comparison import compare_clicks as compare_counts
from evaluation.formats.log.clicks import read_click_counts
from touchstone.library.sources import PathLike, QrelsSource, read_qrels


def compare_clicks(qrels: QrelsSource, log: PathLike, **options: Any) -> ClickComparison:
    """Set clicks beside judgments, corrected for positions; needs polars.

    `log` is a file of any form that docs/formats.md names: topic number, docno, position, clicks and impressions.
    `options` are the fields of `evaluation.engine.clicks.comparison.ClickQuestion`, those of the command: `by`,
    `given` (propensity by position), `eta`, `estimator`, `confidence`, `q`, `n_resamples`, `seed`. Raises `FormatError`
    for a log that is malformed, `ValueError` where no pair of the log is judged and where positions cannot be allowed
    for, `OSError` for a file that cannot be read.
    """
    question = ClickQuestion(**options)
    path = Path(os.fspath(log))
    return compare_counts(read_click_counts(path, Problems(path.name)), read_qrels(qrels), question)
