import re
from pathlib import Path

import pytest

from evaluation.engine import measures
from evaluation.engine.measures import DEFAULT_MEASURES, MEASURES, UnknownMeasureError, parse_measure, parse_measures

DOCS = Path(__file__).parents[3] / "docs" / "measures.md"


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg", "nDCG"),
        ("nDCG(gains='exp')@5", "nDCG(gains='exp')@5"),
        ('nDCG( gains = "exp" )', "nDCG(gains='exp')"),
        ("nDCG(gains='linear')", "nDCG"),
        ("AP", "AP"),
        ("map", "AP"),
        ("AP(rel=2)", "AP(rel=2)"),
        ("AP(rel=1)", "AP"),
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("map_cut_100", "AP@100"),
        ("RR", "RR"),
        ("recip_rank", "RR"),
        ("RR@10", "RR@10"),
        ("P@10", "P@10"),
        ("P_10", "P@10"),
        ("R@100", "R@100"),
        ("R(capped=True)@10", "R(capped=True)@10"),
        ("R(capped=true, rel=2)@10", "R(rel=2,capped=True)@10"),
        ("R_cap@10", "R(capped=True)@10"),
        ("relative_P.10", "R(capped=True)@10"),
        ("AP(of='found')@10", "AP(of='found')@10"),
        ("nDCG(gains={2:9.0, 1:3.5})", "nDCG(gains={1:3.5,2:9})"),
        ("ndcg.1=3.5,2=9.0", "nDCG(gains={1:3.5,2:9})"),
        ("ndcg_1=3.5,2=9", "nDCG(gains={1:3.5,2:9})"),
        ("NDCG_CUT.10", "nDCG@10"),
        ("recall_100", "R@100"),
        ("bpref", "bpref"),
        (" judged@10 ", "Judged@10"),
        ("MRR@10", "RR@10"),
        ("MAP@100", "AP@100"),
        ("Precision@5", "P@5"),
        ("Recall@5", "R@5"),
        ("HitRate@10", "Success@10"),
        ("SetRelP", "SetP(relative=True)"),
        ("NERR11(T=2)@1000", "NERR11(T=2)@1000"),
        ("nerr@5", "nERR@5"),
        ("Compat(normalize=false)", "Compat(normalize=False)"),
    ],
)
def test_both_ways_of_writing_name_the_same_measure(name: str, canonical: str) -> None:
    assert str(parse_measure(name)) == canonical
    assert parse_measure(canonical) == parse_measure(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ndcg_cut.20,10", ["nDCG@10", "nDCG@20"]),
        ("P.5", ["P@5"]),
        ("P", ["P@5", "P@10", "P@15", "P@20", "P@30", "P@100", "P@200", "P@500", "P@1000"]),
        ("nDCG@10", ["nDCG@10"]),
    ],
)
def test_a_name_of_trec_eval_may_stand_for_several_measures(name: str, expected: list[str]) -> None:
    measures = parse_measures(name)
    assert [str(measure) for measure in measures] == expected
    measures.clear()  # each caller has a list of its own
    assert [str(measure) for measure in parse_measures(name)] == expected


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("NDGC@10", "nDCG@10"),
        ("MAPP", "map"),
        ("P10", "P_10"),
        ("recal_10", "recall_10"),
        ("prefs", "bpref"),
        ("P@99999999999999999999", "P"),
        ("nDCG@ten times as deep as anyone looks", "nDCG"),
    ],
)
def test_an_unknown_measure_is_told_its_nearest_names(name: str, nearest: str) -> None:
    with pytest.raises(UnknownMeasureError, match=rf"^no measure '{name}'; the nearest are .*\b{nearest}\b"):
        parse_measure(name)


def test_what_is_like_no_name_is_told_each_measure_once() -> None:
    with pytest.raises(UnknownMeasureError) as fault:
        parse_measure("<>")
    assert str(fault.value) == f"no measure '<>'; known are {', '.join(sorted(one.family for one in MEASURES))}"


