"""Changes of the pool: what a run, or a group of runs, alone brought to it is taken out again.

Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998.
Groups: Büttcher, Clarke, Yeung and Soboroff, Reliable information retrieval evaluation with
incomplete and biased judgements, SIGIR 2007.
"""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.lookup import match
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.sensitivity.cases import UNJUDGED
from evaluation.engine.sensitivity.context import StudyContext
from evaluation.engine.sensitivity.kinds.kind import Cases, Kind

NO_GROUPS = "no groups of runs are named"
LONELY = "two runs or groups are needed for one of them to be left out"


def within(runs: Sequence[PackedRun], pairs: Qrels, depth: int) -> Bools:
    """Whether the run has the pair among its first `depth` documents, (n_runs, n_pairs)."""
    inside = np.zeros((len(runs), pairs.topic.size), np.bool_)
    for line, run in zip(inside, runs, strict=True):
        matches = match(run, pairs)
        near = matches.row - matches.begin[pairs.topic[matches.pair]] < depth
        line[matches.pair[near]] = True
    return inside


def contributions_left_out(grade: Ints, inside: Bools) -> Ints:
    """The grades, (n_pairs,), without what each contributor alone has: (n_contributors, n_pairs).

    `inside`: (n_contributors, n_pairs). A pair that nobody has stays. Raises `ValueError` for one contributor.
    """
    if len(inside) < 2:
        raise ValueError(LONELY)
    alone = inside & (inside.sum(axis=0) == 1)
    return np.where(alone, UNJUDGED, grade)


def groups_of(tags: Sequence[str], groups: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    """The runs of each group, as places in `tags`; a run in no group is one of its own.

    A group has tags or patterns of tags (`idst*`). Raises `ValueError` for a pattern that no tag fits and for a run in
    two groups.
    """
    members: dict[str, list[int]] = {}
    group_of: dict[int, str] = {}
    for name, patterns in groups.items():
        for pattern in patterns:
            fitting = [at for at, tag in enumerate(tags) if fnmatchcase(tag, pattern)]
            if not fitting:
                raise ValueError(f"no run is called {pattern}, which the group {name} names")
            for at in fitting:
                if group_of.setdefault(at, name) != name:
                    raise ValueError(f"the run {tags[at]} is in two groups, {group_of[at]} and {name}")
    for at, tag in enumerate(tags):
        members.setdefault(group_of.get(at, tag), []).append(at)
    return members


def _runs(context: StudyContext) -> Cases:
    return context.tags, _means(context, _within(context))


def _groups(context: StudyContext) -> Cases:
    if not context.question.groups:
        raise ValueError(NO_GROUPS)
    groups, inside = groups_of(context.tags, context.question.groups), _within(context)
    return list(groups), _means(context, np.stack([inside[runs].any(axis=0) for runs in groups.values()]))


def _within(context: StudyContext) -> Bools:
    return within(context.evidence.runs, context.pairs, context.question.pool_depth)


def _means(context: StudyContext, inside: Bools) -> Floats:
    return context.ready_runs.means(contributions_left_out(context.pairs.grade, inside))


RUNS = Kind("runs", "without what one run alone brought to the pool", _runs)
GROUPS = Kind("groups", "without what one group of runs alone brought to the pool", _groups)
