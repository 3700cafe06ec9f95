from evaluation.models.accounting import Accounting
from evaluation.models.evaluation import Evaluation
from evaluation.models.run import Run
from evaluation.models.sampled_topic import SampledTopic

__all__ = ["Accounting", "Evaluation", "Run", "SampledTopic"]
