"""People agree less than they did."""

from annotation.quality.alerts.alert import Alert
from annotation.quality.over_time import AgreementOverTime

RULE = "agreement"


def falling_agreement(agreement: AgreementOverTime) -> list[Alert]:
    """An alert where the bootstrap interval of the last stretch lies wholly below that of everything before it.

    The level is by how much α fell. Two intervals of 95 % rarely part by chance: docs/quality.md says how rarely.
    """
    if agreement.last is None or agreement.before is None:
        return []
    last, before = agreement.last, agreement.before
    if last.high is None or before.low is None or last.value is None or before.value is None:
        return []
    if last.high >= before.low:
        return []
    text = (
        f"Over the last {last.n_pairs} pairs α is {last.value:.2f} ({last.low:.2f} to {last.high:.2f}); over the "
        f"{before.n_pairs} before them it was {before.value:.2f} ({before.low:.2f} to {before.high:.2f})."
    )
    return [Alert(RULE, "", before.value - last.value, text)]
