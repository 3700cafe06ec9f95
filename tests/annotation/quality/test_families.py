"""What a new rule might forget: its line in the list of its family, and its row in docs/quality.md."""

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any

from annotation.quality import alerts, consolidation
from annotation.quality.alerts import AlertRule
from annotation.quality.consolidation.rule import ConsolidationRule
from tests.annotation.quality.printed import table_under


def declared(family: ModuleType, kind: type) -> list[Any]:
    """All declarations of this kind in the modules of a family."""
    modules = [import_module(f"{family.__name__}.{each.name}") for each in pkgutil.iter_modules(family.__path__)]
    return [value for module in modules for value in vars(module).values() if isinstance(value, kind)]


def test_every_rule_of_consolidation_is_listed_and_described() -> None:
    names = {rule.name for rule in declared(consolidation, ConsolidationRule)}
    assert {rule.name for rule in consolidation.RULES} == names
    assert {row[0].split("`")[1] for row in table_under("| `consolidation` | grade |")} == names


def test_every_rule_of_alerts_is_listed_and_described() -> None:
    rules = declared(alerts, AlertRule)
    assert set(alerts.RULES) == {rule.name for rule in rules}
    described = {row[0] for row in table_under("| alert | when | worse by |")}
    assert described == {rule.title.lower() for rule in rules}


def test_names_are_not_used_twice() -> None:
    assert len(consolidation.CONSOLIDATORS) == len(consolidation.RULES)
    thresholds = [threshold for rule in alerts.RULES.values() for threshold in rule.thresholds]
    assert len(alerts.THRESHOLDS) == len(thresholds)
