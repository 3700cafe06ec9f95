"""What a new rule might forget: its line in the list of its family, its row in docs/quality.md, a test of its own."""

import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from annotation.quality import alerts, consolidation
from annotation.quality.alerts import AlertRule
from annotation.quality.consolidation.rule import ConsolidationRule
from tests.annotation.quality.printed import table_under


def declared(family: ModuleType, kind: type) -> list[Any]:
    """All declarations of this kind in the modules of a family."""
    return [rule for each in pkgutil.iter_modules(family.__path__) for rule in declared_in(family, each.name, kind)]


def declared_in(family: ModuleType, name: str, kind: type) -> list[Any]:
    return [value for value in vars(import_module(f"{family.__name__}.{name}")).values() if isinstance(value, kind)]


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


@pytest.mark.parametrize(("family", "kind"), [(consolidation, ConsolidationRule), (alerts, AlertRule)])
def test_every_rule_has_a_test_that_imports_it(family: ModuleType, kind: type) -> None:
    """What is asserted of every rule says nothing of what this one finds."""
    tests = "".join(file.read_text("utf-8") for file in Path(__file__).parent.rglob("test_*.py"))
    modules = [each.name for each in pkgutil.iter_modules(family.__path__)]
    declaring = [name for name in modules if declared_in(family, name, kind)]
    assert declaring
    assert [name for name in declaring if f"from {family.__name__}.{name} import" not in tests] == []
