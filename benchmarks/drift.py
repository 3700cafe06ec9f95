"""Drift beside frouros 0.9.0 (BSD-3), in an environment of its own: compared by files.

    python benchmarks/drift.py [PYTHON]        # that of the peer; without it only our seconds are printed

MMD (σ ours, unbiased in both), its permutation p, Kolmogorov–Smirnov, energy distance and PSI of drawn pairs, drifted
by little and by much. Ends with 1 where they disagree by more than rounding (p of permutations by more than
their error; PSI by more than the half row that ours adds to each bin).
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from evaluation.engine.drift.description import Drift, drift

PERMUTATIONS, MOST_PERMUTED = 999, 400
PAIRS = [(n, m, dim, shift) for n, m in ((400, 300), (1000, 1000)) for dim in (1, 8, 64) for shift in (0.0, 0.1, 0.5)]


def sample_pair(number: int) -> tuple[np.ndarray, np.ndarray]:
    n, m, dim, shift = PAIRS[number]
    rng = np.random.default_rng(number)
    return rng.normal(size=(n, dim)), rng.normal(size=(m, dim)) + shift


def codes(reference: np.ndarray, window: np.ndarray) -> list[np.ndarray]:
    edge = np.quantile(reference[:, 0], np.arange(1, 10) / 10)
    return [np.searchsorted(edge, side[:, 0]).astype(float) for side in (reference, window)]


def ours(folder: Path) -> list[Drift]:
    drifts = []
    for number in range(len(PAIRS)):
        reference, window = sample_pair(number)
        one = drift(reference, window, seed=number, n_permutations=PERMUTATIONS)
        first, second = codes(reference, window)
        np.savez(
            folder / f"pair-{number:02}.npz",
            reference=reference,
            window=window,
            code_reference=first,
            code_window=second,
            sigma=one.bandwidth,
            permutations=PERMUTATIONS if len(reference) <= MOST_PERMUTED else 0,
        )
        drifts.append(one)
    return drifts


def disagreements(one: Drift, theirs: dict[str, float]) -> list[tuple[str, float, float]]:
    """`(figure, ours, theirs)` of those that are too far apart."""
    rows = [("mmd", one.mmd.value, 1e-9)]
    p = theirs.get("mmd_p", 0.0)
    error = 4 * np.sqrt(2 * max(p * (1 - p), 1 / PERMUTATIONS) / PERMUTATIONS) + 1 / PERMUTATIONS
    rows += [("mmd_p", one.mmd.p, error)] if "mmd_p" in theirs else []
    if "ks" in theirs:
        seen, half = one.projections, 10 * (1 / one.n_reference + 1 / one.n_window)
        rows += [("ks", seen.ks_greatest, 1e-9), ("ks_p", seen.ks_p, 0.02), ("energy", one.energy.value, 1e-9)]
        rows += [("psi", seen.psi_greatest, half * (1 + theirs["psi"]))]
    return [(name, value, theirs[name]) for name, value, room in rows if abs(value - theirs[name]) > room]


def main() -> int:
    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        drifts = ours(Path(folder))
        print(f"ours: {len(PAIRS)} pairs, {PERMUTATIONS} permutations: {time.perf_counter() - start:.1f} s")
        if len(sys.argv) < 2:
            return 0
        start = time.perf_counter()
        program = [sys.argv[1], str(Path(__file__).with_name("peers") / "by_frouros.py"), folder]
        answer = subprocess.run(program, check=True, capture_output=True, text=True)
        print(f"frouros: MMD with permutations, and the rest of one dimension: {time.perf_counter() - start:.1f} s")
    n_figures, wrong = 0, list[str]()
    for pair, one, theirs in zip(PAIRS, drifts, json.loads(answer.stdout.splitlines()[-1]), strict=True):
        n_figures += len(theirs)
        wrong += [f"{pair}: {name} ours {a:.6g}, theirs {b:.6g}" for name, a, b in disagreements(one, theirs)]
    print(f"{n_figures} figures compared, {len(wrong)} too far apart", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
