"""Reading the names of measures: the field's (`nDCG@10`, `AP(rel=2)`) and trec_eval's (`ndcg_cut.10,20`, `P_5`)."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from evaluation.engine.measures.base import Measure
from evaluation.engine.measures.parameters import Parameter, read_parameters
from evaluation.engine.trec_eval_names import NICKNAMES, RELEVANCE_STRING, RUN_TAG

Families = Sequence[type[Measure]]
LONGEST = 300  # characters of a name

_FIELD = re.compile(
    r"(?P<family>[A-Za-z][A-Za-z0-9_]*)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cutoff>[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}))?\Z",
    re.ASCII,
)
_ONE_OF_SEVERAL = re.compile(r"(?:\([^()]*\)|,(?=[0-9.])|[^\s,])+")  # ndcg_cut.10,20 is one


class UnknownMeasureError(ValueError):
    """No measure has this name."""


def split_names(text: str) -> list[str]:
    """The names in a text where blanks or commas separate them; within parentheses, and between the numbers of a name
    of trec_eval, they do not: `AP( rel=2 ), P.5,10` is two."""
    return _ONE_OF_SEVERAL.findall(text)


def read_measure(name: str, families: Families) -> Measure:
    """See `measures.parse_measure`."""
    several = read_measures(name, families, several=False)
    if len(several) > 1:
        raise ValueError(f"{name.strip()!r} names {len(several)} measures, {several[0]} first; here only one may stand")
    return several[0]


def read_measures(name: str, families: Families, *, several: bool = True) -> list[Measure]:
    """See `measures.parse_measures`. `several` False: `P` is P without its cutoff, not trec_eval's nine.

    Exact letters go before letters of another case, and the field's way before trec_eval's: `RBP` has p = 0.8, and
    `rbp`, trec_eval's, 0.9.
    """
    return list(_read_measures(name.strip(), tuple(families), several=several))


@lru_cache(maxsize=1000)
def _read_measures(name: str, families: tuple[type[Measure], ...], *, several: bool) -> tuple[Measure, ...]:
    """Kept: for a few topics reading the names would take longer than computing the values."""
    if len(name) <= LONGEST:
        for exact in (True, False):
            measures = _in_field(name, families, exact=exact, several=several) or [
                measure for _, measure in read_trec_eval(name, families, exact=exact)
            ]
            if measures:
                return tuple(measures)
    raise UnknownMeasureError(_unknown(name, families))


def read_trec_eval(name: str, families: Families, *, exact: bool = True) -> list[tuple[str, Measure]]:
    """`(name as trec_eval prints it, measure)` for each measure of a name or nickname of trec_eval; none: no such name.

    What trec_eval prints as text (`runid`, `relstring`) is no measure. Raises `ValueError` for bad parameters.
    """
    for nickname, names in NICKNAMES.items():
        if _same(name, nickname, exact=exact) and all(_is_known(one, families) for one in names):
            return [pair for one in names for pair in read_trec_eval(one, families)]
    best = ""
    of: type[Measure] | None = None
    for family in families:
        for trec in family.trec_eval:
            rest = name[len(trec) :]
            if len(trec) > len(best) and _same(name[: len(trec)], trec, exact=exact) and (not rest or rest[0] in "._"):
                best, of = trec, family
    return [] if of is None else _of_trec_eval(of, best, name[len(best) :])


def _of_trec_eval(family: type[Measure], trec: str, rest: str) -> list[tuple[str, Measure]]:
    try:
        return list(family.of_trec_eval(trec, rest[1:] if rest else None).items())
    except ValueError:
        if rest.startswith("_"):  # a name of another measure, rather than wrong parameters
            return []
        raise


def _in_field(name: str, families: Families, *, exact: bool, several: bool) -> list[Measure]:
    field = _FIELD.match(name)
    for family, alias, preset in _names_of(families) if field else ():
        assert field is not None
        if _same(field["family"], alias, exact=exact):
            if several and name in family.trec_eval and family.cut == "must":
                return []
            parameters = read_parameters(field["parameters"] or "", family.kinds(), family.family)
            return [_build(family, field["cutoff"], {**preset, **parameters})]
    return []


def _names_of(families: Families) -> Iterator[tuple[type[Measure], str, dict[str, Parameter]]]:
    """`(family, name, parameters that the name stands for)`"""
    for family in families:
        yield family, family.family, {}
        for name, preset in family.also.items():
            yield family, name, dict(preset)


def _build(family: type[Measure], cutoff: str | None, parameters: dict[str, Parameter]) -> Measure:
    number = None if cutoff is None else float(cutoff) if "." in cutoff else int(cutoff)
    return family(cutoff=number, **parameters)  # read by the types of its fields


def _same(a: str, b: str, *, exact: bool) -> bool:
    return a == b if exact else a.lower() == b.lower()


def _is_known(trec: str, families: Families) -> bool:
    return trec in (RUN_TAG, RELEVANCE_STRING) or any(trec in family.trec_eval for family in families)


def _unknown(name: str, families: Families) -> str:
    names = {alias + ("@10" if family.cut == "must" else "") for family, alias, _ in _names_of(families)}
    names |= {alias + "@10" for family, alias, _ in _names_of(families) if family.cut == "may"}
    names |= {trec + ("_10" if cut == "@" else "") for family in families for trec, cut in family.trec_eval.items()}
    names |= {name for name, group in NICKNAMES.items() if all(_is_known(one, families) for one in group)}
    near = _nearest(name[:LONGEST], names)
    near = near or _nearest(re.split("[@(]", name[:LONGEST])[0], {alias for _, alias, _ in _names_of(families)})
    start = name if len(name) <= LONGEST else f"{name[:40]}…"
    return f"no measure {start!r}; " + (
        f"the nearest are {', '.join(near)}" if near else f"known are {', '.join(sorted(f.family for f in families))}"
    )


def _nearest(name: str, names: Iterable[str]) -> list[str]:
    lower = {k.lower(): k for k in sorted(names)}
    return [lower[k] for k in difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.4)]
