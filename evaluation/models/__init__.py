from evaluation.models.accounting import Accounting
from evaluation.models.evaluation import Evaluation
from evaluation.models.run import Run
from evaluation.models.sensitivity import SensitivityStudy

__all__ = ["Accounting", "Evaluation", "Run", "SensitivityStudy"]
