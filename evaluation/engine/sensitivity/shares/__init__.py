"""The share of draws in which one run beats another: topics drawn anew, judgments drawn anew, both."""
