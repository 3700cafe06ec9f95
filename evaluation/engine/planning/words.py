"""What a plan says, in sentences."""

from annotation.text.counted import counted, percent
from evaluation.engine.planning.plan import Plan


def words_of(found: Plan) -> list[str]:
    """The answer first, then what it rests on."""
    return [_ANSWERS[found.question.design](found), *_grounds(found), *(f"Note: {note}." for note in found.notes)]


def _groups(found: Plan) -> str:
    second = f" and {found.n_second:,} in the second" if found.n_second != found.n else ""
    where = "in the first group" if second else "in each group"
    return _comparison(found, f"{found.n:,} units {where}{second}")


def _topics(found: Plan) -> str:
    return _comparison(found, counted(found.n, "topic"))


def _comparison(found: Plan, size: str) -> str:
    if found.solved == "n":
        return f"Take {size}: {_difference(found)} is then found with a power of {_share(found.power)}."
    if found.solved == "difference":
        return f"{_upper(size)} show {_difference(found)}, or a larger one, with a power of {_share(found.power)}."
    return f"{_upper(size)} show {_difference(found)} with a power of {_share(found.power)}."


def _interval(found: Plan) -> str:
    size, confidence = counted(found.n, "unit"), f"{100 * (1 - found.alpha):g} %"
    if found.solved == "n":
        return f"Take {size}: the {confidence} interval is then ± {found.width:.4g} wide or less."
    return f"{_upper(size)} give a {confidence} interval of ± {found.width:.4g}."


_ANSWERS = {"groups": _groups, "topics": _topics, "interval": _interval}


def _grounds(found: Plan) -> list[str]:
    question = found.question
    if question.design == "interval":
        lines = [f"For a standard deviation of {found.deviation:.4g}; where units vary more, the interval is wider."]
    else:
        tests = f" ({question.alpha:g} shared by {question.n_tests} tests, Bonferroni)" if question.n_tests > 1 else ""
        whose = " of the differences" if question.design == "topics" else ""
        level = f"For a two-sided test at the level of {found.alpha:.4g}{tests}"
        lines = [f"{level} and a standard deviation of {found.deviation:.4g}{whose}."]
    if found.n_clusters:
        lines.append(
            f"In clusters of {question.cluster_size:g}: {found.n_clusters:,} clusters{_of_first(found)}, "
            f"design effect {found.design_effect:.4g}."
        )
    return lines


def _of_first(found: Plan) -> str:
    if found.question.design != "groups":
        return ""
    return " in each group" if found.n_second == found.n else " in the first group"


def _difference(found: Plan) -> str:
    relative = f" ({100 * found.relative:.3g} % of the baseline)" if found.relative is not None else ""
    return f"a true difference of {found.difference:.4g}{relative}"


def _share(power: float) -> str:
    """A power that is not quite 1 is not said to be."""
    return percent(power, 1) if power < 0.9995 else "more than 99.9 %"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]
