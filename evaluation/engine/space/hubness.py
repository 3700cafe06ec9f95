"""Hubs: rows that are among the nearest of very many others. Radovanović, Nanopoulos and Ivanović, JMLR 2010."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Ints


@dataclass(frozen=True)
class Hubness:
    k: int
    skewness: float  # of the counts, population moments; 0 where all counts are equal
    most: int  # how often the greatest hub is among the k nearest
    never: float  # share of rows that are among nobody's k nearest


def occurrences(nearest: Ints, n_rows: int) -> Ints:
    """How often each row is among the nearest; `nearest` (n_queries, k) has −1 where there is none. (n_rows,)"""
    return np.bincount(nearest[nearest >= 0], minlength=n_rows)


def hubness(nearest: Ints, n_rows: int) -> Hubness:
    """`nearest` (n_queries, k), rows of n_rows by their numbers, a row itself left out."""
    count = occurrences(nearest, n_rows)
    apart = count - count.mean()
    deviation = float(np.sqrt((apart**2).mean()))
    skewness = float((apart**3).mean()) / deviation**3 if deviation else 0.0
    return Hubness(nearest.shape[1], skewness, int(count.max()), float((count == 0).mean()))