@pytest.mark.parametrize(
    "name", ["", "@10", "nDCG@", "nDCG@-1", "nDCG@1.", "nDCG@١٠", "P@10@20", "AP(rel=2", "ndcg_10", "map_x"]
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(UnknownMeasureError, match=r"^no measure"):
        parse_measure(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("P", "P needs a cutoff: P@10"),
        ("bpref@10", "bpref takes no cutoff"),
        ("nDCG@1.5", "the cutoff of nDCG is a whole number, not 1.5"),
        ("nDCG@0", "the cutoff of nDCG is at least 1"),
        ("AP(rel=0)", "the level rel of AP is a whole number of at least 1"),
        ("AP(rel=1.5)", "the parameter rel is a whole number, not 1.5"),
        ("AP(rel='2')", "the parameter rel is a whole number, not '2'"),
        ("AP(rel=true)", "the parameter rel is a whole number, not true"),
        ("AP(rel=1,rel=2)", "the parameter rel is given twice"),
        ("AP(level=2)", "'level=2' is not a parameter of AP (it has: rel, of)"),
        ("AP(2)", "'2' is not a parameter of AP (it has: rel, of)"),
        ("Judged(rel=2)@10", "'rel=2' is not a parameter of Judged (it has: none)"),
        ("nDCG(gains='cubic')", "the gains of nDCG are 'linear', 'exp' or a table {1:3.5,2:9}, not 'cubic'"),
        ("nDCG(gains=2)", "the parameter gains is a word in quotes or a table {1:3.5,2:9}, not 2"),
        ("nDCG(gains={1:x})", "the parameter gains is a word in quotes or a table {1:3.5,2:9}, not {1:x}"),
        ("nDCG(gains={1:2,1:3})", "the parameter gains is a word in quotes or a table {1:3.5,2:9}, not {1:2,1:3}"),
        ("ndcg.1:2", "the parameters of ndcg are gains of grades, 1=3.5,2=9, not 1:2"),
        ("ndcg_cut.10,20.", "the cutoffs of ndcg_cut are a whole number or several with commas between, not 10,20."),
        ("P.10,10", "a cutoff of P is given twice: 10,10"),
        ("map.10", "trec_eval's map takes no parameters"),
        ("map_cut", "'map_cut' names 9 measures, AP@5 first; here only one may stand"),
        ("R(capped=1)@10", "the parameter capped is True or False, not 1"),
        ("AP(of='some')", "AP is of 'all', 'capped' or 'found' relevant documents, not 'some'"),
        ("AP(of='capped')", "AP(of='capped') needs a cutoff: AP(of='capped')@10"),
    ],
)
def test_parameters_that_make_no_sense(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_measure(name)


def test_every_measure_is_named_once_and_documented() -> None:
    text, folder = DOCS.read_text(), Path(measures.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "base", "names", "parameters"}
    assert {family.__module__.rpartition(".")[2] for family in MEASURES} == files
    names = [name.lower() for family in MEASURES for name in [family.family]]
    assert len(set(names)) == len(names)
    for family in MEASURES:
        assert f"\n## {family.family}\n" in text
        for trec, cut in family.trec_eval.items():
            written = trec if cut != "@" else f"{trec}_k" if family.cut_is == "rank" else f"{trec}_x"
            assert f"`{written}`" in text
        for parameter in family.parameters():
            assert f"`{parameter}`" in text
    assert f"`{' '.join(DEFAULT_MEASURES)}`" in text
    assert [str(parse_measure(name)) for name in DEFAULT_MEASURES] == [*DEFAULT_MEASURES]


def test_every_measure_has_a_test_that_names_it() -> None:
    """By one of its names, in a test that holds it against trec_eval, another library or plain Python."""
    files = [*Path(__file__).parent.glob("*.py"), *(DOCS.parents[1] / "tests/reference").glob("*.py")]
    tests = "".join(file.read_text("utf-8") for file in files if file != Path(__file__))
    named = set(re.findall(r"""["']([A-Za-z_0-9]+)(?=["'.@(])""", tests))
    names = {family: {family.family, *family.also, *family.trec_eval} for family in MEASURES}
    assert [family.family for family in MEASURES if not names[family] & named] == []
