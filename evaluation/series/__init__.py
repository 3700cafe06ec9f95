"""Figures of a collection watched over time: points, schedules, rules, alerts."""
