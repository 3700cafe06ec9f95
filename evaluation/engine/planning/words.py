"""What a plan says, in sentences."""

from annotation.text.counted import counted, percent
from evaluation.engine.planning.plan import Plan


def words_of(plan: Plan) -> list[str]:
    """The answer first, then what it rests on."""
    return [_ANSWERS[plan.question.design](plan), *_grounds(plan), *(f"Note: {note}." for note in plan.notes)]


def _groups(plan: Plan) -> str:
    second = f" and {plan.n_second:,} in the second" if plan.n_second != plan.n else ""
    where = "in the first group" if second else "in each group"
    return _comparison(plan, f"{plan.n:,} units {where}{second}")


def _topics(plan: Plan) -> str:
    return _comparison(plan, counted(plan.n, "topic"))


def _comparison(plan: Plan, size: str) -> str:
    if plan.solved == "n":
        return f"Take {size}: {_difference(plan)} is then found with a power of {_share(plan.power)}."
    if plan.solved == "difference":
        return f"{_upper(size)} show {_difference(plan)}, or a larger one, with a power of {_share(plan.power)}."
    return f"{_upper(size)} show {_difference(plan)} with a power of {_share(plan.power)}."


def _interval(plan: Plan) -> str:
    size, confidence = counted(plan.n, "unit"), f"{100 * (1 - plan.alpha):g} %"
    if plan.solved == "n":
        return f"Take {size}: the {confidence} interval is then ± {plan.width:.4g} wide or less."
    return f"{_upper(size)} give a {confidence} interval of ± {plan.width:.4g}."


_ANSWERS = {"groups": _groups, "topics": _topics, "interval": _interval}


def _grounds(plan: Plan) -> list[str]:
    question = plan.question
    if question.design == "interval":
        lines = [f"For a standard deviation of {plan.deviation:.4g}; where units vary more, the interval is wider."]
    else:
        tests = f" ({question.alpha:g} shared by {question.n_tests} tests, Bonferroni)" if question.n_tests > 1 else ""
        whose = " of the differences" if question.design == "topics" else ""
        level = f"For a two-sided test at the level of {plan.alpha:.4g}{tests}"
        lines = [f"{level} and a standard deviation of {plan.deviation:.4g}{whose}."]
    if plan.n_clusters:
        lines.append(
            f"In clusters of {question.cluster_size:g}: {plan.n_clusters:,} clusters{_of_first(plan)}, "
            f"design effect {plan.design_effect:.4g}."
        )
    return lines


def _of_first(plan: Plan) -> str:
    if plan.question.design != "groups":
        return ""
    return " in each group" if plan.n_second == plan.n else " in the first group"


def _difference(plan: Plan) -> str:
    relative = f" ({100 * plan.relative:.3g} % of the baseline)" if plan.relative is not None else ""
    return f"a true difference of {plan.difference:.4g}{relative}"


def _share(power: float) -> str:
    """A power that is not quite 1 is not said to be."""
    return percent(power, 1) if power < 0.9995 else "more than 99.9 %"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]
