"""Drift between a reference and a window as a table and as facts: each figure is declared once."""

from collections.abc import Callable, Mapping

from evaluation.engine.drift.description import Drift
from evaluation.engine.drift.words import words_of_drift
from evaluation.formats.space import Figure, cell
from evaluation.formats.values import aligned

FIGURES: Mapping[str, tuple[str, Callable[[Drift], Figure]]] = {
    "rows_reference": ("rows of the reference", lambda one: one.rows_reference),
    "rows_window": ("rows of the window", lambda one: one.rows_window),
    "n_reference": ("compared, of the reference", lambda one: one.n_reference),
    "n_window": ("compared, of the window", lambda one: one.n_window),
    "dim": ("dimensions", lambda one: one.dim),
    "centroid_shift": ("centroid shift", lambda one: one.centroid.length),
    "centroid_shift_relative": ("by the spread of the reference", lambda one: one.centroid.relative),
    "centroid_cosine": ("cosine of the centroids", lambda one: one.centroid.cosine),
    "mmd": ("squared MMD, unbiased", lambda one: one.mmd.value),
    "mmd_p": ("its p", lambda one: one.mmd.p),
    "bandwidth": ("its σ, the median distance", lambda one: one.bandwidth),
    "energy_distance": ("energy distance", lambda one: one.energy.value),
    "energy_p": ("its p", lambda one: one.energy.p),
    "classifier_auc": ("classifier: area under ROC (chance ½)", lambda one: one.classifier.value),
    "classifier_p": ("its p", lambda one: one.classifier.p),
    "directions": ("directions", lambda one: one.projections.n),
    "sliced_wasserstein": ("sliced Wasserstein distance", lambda one: one.projections.sliced_wasserstein),
    "psi_mean": ("PSI, mean of directions", lambda one: one.projections.psi_mean),
    "psi_greatest": ("PSI, greatest", lambda one: one.projections.psi_greatest),
    "psi_without_drift": ("PSI without drift, about", lambda one: one.projections.psi_without_drift),
    "ks_greatest": ("Kolmogorov–Smirnov D, greatest", lambda one: one.projections.ks_greatest),
    "ks_p": ("its p, Holm over directions", lambda one: one.projections.ks_p),
    "ks_significant": ("directions of p at most alpha", lambda one: one.projections.ks_significant),
    "permutations": ("permutations", lambda one: one.n_permutations),
    "alpha": ("alpha", lambda one: one.alpha),
}


def drift_as_facts(drift: Drift) -> dict[str, object]:
    """`adjusted`: p of the four tests after Holm's correction; `drifted`: those of them at most alpha."""
    facts: dict[str, object] = {key: value(drift) for key, (_, value) in FIGURES.items()}
    return {**facts, "adjusted": drift.adjusted, "drifted": drift.found, "words": words_of_drift(drift)}


def drift_as_words(drift: Drift) -> str:
    rows = [[title, cell(value(drift))] for title, value in FIGURES.values()]
    return "\n".join([*words_of_drift(drift), "", *aligned(rows, n_names=1)])
