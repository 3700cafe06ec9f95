from evaluation.models.accounting import Accounting
from evaluation.models.evaluation import Evaluation
from evaluation.models.experiment import Experiment, ExperimentAnalysis
from evaluation.models.report import Report
from evaluation.models.run import Run
from evaluation.models.sampled_topic import SampledTopic
from evaluation.models.sensitivity import SensitivityStudy
from evaluation.models.vectors import SpaceDescription, VectorSet

__all__ = [
    "Accounting",
    "Evaluation",
    "Experiment",
    "ExperimentAnalysis",
    "Report",
    "Run",
    "SampledTopic",
    "SensitivityStudy",
    "SpaceDescription",
    "VectorSet",
]
