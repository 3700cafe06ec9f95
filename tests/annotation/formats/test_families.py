"""What a new format might forget: its line in the list of its family."""

import pkgutil
from importlib import import_module
from types import ModuleType

import pytest

from annotation.formats import documents, outside, qrels, topics
from annotation.formats.file_formats import FileFormat


def declared(family: ModuleType) -> set[str]:
    modules = [import_module(f"{family.__name__}.{each.name}") for each in pkgutil.iter_modules(family.__path__)]
    return {value.name for module in modules for value in vars(module).values() if isinstance(value, FileFormat)}


@pytest.mark.parametrize("family", [documents, outside, qrels, topics])
def test_every_format_is_listed_once(family: ModuleType) -> None:
    names = [each.name for each in family.FORMATS]
    assert len(names) == len(set(names))
    assert set(names) == declared(family)
