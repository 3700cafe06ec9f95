"""Preferences and judgment groups out of qrels, as trec_eval prints them for its own test.

The figures are those of its `test/out.test.qrels_prefs` (usnistgov/trec_eval), the output of `trec_eval -m all_prefs -q
-R qrels_prefs test/qrels.test test/results.test`.
"""

from pathlib import Path

import pytest

from annotation.formats.problems import Problems
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.measures import parse_measure
from evaluation.engine.preferences.evaluate import evaluate_groups, evaluate_preferences
from evaluation.engine.preferences.measures import parse_group_measure, parse_preference_measure
from evaluation.engine.preferences.preferences import Preferences
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun, load_run, pack_run
from evaluation.engine.scorer import evaluate
from evaluation.formats.diversity_qrels import parse_diversity_qrels
from evaluation.formats.preferences import parse_qrels_as_preferences
from evaluation.formats.run import parse_run

PRINTED = {  # topics 301, 302, 303, all
    "prefs_num_prefs_poss": ("584916", "75768", "9020", "669704"),
    "prefs_num_prefs_ful": ("81605", "47531", "8464", "137600"),
    "prefs_num_prefs_ful_ret": ("7339", "9031", "1494", "17864"),
    "prefs_simp": ("0.1395", "0.6273", "0.9384", "0.5684"),
    "prefs_pair": ("0.1395", "0.6273", "0.9384", "0.5684"),
    "prefs_avgjg": ("0.1395", "0.6273", "0.9384", "0.5684"),
    "prefs_avgjg_Rnonrel": ("0.1223", "0.0700", "0.0049", "0.0657"),
    "prefs_simp_ret": ("0.5498", "0.8440", "0.7288", "0.7075"),
    "prefs_pair_ret": ("0.5498", "0.8440", "0.7288", "0.7075"),
    "prefs_avgjg_ret": ("0.5498", "0.8440", "0.7288", "0.7075"),
    "prefs_avgjg_Rnonrel_ret": ("0.1922", "0.2180", "0.0209", "0.1437"),
    "prefs_simp_imp": ("0.4995", "0.8645", "0.9384", "0.7675"),
    "prefs_pair_imp": ("0.4995", "0.8645", "0.9384", "0.7675"),
    "prefs_avgjg_imp": ("0.4995", "0.8645", "0.9384", "0.7675"),
}

pytestmark = pytest.mark.shared


@pytest.fixture
def run(shared_data: Path) -> PackedRun:
    with (shared_data / "trec_eval" / "results.test").open("rb") as stream:
        return load_run(pack_run(parse_run(stream, Problems("results.test"))))


def test_prints_the_same_preferences(shared_data: Path, run: PackedRun) -> None:
    with (shared_data / "trec_eval" / "qrels.test").open("rb") as stream:
        table = parse_qrels_as_preferences(stream, Problems("qrels.test"))
    preferences = Preferences.of(table.number, table.group, table.subgroup, table.docno, table.level)
    evaluation = evaluate_preferences(run, preferences, [parse_preference_measure(name) for name in PRINTED])
    assert evaluation.numbers == ("301", "302", "303")
    for column, (name, printed) in enumerate(PRINTED.items()):
        form = "{:.0f}" if name.startswith("prefs_num") else "{:.4f}"
        values = [*evaluation.value[:, column], evaluation.mean[column]]
        assert tuple(form.format(value) for value in values) == printed, name


def test_a_single_group_has_the_ordinary_values(shared_data: Path, run: PackedRun) -> None:
    with (shared_data / "trec_eval" / "qrels.test").open("rb") as stream:
        table = parse_diversity_qrels(stream, Problems("qrels.test"), by="group")
    groups = DiversityQrels.of(table.number, table.subtopic, table.docno, table.grade)
    qrels = Qrels.of(table.number, table.docno, table.grade)
    by_group = evaluate_groups(run, groups, [parse_group_measure(name) for name in ("map_avgjg", "P_avgjg@30")])
    plainly = evaluate(run, qrels, [parse_measure(name) for name in ("AP", "P@30")])
    assert by_group.value.tolist() == plainly.value.tolist()
