"""Confidence intervals of a mean over topics; of a mean difference too: give them `inputs.paired_difference`."""
