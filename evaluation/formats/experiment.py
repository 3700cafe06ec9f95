"""An experiment's analysis as a table and as facts."""

from dataclasses import asdict

from evaluation.engine.experiments.analysis import Analysis
from evaluation.engine.experiments.effects import Effect
from evaluation.engine.experiments.words import words_of
from evaluation.formats.values import aligned

HEAD = ["measure", "variant", "control", "treatment", "difference", "low", "high", "relative", "p", "adjusted", "saved"]


def analysis_as_text(found: Analysis) -> str:
    """A row a measure and treatment, and below what they say. Where the sample ratio does not fit, no row."""
    if found.ratio.mismatch:
        return "\n".join(words_of(found))
    rows = [[one.measure, one.variant, *_cells(one.effect, one.p_adjusted)] for one in found.comparisons]
    rows += [[one.margin.measure, one.variant, *_cells(one.effect, None)] for one in found.guardrails]
    return "\n".join([*aligned([HEAD, *rows], n_names=2), "", *words_of(found)])


def analysis_as_facts(found: Analysis) -> dict[str, object]:
    """Null: not asked for, or unknown. `conclusion` is a list of sentences."""
    question, ratio = found.question, found.ratio
    return {
        "control": question.control,
        "covariate": question.covariate,
        "alpha": question.alpha,
        "correction": question.correction,
        "start": question.start,
        "events": question.events,
        "narrowest_at": question.narrowest_at,
        "sample_ratio": {**asdict(ratio), "mismatch": ratio.mismatch},
        "covariate_p": found.covariate_p,
        "comparisons": [_flat(asdict(one)) for one in found.comparisons],
        "guardrails": [_flat(asdict(one)) for one in found.guardrails],
        "conclusion": words_of(found),
    }


def _flat(one: dict[str, object]) -> dict[str, object]:
    """The fields of the effect beside the others; a margin's value and kind beside its measure."""
    facts: dict[str, object] = {}
    for name, value in one.items():
        if name == "effect" and isinstance(value, dict):
            facts |= value
        elif name == "margin" and isinstance(value, dict):
            facts |= {"measure": value["measure"], "margin": value["value"], "margin_is_relative": value["relative"]}
        else:
            facts[name] = value
    return facts


def _cells(found: Effect, p_adjusted: float | None) -> list[str]:
    values = (found.control, found.treatment, found.difference, found.interval.low, found.interval.high)
    relative = "" if found.relative is None else f"{100 * found.relative:+.2f}%"
    saved = "" if found.variance_saved is None else f"{100 * found.variance_saved:.1f}%"
    p = "" if p_adjusted is None else f"{p_adjusted:.3g}"
    return [*(f"{value:.5g}" for value in values), relative, f"{found.p:.3g}", p, saved]
