"""What a series may measure by itself: a kind a file, listed in `kinds`."""

from evaluation.series.steps.measuring.kinds import KINDS, measure_series
from evaluation.series.steps.measuring.result import Measured, MeasuringError

__all__ = ["KINDS", "Measured", "MeasuringError", "measure_series"]
