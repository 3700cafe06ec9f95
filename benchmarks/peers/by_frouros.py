"""Run by frouros's own Python: figures of drift of pairs of arrays in files, as JSON.

    python by_frouros.py FOLDER        # pair-N.npz: reference, window (n, dim), code_reference, code_window, sigma,
                                       # permutations (0: no test, which computes the kernel anew for each)

`benchmarks/drift.py` writes the files and compares. The codes are tenths of the reference: frouros' PSI has bins of
equal width, which on them are the same bins.
"""

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
from frouros.callbacks import PermutationTestDistanceBased
from frouros.detectors.data_drift import MMD, PSI, EnergyDistance, KSTest
from frouros.utils.kernels import rbf_kernel


def compared(detector, reference, window):
    detector.fit(X=reference)
    return detector.compare(X=window)


def figures(pair):
    reference, window = pair["reference"], pair["window"]
    kernel, times = partial(rbf_kernel, sigma=float(pair["sigma"])), int(pair["permutations"])
    permuted = PermutationTestDistanceBased(num_permutations=times or 1, num_jobs=1, random_state=1, name="permuted")
    distance, logs = compared(MMD(kernel=kernel, callbacks=[permuted] if times else []), reference, window)
    values = {"mmd": distance.distance} | ({"mmd_p": logs["permuted"]["p_value"]} if times else {})
    if reference.shape[1] == 1:
        first, second = reference[:, 0], window[:, 0]
        test = compared(KSTest(), first, second)[0]
        values |= {"ks": test.statistic, "ks_p": test.p_value}
        values["energy"] = compared(EnergyDistance(), first, second)[0].distance
        values["psi"] = compared(PSI(num_bins=10), pair["code_reference"], pair["code_window"])[0].distance
    return {name: float(value) for name, value in values.items()}


print(json.dumps([figures(np.load(path)) for path in sorted(Path(sys.argv[1]).glob("pair-*.npz"))]))
