from evaluation.models.accounting import Accounting
from evaluation.models.click_comparison import ClickComparison
from evaluation.models.comparison import RunsComparison
from evaluation.models.description import Description
from evaluation.models.evaluation import Evaluation
from evaluation.models.experiment import Experiment, ExperimentAnalysis
from evaluation.models.ranked_pairs import RankedPairs
from evaluation.models.replay import PoolingReplay
from evaluation.models.report import Report
from evaluation.models.run import Run
from evaluation.models.sampled_topic import SampledTopic
from evaluation.models.sensitivity import SensitivityStudy
from evaluation.models.series import Series, SeriesAlert, SeriesNote, SeriesPoint
from evaluation.models.vectors import ModelComparison, SpaceDescription, VectorSet

__all__ = [
    "Accounting",
    "ClickComparison",
    "Description",
    "Evaluation",
    "Experiment",
    "ExperimentAnalysis",
    "ModelComparison",
    "PoolingReplay",
    "RankedPairs",
    "Report",
    "Run",
    "RunsComparison",
    "SampledTopic",
    "SensitivityStudy",
    "Series",
    "SeriesAlert",
    "SeriesNote",
    "SeriesPoint",
    "SpaceDescription",
    "VectorSet",
]
