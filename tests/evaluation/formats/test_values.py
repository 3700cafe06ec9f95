"""LaTeX of values; table, CSV and JSON are tested with the command that prints them."""

import pytest

from evaluation.engine.measures import parse_measure
from evaluation.engine.scorer import MeasureValues, evaluate
from evaluation.formats.values import as_latex, latex
from tests.evaluation.engine.made import made_qrels, made_run


def evaluated(tag: str, first: str, measures: str = "RR P@1") -> MeasureValues:
    run = made_run({"1": {first: 2.0, "b": 1.0}, "2": {"a": 1.0}}, tag)
    qrels = made_qrels({"1": {"a": 1, "b": 1}, "2": {"a": 0}})
    return evaluate(run, qrels, [parse_measure(name) for name in measures.split()])


def test_means_the_best_of_several_in_bold() -> None:
    assert as_latex([evaluated("a_1", "a"), evaluated("b", "x")], per_topic=False) == (
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "run & RR & P@1 \\\\\n"
        "\\midrule\n"
        "a\\_1 & \\textbf{0.5000} & \\textbf{0.5000} \\\\\n"
        "b & 0.2500 & 0.0000 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_more_of_what_is_unjudged_is_not_bold() -> None:
    printed = as_latex([evaluated(tag, tag, "RR Unj@1 NumRet") for tag in ("a", "x")], per_topic=False)
    assert "a & \\textbf{0.5000} & 0.0000 & 3 \\\\\n" in printed
    assert "x & 0.2500 & 0.5000 & 3 \\\\\n" in printed


def test_topics_of_one_run() -> None:
    assert as_latex([evaluated("a", "a")], per_topic=True) == (
        "\\begin{tabular}{llrr}\n"
        "\\toprule\n"
        "run & topic & RR & P@1 \\\\\n"
        "\\midrule\n"
        "a & 1 & 1.0000 & 1.0000 \\\\\n"
        "a & 2 & 0.0000 & 0.0000 \\\\\n"
        "a & all & 0.5000 & 0.5000 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("50% & #1_$", r"50\% \& \#1\_\$"),
        (r"{a}\b", r"\{a\}\textbackslash{}b"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
    ],
)
def test_what_latex_would_read_as_a_command(text: str, printed: str) -> None:
    assert latex(text) == printed
