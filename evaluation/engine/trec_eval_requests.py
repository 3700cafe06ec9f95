"""What a caller of trec_eval asks for with `-m`, in the order in which it is printed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evaluation.engine.measures import Measure, UnknownMeasureError, parse_measures
from evaluation.engine.measures.parameters import whole
from evaluation.engine.trec_eval_names import NICKNAMES, ORDER, RELEVANCE_STRING, RUN_TAG

Read: TypeAlias = Callable[[str], Sequence[tuple[str, Measure]]]
N_TOPICS = "num_q"
STRING_LENGTH = 10  # documents whose grades relstring shows


@dataclass(frozen=True)
class Request:
    """One line of the output. `what` "value": the measure; otherwise text or a count, which every relation has."""

    name: str  # as it is printed
    what: Literal["value", "tag", "topics", "grades"] = "value"
    measure: Measure | None = None
    length: int = 0  # of "grades"
    own: bool = False  # named in the field's way, so that trec_eval's level does not touch it


def requested(names: Sequence[str], measures_of: Read) -> list[Request]:
    """The lines for all names and nicknames, each once: first trec_eval's in its order, then those of our own names.

    `measures_of` gives the measures of a name of trec_eval's under the relation in hand, none for a name it does not
    have. Parameters go before a plain name: `all_trec` with `P.5` prints P_5 alone. Raises `ValueError` for unknown
    names and bad parameters.
    """
    explicit: dict[str, list[Request]] = {}
    assumed: dict[str, list[Request]] = {}
    for name in (one for nickname in names for one in NICKNAMES.get(nickname, (nickname,))):
        base = _base(name)
        requests = assumed if base == name else explicit
        requests.setdefault(base, []).extend(_requests(name, base, measures_of))
    in_order = [request for base in (*ORDER, "") for request in _sorted(explicit.get(base) or assumed.get(base, []))]
    return list({request.name: request for request in in_order}.values())


def _base(name: str) -> str:
    """The name of trec_eval's that a name starts with; none: our own way of writing."""
    fitting = [base for base in ORDER if name == base or name.startswith((f"{base}.", f"{base}_"))]
    return max(fitting, key=len, default="")


def _requests(name: str, base: str, measures_of: Read) -> Iterator[Request]:
    if name == RUN_TAG:
        yield Request(name, "tag")
    elif name == N_TOPICS:
        yield Request(name, "topics")
    elif base == RELEVANCE_STRING:
        yield _string(name)
    else:
        measures = measures_of(name)
        for printed, measure in measures:
            yield Request(printed, measure=measure)
        if not measures:
            if base == name:
                raise UnknownMeasureError(f"the measure {name} cannot be computed from these judgments")
            yield from (Request(str(measure), measure=measure, own=True) for measure in parse_measures(name))


def _string(name: str) -> Request:
    text = name.removeprefix(RELEVANCE_STRING)[1:]
    try:
        length = whole(text) if text else STRING_LENGTH
    except ValueError as fault:
        raise ValueError(f"the parameter of {RELEVANCE_STRING} is a number of documents, not {text}") from fault
    if length < 0:
        raise ValueError(f"the parameter of {RELEVANCE_STRING} is a number of documents, not {text}")
    return Request(name.replace(".", "_", 1), "grades", length=length)


def _sorted(requests: list[Request]) -> list[Request]:
    """By cutoff, where all have one."""
    cutoffs = [request.measure.cutoff for request in requests if request.measure and not request.own]
    if len(cutoffs) < len(requests) or None in cutoffs:
        return requests
    return sorted(requests, key=lambda request: (request.measure and request.measure.cutoff) or 0.0)
