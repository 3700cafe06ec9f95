"""How a campaign goes on: agreement and accuracy stretch by stretch, and when it will be done."""

from annotation.quality.over_time.accuracy import LEAST_GOLD, AccuracyPoint, accuracy_over_time
from annotation.quality.over_time.agreement import AgreementOverTime, AgreementPoint, agreement_over_time
from annotation.quality.over_time.forecast import HOUR, Forecast, forecast

__all__ = [
    "HOUR",
    "LEAST_GOLD",
    "AccuracyPoint",
    "AgreementOverTime",
    "AgreementPoint",
    "Forecast",
    "accuracy_over_time",
    "agreement_over_time",
    "forecast",
]
