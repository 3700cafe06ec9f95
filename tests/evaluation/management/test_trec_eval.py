"""`manage.py trec_eval`: what trec_eval 10 prints, byte for byte. Figures without a source are worked by hand."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.evaluation.management.calling import called
from tests.test_docs import page

QRELS = b"1 0 a 2\n1 0 b 0\n1 0 u -1\n2 0 a 1\n3 0 a 1\n"
RUN = b"1 Q0 b 1 4 me\n1 Q0 x 2 3 me\n1 Q0 u 3 2 me\n1 Q0 a 4 1 me\n2 Q0 a 1 1 me\n9 Q0 a 1 1 me\n"


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    (tmp_path / "a.qrels").write_bytes(QRELS)
    return tmp_path / "a.qrels"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "me.run.gz").write_bytes(gzip.compress(RUN))
    return tmp_path / "me.run.gz"


def printed(*arguments: str | Path) -> tuple[str, str]:
    return called("trec_eval", *arguments)


def values(*arguments: str | Path) -> list[list[str]]:
    return [line.split("\t") for line in printed(*arguments)[0].replace(" ", "").splitlines()]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("output", "options", "run"),
    [
        ("out.test", [], "results.test"),
        ("out.test.a", ["-m", "all_trec"], "results.test"),
        ("out.test.aq", ["-m", "all_trec", "-q"], "results.test"),
        ("out.test.aqc", ["-m", "all_trec", "-q", "-c"], "results.trunc"),
    ],
)
def test_trec_evals_own_tests(shared_data: Path, output: str, options: list[str], run: str) -> None:
    folder = shared_data / "trec_eval"
    assert printed(*options, folder / "qrels.test", folder / run)[0] == (folder / output).read_text()


@pytest.mark.shared
def test_parameters_as_in_trec_evals_own_test(shared_data: Path) -> None:
    """Lines of test/out.test.meas_params of trec_eval 10.0 (usnistgov/trec_eval), topic 302."""
    folder = shared_data / "trec_eval"
    asked = [
        "-mP.5,7,3",
        "-m",
        "recall.20,2000",
        "-m",
        "Rprec_mult.5.0,0.2,0.35",
        "-mutility.2,-1,0,0",
        "-mndcg.1=3,2=9,4=4.5",
        "-mndcg_cut.10,20,23.4",
        "-msuccess.2,5,20",
    ]
    lines = values("-q", *asked, folder / "qrels.test", folder / "results.test")
    assert [[name, value] for name, number, value in lines if number == "302"] == [
        ["P_3", "0.6667"],
        ["P_5", "0.8000"],
        ["P_7", "0.7143"],
        ["recall_20", "0.2078"],
        ["recall_2000", "0.6494"],
        ["Rprec_mult_0.20", "0.8125"],
        ["Rprec_mult_0.35", "0.7407"],
        ["Rprec_mult_5.00", "0.1247"],
        ["utility_2,-1,0,0", "-350.0000"],
        ["ndcg_1=3,2=9,4=4.5", "0.6617"],
        ["ndcg_cut_10", "0.7530"],
        ["ndcg_cut_20", "0.8082"],
        ["ndcg_cut_23", "0.7964"],
        ["success_2", "1.0000"],
        ["success_5", "1.0000"],
        ["success_20", "1.0000"],
    ]


@pytest.mark.shared
def test_preferences_out_of_qrels(shared_data: Path) -> None:
    """The figures are those of test/out.test.qrels_prefs of trec_eval (usnistgov/trec_eval)."""
    folder = shared_data / "trec_eval"
    lines = values("-m", "all_prefs", "-R", "qrels_prefs", folder / "qrels.test", folder / "results.test")
    assert [[name, value] for name, _, value in lines] == [
        ["runid", "STANDARD"],
        ["num_q", "3"],
        ["prefs_num_prefs_poss", "669704"],
        ["prefs_num_prefs_ful", "137600"],
        ["prefs_num_prefs_ful_ret", "17864"],
        ["prefs_simp", "0.5684"],
        ["prefs_pair", "0.5684"],
        ["prefs_avgjg", "0.5684"],
        ["prefs_avgjg_Rnonrel", "0.0657"],
        ["prefs_simp_ret", "0.7075"],
        ["prefs_pair_ret", "0.7075"],
        ["prefs_avgjg_ret", "0.7075"],
        ["prefs_avgjg_Rnonrel_ret", "0.1437"],
        ["prefs_simp_imp", "0.7675"],
        ["prefs_pair_imp", "0.7675"],
        ["prefs_avgjg_imp", "0.7675"],
    ]


def test_preferences_and_judgment_groups(tmp_path: Path, run: Path) -> None:
    (tmp_path / "prefs").write_text("1 one s a 2\n1 one s b 1\n2 one s a 1\n2 one s b 0\n")
    assert values("-m", "prefs_simp", "-q", "-R", "prefs", tmp_path / "prefs", run) == [
        ["prefs_simp", "1", "0.0000"],
        ["prefs_simp", "2", "1.0000"],
        ["prefs_simp", "all", "0.5000"],
    ]
    (tmp_path / "groups").write_text("1 one a 1\n1 two b 1\n2 one a 1\n")
    lines = values("-R", "qrels_jg", "-m", "map_avgjg", "-m", "P_avgjg.1", "-m", "num_q", tmp_path / "groups", run)
    assert lines == [["num_q", "all", "2"], ["map_avgjg", "all", "0.8125"], ["P_avgjg_1", "all", "0.7500"]]
    assert [name for name, _, _ in values("-R", "qrels_jg", tmp_path / "groups", run)][:3] == [
        "runid",
        "num_q",
        "map_avgjg",
    ]


def test_only_topics_of_the_run_unless_all_are_wanted(qrels: Path, run: Path) -> None:
    asked = ("-m", "num_q", "-m", "num_ret", "-m", "recip_rank", qrels, run)
    assert values(*asked) == [["num_q", "all", "2"], ["num_ret", "all", "5"], ["recip_rank", "all", "0.6250"]]
    assert values("-c", *asked) == [["num_q", "all", "3"], ["num_ret", "all", "5"], ["recip_rank", "all", "0.4167"]]
    assert printed(*asked)[1] == "1 of the judged topics missing from the run, left out: see -c\n"
    assert printed("-c", *asked)[1] == ""


def test_the_options_that_change_values(qrels: Path, run: Path) -> None:
    assert values("-m", "recip_rank", "-l", "2", qrels, run) == [["recip_rank", "all", "0.1250"]]
    assert values("-m", "recip_rank", "-J", qrels, run) == [["recip_rank", "all", "0.7500"]]
    assert values("-m", "recip_rank", "-M", "3", qrels, run) == [["recip_rank", "all", "0.5000"]]
    assert values("-m", "utility.0,0,0,1", "-N", "10", qrels, run) == [["utility_0,0,0,1", "all", "7.5000"]]


def test_what_differs_from_trec_eval_with_c(qrels: Path, run: Path, tmp_path: Path) -> None:
    """As docs/measures.md has it. Topic 3, which the run lacks, has one relevant document; in topic 1 a has grade 2."""
    (tmp_path / "z").write_text("".join(f"{t} num_rel 0 1\n" for t in (1, 2, 3)))
    assert values("-c", "-l", "2", "-m", "num_rel", qrels, run) == [["num_rel", "all", "1"]]
    assert values("-c", "-Z", tmp_path / "z", "-l", "2", "-m", "num_rel", qrels, run) == [["Znum_rel", "all", "1.0000"]]
    asked = ("-c", "-q", "-n", "-N", "10", "-m", "utility.1,-1,5,1", "-m", "rbp_resid.p=0.5", qrels, run)
    assert [value for _, topic, value in values(*asked) if topic == "3"] == ["14.0000", "0.0000"]


@pytest.mark.parametrize("name", ["rbp", "rbp_resid", "utility", "num_rel", "num_nonjudged_ret", "-N"])
def test_docs_have_a_row_for_what_differs(name: str) -> None:
    """`rbp` of trec_eval 10 itself cannot be tested: it goes by memory that it has not set."""
    section = page("measures").partition("\n## Where we differ from trec_eval\n")[2].partition("\n## ")[0]
    first_cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    assert any(f"`{name}`" in cell for cell in first_cells)


def test_where_bpref_has_nothing_to_count_it_is_said(qrels: Path, run: Path) -> None:
    reason = "2 topics (2 3) of the qrels without a judged document below grade 1: bpref is recall there\n"
    assert reason in printed("-m", "bpref", qrels, run)[1]
    assert "recall there" not in printed("-m", "map", qrels, run)[1]


def test_topics_without_a_summary(qrels: Path, run: Path) -> None:
    lines = values(
        "-q", "-n", "-m", "relstring.3", "-m", "gm_map", "-m", "num_q", "-m", "runid", "-m", "P.1", qrels, run
    )
    assert lines == [
        ["P_1", "1", "0.0000"],
        ["relstring_3", "1", "'0-.'"],
        ["P_1", "2", "1.0000"],
        ["relstring_3", "2", "'1'"],
    ]


def test_parameters_go_before_a_plain_name_and_each_line_comes_once(qrels: Path, run: Path) -> None:
    lines = values("-m", "official", "-m", "P.2", "-m", "P.1,2", "-m", "P", qrels, run)
    assert [name for name, _, _ in lines if name.startswith("P_")] == ["P_1", "P_2"]


def test_our_own_names_come_last_with_their_own_level(qrels: Path, run: Path) -> None:
    lines = values("-l", "2", "-m", "RR(rel=1)", "-m", "nDCG@1", "-m", "recip_rank", qrels, run)
    assert lines == [["recip_rank", "all", "0.1250"], ["RR", "all", "0.6250"], ["nDCG@1", "all", "0.5000"]]


def test_z_scores(qrels: Path, run: Path, tmp_path: Path) -> None:
    (tmp_path / "z").write_text("1 recip_rank 0.5 0.125\n2 recip_rank 1 0\n1 num_ret 2 2\n2 num_ret 1 0\n")
    assert values("-q", "-Z", tmp_path / "z", "-m", "num_ret", "-m", "recip_rank", "-m", "P.1", qrels, run) == [
        ["Znum_ret", "1", "1.0000"],
        ["Zrecip_rank", "1", "-2.0000"],
        ["ZP_1", "1", "-1000000.0000"],
        ["Znum_ret", "2", "0.0000"],
        ["Zrecip_rank", "2", "0.0000"],
        ["ZP_1", "2", "-1000000.0000"],
        ["Znum_ret", "all", "1.0000"],
        ["Zrecip_rank", "all", "-1.0000"],
        ["ZP_1", "all", "-1000000.0000"],
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1 map 0.5\n", "z:1: "),
        ("1 map x 0.1\n", "z:1: "),
        ("1 map 0.5 -1\n", "z:1: the deviation '-1' is below 0"),
        ("1 map 1 1\n1 map 1 1\n", "z:2: the measure 'map' is there twice for topic '1'"),
    ],
)
def test_a_wrong_file_of_z_scores(qrels: Path, run: Path, tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "z").write_text(text)
    err = io.StringIO()
    with pytest.raises(CommandError, match="1 problem; nothing was evaluated"):
        call_command("trec_eval", "-Z", str(tmp_path / "z"), str(qrels), str(run), stderr=err, no_color=True)
    assert fault in err.getvalue()


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["-m", "mapp"], "no measure 'mapp'; the nearest are map"),
        (["-m", "P.0"], "the cutoff of P is at least 1"),
        (["-m", "P.x"], "the cutoffs of P are a whole number or several"),
        (["-m", "utility.1,2"], "the parameters of utility are four numbers"),
        (["-m", "relstring.x"], "the parameter of relstring is a number of documents, not x"),
        (["-m", "map_avgjg"], "the measure map_avgjg cannot be computed from these judgments"),
        (["-R", "prefs", "-m", "map"], "the measure map cannot be computed from these judgments"),
        (["-R", "prefs", "-m", "relstring"], "relstring cannot be computed from these judgments"),
        (["-l", "0"], "the level rel of measures is a whole number of at least 1, not 0"),
        (["-l", "0", "-m", "ndcg"], "the level rel of measures is a whole number of at least 1, not 0"),
        (["-N", "-1"], "the documents of a collection are at least 0, not -1"),
        (["-M", "0"], "the depth is at least 1"),
    ],
)
def test_what_makes_no_sense_is_named(qrels: Path, run: Path, asked: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        printed(*asked, qrels, run)


def test_the_standard_input(qrels: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "trec_eval", "-m", "runid", str(qrels), "-"],
        input=gzip.compress(RUN),
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout == b"runid                 \tall\tme\n"


def test_dcg_and_its_best_value_are_printed_on_request(qrels: Path, run: Path) -> None:
    asked = ("-q", "-n", "-m", "dcg", "-m", "ideal_dcg.2=3", "-m", "ndcg")
    assert values(*asked, qrels, run)[:3] == [
        ["dcg", "1", "0.8614"],
        ["ideal_dcg_2=3", "1", "3.0000"],
        ["ndcg", "1", "0.4307"],
    ]
