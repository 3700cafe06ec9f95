"""Evaluating a run by preferences, or by the judgments of several groups."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from evaluation.engine.diversity.evaluate import check_kind, check_options, evaluate_subtopics
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.lookup import look_up
from evaluation.engine.options import Options
from evaluation.engine.preferences.measures import GroupMeasure, PreferenceMeasure
from evaluation.engine.preferences.preferences import Preferences
from evaluation.engine.preferences.view import view
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import Averaging, MeasureValues, Scoring, evaluation_of

AS_TREC_EVAL = Options(ties="docno ascending")  # for preferences it breaks ties the other way round


def evaluate_preferences(
    run: PackedRun,
    preferences: Preferences,
    measures: Sequence[PreferenceMeasure],
    *,
    averaging: Averaging = "complete",
    options: Options = AS_TREC_EVAL,
) -> MeasureValues:
    """Evaluate a run by preferences (trec_eval -R prefs or qrels_prefs); the rest as in `scorer.evaluate`.

    Documents of equal score go by docno, ascending as bytes unless options say otherwise: for preferences alone
    trec_eval has it so. Only the order of documents that preferences name counts, so `judged_only` changes nothing.
    Computed in numpy. Raises `ValueError` for no or other measures, averaged ties, unjudged documents as the top grade,
    and under "retrieved" where the run has none of the topics.
    """
    check_kind(measures, PreferenceMeasure, source="preferences")
    check_options(measures, averaging, options)
    lookup = look_up(run, preferences.coded, options, 1)
    preferred = view(preferences, lookup)
    return evaluation_of(
        run,
        preferences.documents,
        np.stack([measure.over_preferences(preferred) for measure in measures], axis=1),
        measures,
        in_run=lookup.in_run,
        judged_row=lookup.judged_row,
        averaging=averaging,
        options=options,
        top_grade=1,
    )


def evaluate_groups(
    run: PackedRun, groups: DiversityQrels, measures: Sequence[GroupMeasure], **scoring: Unpack[Scoring]
) -> MeasureValues:
    """Evaluate a run by the judgments of several groups (trec_eval -R qrels_jg), the subtopics of `groups`.

    As `evaluate_diversity`, except that `judged_only` drops, for each group, what that group did not judge. A group
    without relevant documents counts, with 0.
    """
    check_kind(measures, GroupMeasure, source="judgment groups")
    return evaluate_subtopics(
        run, groups, measures, lambda measure, intents: measure.over_groups(intents), by_intent=True, **scoring
    )
