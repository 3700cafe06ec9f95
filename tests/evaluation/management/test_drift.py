"""The commands `describe_drift` and `watch_series`."""

from pathlib import Path

import numpy as np
import pytest

import touchstone as ts
from evaluation.engine.drift.description import drift
from evaluation.engine.drift.watch import watch
from tests.commands import ran

RNG = np.random.default_rng(9)
REFERENCE = RNG.standard_normal((60, 4)).astype(np.float32)
WINDOW = (RNG.standard_normal((40, 4)) + 1).astype(np.float32)
SERIES = np.round(RNG.normal(0.4, 0.02, 80) - 0.06 * (np.arange(80) >= 60), 4)


def saved(folder: Path, name: str, vector: np.ndarray) -> str:
    np.save(folder / f"{name}.npy", vector)
    (folder / f"{name}.ids.txt").write_text("".join(f"{one}\n" for one in range(len(vector))))
    return str(folder / f"{name}.npy")


def test_drift_of_vectors(tmp_path: Path) -> None:
    files = saved(tmp_path, "a", REFERENCE), saved(tmp_path, "b", WINDOW)
    ended = ran("describe_drift", *files, "--seed", "7", "--permutations", "199", "--json")
    description = drift(REFERENCE, WINDOW, seed=7, n_permutations=199)
    facts = ended.facts
    assert (ended.code, facts["mmd"], facts["mmd_p"]) == (0, description.mmd.value, description.mmd.p)
    assert (facts["adjusted"], facts["drifted"]) == (description.adjusted, description.found)
    assert (facts["n_reference"], facts["n_window"], facts["dim"], facts["directions"]) == (60, 40, 4, 50)
    by_library = ts.describe_drift(REFERENCE, WINDOW, seed=7, n_permutations=199)
    assert by_library == description
    words = ran("describe_drift", *files).out.splitlines()
    assert words[0].startswith("4 of 4 tests tell the window from the reference")
    assert any(line.startswith("energy distance ") for line in words)


def test_drift_of_scores(tmp_path: Path) -> None:
    for name, rows in (("a", REFERENCE), ("b", WINDOW)):
        (tmp_path / f"{name}.csv").write_text("id,score\n" + "".join(f"{i},{v}\n" for i, v in enumerate(rows[:, 0])))
    files = str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    facts = ran("describe_drift", *files, "--scores", "score", "--json").facts
    assert (facts["dim"], facts["directions"]) == (1, 1)
    assert facts["centroid_shift"] == pytest.approx(abs(WINDOW[:, 0].mean() - REFERENCE[:, 0].mean()), rel=1e-5)
    assert ran("describe_drift", *files, "--scores", "grade").code == 1
    assert ran("describe_drift", *files, "--scores", "score", "--ids", "x").code == 2


def test_drift_that_is_refused(tmp_path: Path) -> None:
    first, few, other = (
        saved(tmp_path, name, rows) for name, rows in (("a", REFERENCE), ("b", WINDOW[:5]), ("c", WINDOW[:, :3]))
    )
    assert "10 rows at least" in ran("describe_drift", first, few).err
    assert "4 dimensions cannot be set beside 3" in ran("describe_drift", first, other).err
    assert ran("describe_drift", first, str(tmp_path / "none.npy")).code == 2
    assert ran("describe_drift", first, first, "--seed", "-1").code == 2


def series_file(folder: Path, values: list[object]) -> str:
    rows = (f"2026-01-{i // 24 + 1:02}T{i % 24:02}:00,{value}\n" for i, value in enumerate(values))
    (folder / "series.csv").write_text("date,ndcg\n" + "".join(rows))
    return str(folder / "series.csv")


def test_a_series_with_an_alarm(tmp_path: Path) -> None:
    file = series_file(tmp_path, [*SERIES[:10], "", *SERIES[10:]])
    ended = ran("watch_series", file, "--column", "value=ndcg", "--history", "50", "--json")
    description = watch(SERIES, 50, seed=42)
    assert (ended.code, ended.facts["alarm"], ended.facts["n_missing"]) == (3, True, 1)
    for facts, one in zip(ended.facts["methods"], description.watches, strict=True):
        assert one.alarm
        hour = one.alarm.at + 1  # behind the missing one
        assert (facts["threshold"], facts["greatest"]) == (one.threshold, one.greatest)
        assert (facts["alarm"], facts["direction"]) == (f"2026-01-{hour // 24 + 1:02}T{hour % 24:02}:00", "down")
    words = ran("watch_series", file, "--column", "value=ndcg", "--history", "50")
    assert (words.code, words.err) == (3, "")
    assert words.out.startswith("CUSUM alarms at 2026-01-")


def test_a_series_without_an_alarm(tmp_path: Path) -> None:
    (tmp_path / "series.jsonl").write_text("".join(f'{{"t": {i}, "value": {v}}}\n' for i, v in enumerate(SERIES[:60])))
    ended = ran("watch_series", str(tmp_path / "series.jsonl"), "--json")
    assert (ended.code, ended.facts["alarm"], ended.facts["n_history"]) == (0, False, 30)
    assert [one["alarm"] for one in ended.facts["methods"]] == [None, None]


@pytest.mark.parametrize(
    ("content", "options", "code", "reason"),
    [
        ("time,value\n2,1\n1,2\n", (), 1, "series.csv:3: the time '1' is not later than the one before"),
        ("time,value\nsoon,1\n", (), 1, "series.csv:2: the time 'soon' is neither a number nor a date"),
        ("time,value\n1,high\n", (), 1, "series.csv:2"),
        ("time,other\n1,2\n", (), 1, "no column is called value"),
        ("time,value\n", (), 1, "there is no point in this file"),
        ("time,value\n1,2\n2,3\n", (), 1, "at least 20 are history"),
        ("time,value\n1,2\n", ("--column", "truth=y"), 2, "--column truth: there are time and value"),
        ("time,value\n1,2\n", ("--column", "value=y"), 1, "there is no column"),
        ("time,value\n1,2\n", ("--draws", "0"), 2, "--draws at least 1"),
    ],
)
def test_series_that_are_refused(
    tmp_path: Path, content: str, options: tuple[str, ...], code: int, reason: str
) -> None:
    (tmp_path / "series.csv").write_text(content)
    ended = ran("watch_series", str(tmp_path / "series.csv"), *options)
    assert (ended.code, reason in ended.err) == (code, True), ended.err
