"""Plots: the facts that can be read off the file; how they look is looked at."""

from pathlib import Path

import numpy as np
import pytest
from defusedxml import ElementTree

from evaluation.formats.plots import Estimate, plot_curves, plot_differences, plot_means, plot_topics

ESTIMATES = {"bm25": Estimate(0.4, 0.3, 0.5), "pay $5_a": Estimate(0.2, 0.1, 0.3)}


def texts(path: Path) -> list[str]:
    """The words of an SVG whose text is kept as text."""
    nodes = ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(node.itertext()).strip() for node in nodes]


def test_means_name_their_runs_and_their_interval(tmp_path: Path) -> None:
    plot_means(ESTIMATES, measure="nDCG@10", path=tmp_path / "a.svg", confidence=0.95)
    assert {"bm25", "pay $5_a", "nDCG@10: mean over topics, 95 % interval"} <= set(texts(tmp_path / "a.svg"))


def test_curves_name_cutoffs_and_runs(tmp_path: Path) -> None:
    curves = {tag: [one] * 3 for tag, one in ESTIMATES.items()}
    plot_curves(curves, (1, 5, 10), measure="P", path=tmp_path / "a.svg", confidence=0.9)
    words = texts(tmp_path / "a.svg")
    assert {"bm25", "pay $5_a", "1", "5", "10", "P@k, mean over topics"} <= set(words)
    assert "bands: 90 % intervals over topics" in words


def test_without_intervals_nothing_is_said_of_them(tmp_path: Path) -> None:
    means = {"a": Estimate(3.0), "b": Estimate(5.0)}
    plot_means(means, measure="NumRet", path=tmp_path / "m.svg", confidence=0.95, summary="sum")
    assert "NumRet: sum over topics" in texts(tmp_path / "m.svg")
    curves = {tag: [one] * 2 for tag, one in means.items()}
    path = tmp_path / "k.svg"
    plot_curves(curves, (1, 10), measure="GMAP", path=path, confidence=0.95, summary="geometric mean")
    words = texts(path)
    assert "GMAP@k, geometric mean over topics" in words
    assert not [text for text in words if text.startswith("bands")]


def test_many_runs_have_lines_but_neither_bands_nor_a_legend(tmp_path: Path) -> None:
    curves = {f"run{i}": [Estimate(0.1, 0.0, 0.2)] * 2 for i in range(20)}
    plot_curves(curves, (1, 10), measure="P", path=tmp_path / "a.svg", confidence=0.95)
    assert not {text for text in texts(tmp_path / "a.svg") if text.startswith(("run", "bands"))}


def test_differences_and_topics(tmp_path: Path) -> None:
    plot_differences({"a − b": ESTIMATES["bm25"]}, measure="AP", path=tmp_path / "d.svg", confidence=0.95)
    assert {"a − b", "difference in AP, 95 % interval"} <= set(texts(tmp_path / "d.svg"))
    plot_topics(np.array([-0.1, 0.3]), ["301", "302"], title="a − b, AP", path=tmp_path / "t.svg")
    words = texts(tmp_path / "t.svg")
    assert words.index("302") < words.index("301")


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_same_values_give_the_same_bytes(tmp_path: Path, ending: str) -> None:
    for name in ("a", "b"):
        plot_means(ESTIMATES, measure="AP", path=tmp_path / f"{name}.{ending}", confidence=0.95)
    first, second = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("a", "b"))
    assert first == second
    assert len(first) > 1000
