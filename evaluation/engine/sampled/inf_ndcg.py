"""infNDCG: inferred normalised discounted cumulative gain."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats, Ints, ratio, segment_sums
from evaluation.engine.sampled.base import SampledMeasure
from evaluation.engine.sampled.prels import Strata
from evaluation.engine.sampled.sample import Sample, scaled_up, sum_above

ROUNDING = 1e-9  # what a sum of quotients may fall short of the whole number that it is


@dataclass(frozen=True, kw_only=True)
class InfNDCG(SampledMeasure):
    """nDCG from a stratified sample of the pool, with the grade as gain.

    DCG: the discounted gains grade / log2(rank + 1) of the judged documents retrieved, summed for each stratum and
    scaled up by its pooled / judged documents retrieved. Best DCG: of each grade as many documents as are estimated to
    be in the pool, one rank each, grade after grade; the estimates are no whole numbers, so each grade has one term
    for every whole document and begins where the last one ended, between ranks if need be. What is left of a document
    is dropped, which makes the best ranking worse and infNDCG too high; `fractions='counted'` gives it that part of
    the next term. A grade below 1 gains nothing. No relevant document in the sample: 0. With one stratum, all of it
    judged, it is nDCG.

    `infNDCG@1000` is what TREC's sample_eval.pl prints as infNDCG.

    Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008.
    """

    fractions: str = "dropped"

    family: ClassVar[str] = "infNDCG"
    needs_strata: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.fractions not in ("dropped", "counted"):
            raise ValueError(f"the fractions of infNDCG are 'dropped' or 'counted', not {self.fractions!r}")

    @property
    def least_judged(self) -> float:
        """Too high by .01 to .04 on the way from a fifth to nine tenths of the pool where fractions are dropped."""
        return 0.6 if self.fractions == "counted" else 1.0

    def estimate(self, sample: Sample) -> Floats:
        strata = sample.prels.strata
        assert strata is not None
        return ratio(self._dcg(sample, strata), sample.of_each_run(self._best_dcg(sample, strata)))

    def _dcg(self, sample: Sample, strata: Strata) -> Floats:
        """(n_runs · n_topics,)"""
        reached = sample.rank <= self.depth
        gain = np.where(reached, np.maximum(sample.grade, 0), 0) / np.log2(sample.rank + 1.0)
        of_row, n_strata = strata.of_pair[sample.pair] + sample.run * strata.n_strata, sample.n_runs * strata.n_strata
        n_pooled = segment_sums(reached, of_row, n_strata)
        n_judged = segment_sums(reached & (sample.grade >= 0), of_row, n_strata)
        scale = scaled_up(np.ones(n_strata), n_pooled, n_judged)
        return sample.total(gain * scale[of_row])

    def _best_dcg(self, sample: Sample, strata: Strata) -> Floats:
        """(n_topics,)"""
        topic, grade, expected = _expected_by_grade(sample, strata)
        ahead = sum_above(expected, np.searchsorted(topic, topic))  # documents of higher grades in the topic
        n_terms = np.floor(expected + ROUNDING).astype(np.int64)
        room = np.ceil(np.clip(self.depth - ahead - ROUNDING, 0, n_terms))
        n_terms = np.minimum(n_terms, room.astype(np.int64))
        of = np.repeat(np.arange(n_terms.size), n_terms)
        rank = ahead[of] + np.arange(of.size) - (np.cumsum(n_terms) - n_terms)[of] + 1.0
        best = segment_sums(grade[of] / np.log2(rank + 1.0), topic[of], sample.n_topics)
        if self.fractions == "dropped":
            return best
        last = ahead + n_terms  # what is left of a document comes after the whole ones
        part = np.clip(np.minimum(expected, self.depth - ahead) - n_terms, 0, 1)
        part = np.where(part > ROUNDING, part, 0.0)
        return best + segment_sums(part * grade / np.log2(last + 2.0), topic, sample.n_topics)


def _expected_by_grade(sample: Sample, strata: Strata) -> tuple[Ints, Ints, Floats]:
    """`(topic, grade, expected documents of the grade in the pool)`, by topic and descending grade."""
    qrels = sample.prels.qrels
    pair = np.flatnonzero(qrels.grade > 0)
    grades, code = np.unique(-qrels.grade[pair], return_inverse=True)
    cell, of_pair = np.unique(qrels.topic[pair] * grades.size + code, return_inverse=True)
    part, of_part = np.unique(of_pair * strata.n_strata + strata.of_pair[pair], return_inverse=True)
    n_judged = segment_sums(np.ones(of_part.size), of_part, part.size)
    stratum = part % strata.n_strata
    expected = scaled_up(n_judged, strata.n_pooled[stratum], strata.n_judged[stratum])
    return cell // grades.size, -grades[cell % grades.size], segment_sums(expected, part // strata.n_strata, cell.size)
