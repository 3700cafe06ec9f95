from evaluation.models.accounting import Accounting
from evaluation.models.click_comparison import ClickComparison
from evaluation.models.evaluation import Evaluation
from evaluation.models.report import Report
from evaluation.models.run import Run
from evaluation.models.sampled_topic import SampledTopic
from evaluation.models.sensitivity import SensitivityStudy
from evaluation.models.series import Series, SeriesAlert, SeriesNote, SeriesPoint
from evaluation.models.vectors import ModelComparison, SpaceDescription, VectorSet

__all__ = [
    "Accounting",
    "ClickComparison",
    "Evaluation",
    "ModelComparison",
    "Report",
    "Run",
    "SampledTopic",
    "SensitivityStudy",
    "Series",
    "SeriesAlert",
    "SeriesNote",
    "SeriesPoint",
    "SpaceDescription",
    "VectorSet",
]
