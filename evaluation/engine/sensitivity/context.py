"""The order of the runs as it stands, and what several kinds of change start from: each computed once."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from annotation.text.watch import Watch, say_nothing
from evaluation.engine.arrays import Floats
from evaluation.engine.qrels import Qrels
from evaluation.engine.sensitivity.cases import RunsOfPairs, means_of, runs_of_pairs
from evaluation.engine.sensitivity.evidence import Evidence, Question
from evaluation.engine.sensitivity.judgments import Judgments

NOBODY = "these qrels come without their judgments: who gave which grade is not known here"
ALONE = "one annotator alone cannot be left out"


class StudyContext:
    """Raises `ValueError` for fewer than two runs, two of one tag, and a named pair that is none. `watch` is told of
    what takes long."""

    def __init__(self, evidence: Evidence, question: Question, watch: Watch = say_nothing) -> None:
        self.evidence, self.question, self.watch = evidence, question, watch
        self.tags = [run.tag for run in evidence.runs]
        if len(self.tags) < 2 or len(set(self.tags)) < len(self.tags):
            raise ValueError("two runs or more are put in order, and no two of one tag")
        if unknown := [tag for pair in question.named for tag in pair if tag not in self.tags]:
            raise ValueError(f"there is no run {unknown[0]}")
        if any(first == second for first, second in question.named):
            raise ValueError("a run is compared with another one")

    @property
    def pairs(self) -> Qrels:
        return self.evidence.pairs

    @property
    def judgments(self) -> Judgments:
        """Raises `ValueError`, in words, where there are none."""
        if self.evidence.judgments is None:
            raise ValueError(NOBODY)
        return self.evidence.judgments

    @cached_property
    def ready_runs(self) -> RunsOfPairs:
        """The runs, ready for any grades. All cases have one top of the scale."""
        options = self.question.options
        if options.max_grade is None:
            options = replace(options, max_grade=self._top())
        return runs_of_pairs(self.evidence.runs, self.pairs, self.question.measure, options)

    def _top(self) -> int:
        """That of the judgments' scale, else the highest grade of all qrels."""
        if self.evidence.judgments:
            return self.evidence.judgments.inputs.scale.top
        return max(1, *(int(qrels.grade.max()) for qrels in (self.pairs, *self.evidence.others.values())))

    @cached_property
    def value(self) -> Floats:
        """(n_runs, n_topics)."""
        value: Floats = self.ready_runs.values(self.pairs.grade[None])[0]
        return value

    @cached_property
    def base(self) -> Floats:
        """The means, (n_runs,)."""
        return means_of(self.value)

    @property
    def order(self) -> list[int]:
        """Places of the runs, the best first, equal ones by tag."""
        return sorted(range(len(self.tags)), key=lambda run: (-self.base[run], self.tags[run]))

    @cached_property
    def without(self) -> Floats:
        """The values without each annotator, (n_annotators, n_runs, n_topics). Raises `ValueError` for one alone."""
        if len(self.judgments.annotators) < 2:
            raise ValueError(ALONE)
        return self.ready_runs.values(self.judgments.without(self._each_annotator()))

    def _each_annotator(self) -> Iterator[list[int]]:
        people = self.judgments.annotators
        for n, code in enumerate(people):
            self.watch(n, len(people), f"{n} of {len(people)} annotators left out in turn")
            yield [code]

    def rng(self) -> np.random.Generator:
        """Each kind draws by itself: what else is asked changes none of its numbers."""
        return np.random.default_rng(self.question.seed)
