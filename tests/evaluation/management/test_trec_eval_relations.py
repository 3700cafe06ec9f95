"""`trec_eval -R`: preferences and judgment groups from files, and what cannot be computed from them."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    path.write_text("1 Q0 a 1 2.0 mine\n1 Q0 b 2 1.0 mine\n2 Q0 a 1 1.0 mine\n2 Q0 b 2 1.0 mine\n")
    return path


def printed(*arguments: str | Path) -> list[list[str]]:
    out = StringIO()
    call_command("trec_eval", *map(str, arguments), stdout=out, stderr=StringIO())
    return [line.split() for line in out.getvalue().splitlines()]


def test_all_preference_measures_in_the_order_of_trec_eval(tmp_path: Path, run: Path) -> None:
    (tmp_path / "prefs").write_text("1 g s a 2\n1 g s b 1\n2 g s a 1\n2 g s b 0\n")
    lines = printed("-m", "all_prefs", "-R", "prefs", tmp_path / "prefs", run)
    assert lines[:5] == [
        ["runid", "all", "mine"],
        ["num_q", "all", "2"],
        ["prefs_num_prefs_poss", "all", "2"],
        ["prefs_num_prefs_ful", "all", "2"],  # the tie of topic 2 goes to the smaller docno
        ["prefs_num_prefs_ful_ret", "all", "2"],
    ]
    assert [name for name, *_ in lines[5:]] == [
        *("prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret"),
        *("prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"),
    ]


def test_judgment_groups_have_the_level_of_the_command(tmp_path: Path, run: Path) -> None:
    (tmp_path / "groups").write_text("1 x a 1\n1 y a 2\n1 y b 2\n")
    asked = ["-q", "-n", "-m", "map_avgjg", "-m", "P_avgjg.1,2", "-m", "Rprec_mult_avgjg.0.5", "-R", "qrels_jg"]
    assert printed(*asked, tmp_path / "groups", run) == [
        ["map_avgjg", "1", "1.0000"],
        ["P_avgjg_1", "1", "1.0000"],
        ["P_avgjg_2", "1", "0.7500"],
        ["Rprec_mult_avgjg_0.50", "1", "1.0000"],
    ]
    assert printed(*asked, "-l", "2", tmp_path / "groups", run)[0] == ["map_avgjg", "1", "0.5000"]


@pytest.mark.parametrize(
    ("relation", "measure", "reason"),
    [
        ("prefs", "nDCG@10", "nDCG@10 cannot be computed from preferences"),
        ("prefs", "map", "the measure map cannot be computed from these judgments"),
        ("qrels_jg", "nDCG@10", "nDCG@10 cannot be computed from judgment groups"),
        ("qrels_jg", "prefs_simp", "the measure prefs_simp cannot be computed from these judgments"),
        ("qrels", "prefs_simp", "the measure prefs_simp cannot be computed from these judgments"),
    ],
)
def test_measures_of_other_judgments_are_refused(
    tmp_path: Path, run: Path, relation: str, measure: str, reason: str
) -> None:
    columns = "1 g s a 2\n" if relation == "prefs" else "1 g a 2\n"
    (tmp_path / "judgments").write_text(columns)
    with pytest.raises(CommandError, match=reason):
        printed("-m", measure, "-R", relation, tmp_path / "judgments", run)
