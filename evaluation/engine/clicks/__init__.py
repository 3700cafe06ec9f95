"""Clicks: models of users who click, simulated; and what clicks of a log say once positions are allowed for."""
