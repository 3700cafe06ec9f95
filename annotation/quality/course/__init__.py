"""How a campaign goes on: agreement and accuracy stretch by stretch, and when it will be done."""

from annotation.quality.course.accuracy import LEAST_GOLD, AccuracyPoint, accuracy_course
from annotation.quality.course.agreement import AgreementCourse, AgreementPoint, agreement_course
from annotation.quality.course.forecast import HOUR, Forecast, forecast

__all__ = [
    "HOUR",
    "LEAST_GOLD",
    "AccuracyPoint",
    "AgreementCourse",
    "AgreementPoint",
    "Forecast",
    "accuracy_course",
    "agreement_course",
    "forecast",
]
