"""What a confidence is worth: how often a policy that is so confident is right, learned on gold."""

from annotation.quality.calibration.crossfitted import FEWEST_TOPICS, Calibration, calibrate
from annotation.quality.calibration.curve import Calibrator, fit_calibrator
from annotation.quality.calibration.scores import CalibrationScores, calibration_scores

__all__ = [
    "FEWEST_TOPICS",
    "Calibration",
    "CalibrationScores",
    "Calibrator",
    "calibrate",
    "calibration_scores",
    "fit_calibrator",
]
