from evaluation.models.accounting import Accounting
from evaluation.models.evaluation import Evaluation
from evaluation.models.report import Report
from evaluation.models.run import Run

__all__ = ["Accounting", "Evaluation", "Report", "Run"]
