"""What the quality page says of batches under a policy."""

from annotation.queries.quality.annotator import PERSON_TABLES, AnnotatorReport, annotator_report, person_lines
from annotation.queries.quality.calibrated import CalibrationReport, calibration_report
from annotation.queries.quality.comparison import Comparison, compare_policies, trials
from annotation.queries.quality.couples import CouplesReport, couples_report
from annotation.queries.quality.dropped import DroppedPairs, dropped_by_reason
from annotation.queries.quality.lines import annotator_lines
from annotation.queries.quality.machines import machine_report
from annotation.queries.quality.people import sorted_people
from annotation.queries.quality.policy_tables import compared_lines, confidence_lines
from annotation.queries.quality.report import QualityReport, quality_report
from annotation.queries.quality.shares import bars, grade_shares
from annotation.queries.quality.standing_tables import STANDING_TABLES, standing_lines
from annotation.queries.quality.tables import QUALITY_TABLES, quality_lines, withheld_lines
from annotation.queries.quality.watch import bounds_in_words, rate_rows, rates_in_short, watch_settings
from annotation.queries.quality.withheld import judged_batches, withheld_pairs

__all__ = [
    "PERSON_TABLES",
    "QUALITY_TABLES",
    "STANDING_TABLES",
    "AnnotatorReport",
    "CalibrationReport",
    "Comparison",
    "CouplesReport",
    "DroppedPairs",
    "QualityReport",
    "annotator_lines",
    "annotator_report",
    "bars",
    "bounds_in_words",
    "calibration_report",
    "compare_policies",
    "compared_lines",
    "confidence_lines",
    "couples_report",
    "dropped_by_reason",
    "grade_shares",
    "judged_batches",
    "machine_report",
    "person_lines",
    "quality_lines",
    "quality_report",
    "rate_rows",
    "rates_in_short",
    "sorted_people",
    "standing_lines",
    "trials",
    "watch_settings",
    "withheld_lines",
    "withheld_pairs",
]
