"""Wiring: settings, addresses, the server's entry point, the demo; and the Python face of the engine.

`import touchstone as ts` gives `ts.evaluate`, `ts.compare` and the measures (`ts.nDCG @ 10`);
docs/library.md shows them. They are loaded when one of them is first used: settings and commands
import this package, too.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from annotation.formats import version

if TYPE_CHECKING:
    from annotation.formats.problems import FormatError as FormatError
    from evaluation.engine.beyond.alarm_description import describe_alarms as describe_alarms
    from evaluation.engine.measures import UnknownMeasureError as UnknownMeasureError
    from evaluation.engine.qrels import Qrels as Qrels
    from evaluation.engine.run import PackedRun as PackedRun
    from evaluation.engine.sampling.allocation import allocate as allocate
    from evaluation.engine.sampling.estimates import hajek_mean as hajek_mean
    from evaluation.engine.sampling.estimates import hajek_ratio as hajek_ratio
    from evaluation.engine.sampling.estimates import horvitz_thompson as horvitz_thompson
    from touchstone.library.beyond import describe_drift as describe_drift
    from touchstone.library.beyond import describe_lists as describe_lists
    from touchstone.library.beyond import plan as plan
    from touchstone.library.clicks import compare_clicks as compare_clicks
    from touchstone.library.comparing import Comparisons as Comparisons
    from touchstone.library.comparing import compare as compare
    from touchstone.library.comparing_many import compare_many as compare_many
    from touchstone.library.experimenting import analyse_experiment as analyse_experiment
    from touchstone.library.fusing import fuse as fuse
    from touchstone.library.interleaving import credit_clicks as credit_clicks
    from touchstone.library.interleaving import interleave as interleave
    from touchstone.library.measures import MeasureName
    from touchstone.library.measures import measure as measure
    from touchstone.library.pooling import judge_next as judge_next
    from touchstone.library.pooling import pooling_replay as pooling_replay
    from touchstone.library.results import Evaluations as Evaluations
    from touchstone.library.results import RunValues as RunValues
    from touchstone.library.sampling import estimate_means as estimate_means
    from touchstone.library.sampling import sample_queries as sample_queries
    from touchstone.library.scoring import evaluate as evaluate
    from touchstone.library.sources import read_qrels as read_qrels
    from touchstone.library.sources import read_run as read_run
    from touchstone.library.studying import sensitivity as sensitivity

__version__ = version.VERSION

_PLACES = {
    "Comparisons": "touchstone.library.comparing",
    "Evaluations": "touchstone.library.results",
    "FormatError": "annotation.formats.problems",
    "PackedRun": "evaluation.engine.run",
    "Qrels": "evaluation.engine.qrels",
    "RunValues": "touchstone.library.results",
    "UnknownMeasureError": "evaluation.engine.measures",
    "allocate": "evaluation.engine.sampling.allocation",
    "analyse_experiment": "touchstone.library.experimenting",
    "compare": "touchstone.library.comparing",
    "compare_clicks": "touchstone.library.clicks",
    "compare_many": "touchstone.library.comparing_many",
    "credit_clicks": "touchstone.library.interleaving",
    "describe_alarms": "evaluation.engine.beyond.alarm_description",
    "describe_drift": "touchstone.library.beyond",
    "describe_lists": "touchstone.library.beyond",
    "estimate_means": "touchstone.library.sampling",
    "evaluate": "touchstone.library.scoring",
    "fuse": "touchstone.library.fusing",
    "hajek_mean": "evaluation.engine.sampling.estimates",
    "hajek_ratio": "evaluation.engine.sampling.estimates",
    "horvitz_thompson": "evaluation.engine.sampling.estimates",
    "interleave": "touchstone.library.interleaving",
    "judge_next": "touchstone.library.pooling",
    "measure": "touchstone.library.measures",
    "plan": "touchstone.library.beyond",
    "pooling_replay": "touchstone.library.pooling",
    "read_qrels": "touchstone.library.sources",
    "read_run": "touchstone.library.sources",
    "sample_queries": "touchstone.library.sampling",
    "sensitivity": "touchstone.library.studying",
}


def __getattr__(name: str) -> "MeasureName":
    """A public name from where it is defined, else the measure of that name."""
    if name in _PLACES:
        public: Any = getattr(import_module(_PLACES[name]), name)
    elif name.startswith("_") or find_spec(f"{__name__}.{name}"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        public = import_module("touchstone.library.measures").named(name)
    globals()[name] = public
    return public  # type: ignore[no-any-return]


def __dir__() -> list[str]:
    measures = import_module("touchstone.library.measures").FAMILIES
    return sorted({"__version__", *_PLACES, *measures})
