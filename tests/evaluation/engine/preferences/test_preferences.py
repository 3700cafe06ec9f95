import random

import numpy as np
import pytest

from evaluation.engine.options import Options
from evaluation.engine.preferences.evaluate import AS_TREC_EVAL, evaluate_preferences
from evaluation.engine.preferences.measures import PREFERENCE_MEASURES, parse_preference_measure
from evaluation.engine.preferences.preferences import Preferences
from tests.evaluation.engine.made import made_run
from tests.evaluation.engine.preferences import plain
from tests.evaluation.engine.preferences.made import Topics, made_preferences, random_topics, rows_of

SIMPLE = parse_preference_measure("prefs_simp")
AG = ("1", "g")


@pytest.mark.parametrize("seed", range(20))
def test_preferences_are_closed(seed: int) -> None:
    topics, _ = random_topics(seed)
    preferences = made_preferences(topics)
    docnos = list(preferences.documents.docno)
    by_group: dict[tuple[str, str], set[plain.Pair]] = {}
    for better, worse in zip(preferences.better.tolist(), preferences.worse.tolist(), strict=True):
        number = preferences.documents.numbers[preferences.group_topic[preferences.group[better]]]
        pair = docnos[preferences.document[better]], docnos[preferences.document[worse]]
        by_group.setdefault((number, preferences.groups[preferences.group[better]]), set()).add(pair)
    partial = {
        (n, g): plain.preferences(group)
        for n, groups in topics.items()
        for g, group in groups.items()
        if len(group) > 1
    }
    assert by_group == {key: pairs for key, pairs in partial.items() if pairs}


def test_a_long_chain_is_followed_to_its_end() -> None:
    chain = {"g": {f"s{i:03}": {f"d{i:03}": 2.0, f"d{i + 1:03}": 1.0} for i in range(70)}}
    assert made_preferences({"1": chain}).better.size == 71 * 70 / 2


def test_the_order_of_the_rows_is_no_part_of_the_preferences() -> None:
    topics, scores = random_topics(3)
    rows = rows_of(topics)
    random.Random(0).shuffle(rows)
    number, group, subgroup, docno, level = zip(*rows, strict=True)
    measures = [family() for family in PREFERENCE_MEASURES]
    shuffled = evaluate_preferences(made_run(scores), Preferences.of(number, group, subgroup, docno, level), measures)
    plainly = evaluate_preferences(made_run(scores), made_preferences(topics), measures)
    assert np.array_equal(shuffled.value, plainly.value)


def test_says_what_there_is_to_know_beside_the_values() -> None:
    topics: Topics = {
        "1": {"x": {"1": {"a": 2, "b": 1}}},
        "2": {"x": {"1": {"a": 0, "b": 0}}},
        "3": {"x": {"1": {"a": 1, "b": 0}}},
    }
    run = made_run({"1": {"a": 1.0, "b": 1.0, "z": 5.0}, "2": {"a": 1.0}, "9": {"a": 1.0}}, "mine")
    evaluation = evaluate_preferences(run, made_preferences(topics), [SIMPLE, *map(parse_preference_measure, NUMBERS)])
    assert (evaluation.tag, evaluation.measures) == ("mine", ("prefs_simp", *NUMBERS))
    assert evaluation.value.tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert evaluation.mean.tolist() == [1 / 3, 1, 1]  # numbers are added up
    assert (evaluation.missing, evaluation.without_relevant, evaluation.unknown) == (("3",), ("2",), ("9",))
    assert (evaluation.n_judged_rows, evaluation.n_tied_judged_rows) == (3, 2)
    retrieved = evaluate_preferences(run, made_preferences(topics), [SIMPLE], averaging="retrieved")
    assert (retrieved.numbers, retrieved.mean.tolist()) == (("1", "2"), [0.5])


NUMBERS = ("prefs_num_prefs_poss", "prefs_num_prefs_ful")


def test_a_run_is_read_by_the_options() -> None:
    preferences = made_preferences({"1": {"x": {"1": {"a": 1, "b": 0}}}})
    run = made_run({"1": {"b": 1.0, "a": 1.0}})
    other_way = Options(ties="docno")
    assert evaluate_preferences(run, preferences, [SIMPLE], options=other_way).value.tolist() == [[0.0]]
    cut = Options(ties="docno", depth=1)
    assert evaluate_preferences(run, preferences, [SIMPLE], options=cut).value.tolist() == [[0.0]]
    top = Options(ties="docno ascending", depth=1)
    implied = parse_preference_measure("prefs_simp_ret")
    assert evaluate_preferences(run, preferences, [SIMPLE, implied], options=top).value.tolist() == [[1.0, 0.0]]
    with pytest.raises(ValueError, match="no measures"):
        evaluate_preferences(run, preferences, [], options=AS_TREC_EVAL)
    with pytest.raises(ValueError, match="averaged over ties"):
        evaluate_preferences(run, preferences, [SIMPLE], options=Options(ties="averaged"))


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("1", "g", "1", "a", -1.0)], "a level is a finite number of at least 0"),
        ([("1", "g", "1", "a", float("nan"))], "a level is a finite number of at least 0"),
        ([("1", "g", "1", "a", 1.0), ("1", "g", "1", "a", 1.0)], "a document stands twice in a subgroup"),
        (
            [
                ("1", "g", "1", "a", 2.0),
                ("1", "g", "1", "b", 1.0),
                ("1", "g", "2", "a", 1.0),
                ("1", "g", "2", "b", 2.0),
            ],
            "group 'g' of topic '1' contradicts itself",
        ),
        ([("1", "g", "1", "a", 0.0), ("1", "g", "2", "a", 1.0)], "group 'g' of topic '1' contradicts itself"),
    ],
)
def test_what_is_no_preference_is_refused(rows: list[tuple[str, str, str, str, float]], reason: str) -> None:
    number, group, subgroup, docno, level = zip(*rows, strict=True)
    with pytest.raises(ValueError, match=reason):
        Preferences.of(number, group, subgroup, docno, level)


def test_columns_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="no preference"):
        Preferences.of([], [], [], [], [])
    with pytest.raises(ValueError, match="differ in length"):
        Preferences.of(["1"], ["g"], [], ["a"], [1.0])
