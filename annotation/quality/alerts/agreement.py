"""People agree less than they did."""

from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures, Threshold

RULE = "agreement"
PAIRS = Threshold(
    "pairs",
    50,
    20,
    5000,
    title="Agreement falls: pairs of a stretch",
    help="The last stretch is compared with all before it. Larger stretches see smaller falls, and see them later.",
)


def falling_agreement(batch: BatchFigures, _settings: AlertSettings) -> list[Alert]:
    """An alert where the bootstrap interval of the last stretch lies wholly below that of everything before it.

    The level is by how much α fell. Two intervals of 95 % rarely part by chance: docs/quality.md says how rarely.
    `batch.agreement` has stretches of `PAIRS`.
    """
    last, before = batch.agreement.last, batch.agreement.before
    if last is None or before is None:
        return []
    if last.high is None or before.low is None or last.value is None or before.value is None:
        return []
    if last.high >= before.low:
        return []
    text = (
        f"Over the last {last.n_pairs} pairs α is {last.value:.2f} ({last.low:.2f} to {last.high:.2f}); over the "
        f"{before.n_pairs} before them it was {before.value:.2f} ({before.low:.2f} to {before.high:.2f})."
    )
    return [Alert(RULE, "", before.value - last.value, text)]


FALLING_AGREEMENT = AlertRule(
    RULE,
    "Agreement falls",
    "Look where people part: by topic, and whether the guideline leaves it open.",
    subject="agreement",
    worse_by=0.05,
    find=falling_agreement,
    thresholds=(PAIRS,),
)
