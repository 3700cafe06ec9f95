"""Calls for schemathesis: the good one of the table, and calls drawn from the schema that come near it."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode

from tests.annotation.against_schema import document
from tests.operations.calls import Ids, Operation, all_operations, filled
from tests.operations.world import World

JSON, FORM = "application/json", "multipart/form-data"


def drawable(world: World, application: Any) -> Iterator[tuple[Operation, Any]]:
    """Each operation beside what schemathesis draws from: its ids are those of the world, or nothing's."""
    schema = schemathesis.openapi.from_dict(_with_ids(world))
    schema.app = application
    whole: Iterator[Any] = schema.get_all_operations()
    sources = {operation.label: operation for operation in (each.ok() for each in whole)}
    for each in all_operations():
        yield each, sources[f"{each.method.upper()} {each.path}"]


def good_case(operation: Operation, source: Any, world: World, who: str) -> Any:
    """What the table says, with the ids of this person."""
    ids = world.words(who)
    case: dict[str, Any] = {
        "path_parameters": _path(operation, world),
        "query": filled(operation.line.query, ids),
    }
    if operation.line.body is not None:
        case |= {"body": operation.body(ids), "media_type": FORM if operation.sends_file else JSON}
    return source.Case(**case)


def near_cases(source: Any, good: Any) -> "st.SearchStrategy[Any]":
    """As the schema allows, with some entries of the good call: what it takes to come past the first check."""

    @st.composite
    def near(draw: st.DrawFn) -> Any:
        def nearer(any_part: Any, good_part: Any) -> Any:
            if not (isinstance(any_part, Mapping) and isinstance(good_part, Mapping) and good_part):
                return any_part
            kept = draw(st.sets(st.sampled_from(sorted(good_part))))
            return {**any_part, **{name: good_part[name] for name in kept}}

        case = draw(source.as_strategy(generation_mode=GenerationMode.POSITIVE))
        same_type = case.media_type == good.media_type
        return source.Case(
            path_parameters=nearer(case.path_parameters, good.path_parameters),
            query=nearer(case.query, good.query),
            body=nearer(case.body, good.body) if same_type else case.body,
            media_type=case.media_type,
        )

    return near()


def wrong_cases(source: Any) -> "st.SearchStrategy[Any]":
    strategy: st.SearchStrategy[Any] = source.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    return strategy


def _with_ids(world: World) -> dict[str, Any]:
    """The schema with ids that are there, beside one that is not."""
    schema: dict[str, Any] = deepcopy(dict(document()))
    for operation in all_operations():
        values = _path(operation, world)
        for each in schema["paths"][operation.path][operation.method].get("parameters", []):
            if each["in"] == "path":
                each["schema"]["enum"] = _beside_nothing(each["name"], values[each["name"]])
    return schema


def _path(operation: Operation, world: World) -> dict[str, str | int]:
    values: Ids = world.address(operation.method.upper(), operation.name)
    return {name: values["pk" if name == "id" else name] for name in operation.parameters}


def _beside_nothing(name: str, value: str | int) -> list[str | int]:
    return [value] if name == "slug" else [value, 0 if isinstance(value, int) else "none"]
