"""touchstone/client/schema/, written from the schema of the API: what requests take and answers hold.

A module a subject; what several use stands in `shared.py`. `python -m tests.unchanged record` writes them anew.
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Schema = Mapping[str, Any]

FOLDER = Path(__file__).resolve().parents[3] / "touchstone/client/schema"
ABOUT = "What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
PAGING = frozenset({"page", "page_size"})
WIDTH = 120
OF_LONG_TAGS = {"/api/v1/work": "work", "/api/v1/collections/{slug}/qualifications": "qualifications"}
OF_A_METHOD = frozenset({"dry_run"})  # fields that the client sets itself: a method of its own does only that


def record(document: Schema, folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in written(document).items():
        (folder / name).write_text(text, "utf-8")


def written(document: Schema) -> dict[str, str]:
    """The text of every module, by the name of its file."""
    components, users = document["components"]["schemas"], used_by(document)
    places = {name: next(iter(who)) if len(who) == 1 else "shared" for name, who in users.items()}
    queries = {subject: list(_queries(document, subject)) for subject in subjects_of(document)}
    asking = {subject for subject, several in queries.items() if several}
    modules = {
        place: _module(components, place, places, queries.get(place, []))
        for place in sorted({*places.values()} | asking)
    }
    return {"__init__.py": f'"""{ABOUT}"""\n', **{f"{place}.py": text for place, text in modules.items()}}


def used_by(document: Schema) -> dict[str, set[str]]:
    """Of each component that a good call sends or brings, the subjects of the operations."""
    users: dict[str, set[str]] = {}
    for path, _, operation in operations(document):
        good = [answer for status, answer in operation["responses"].items() if status < "300"]
        for part in (operation.get("requestBody", {}), *good):
            for content in part.get("content", {}).values():
                for name in _names(document, content["schema"]):
                    users.setdefault(name, set()).add(subject_of(path, operation))
    return users


def operations(document: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Path, method in capitals, operation."""
    for path, methods in document["paths"].items():
        yield from ((path, method.upper(), operation) for method, operation in methods.items())


def subject_of(path: str, operation: Schema) -> str:
    """The module of what one operation alone takes and gives: its tag, but for the long ones."""
    return next((name for start, name in OF_LONG_TAGS.items() if path.startswith(start)), str(operation["tags"][0]))


def subjects_of(document: Schema) -> set[str]:
    return {subject_of(path, operation) for path, _, operation in operations(document)}


def query_parameters(operation: Schema) -> dict[str, Schema]:
    """Without those of pages, which the client itself sends."""
    return {
        each["name"]: each
        for each in operation.get("parameters", [])
        if each["in"] == "query" and each["name"] not in PAGING
    }


def query_name(operation: Schema) -> str:
    """What the type of an operation's query is called: after its id."""
    words = operation["operationId"].removeprefix("collections_").split("_")
    return "".join(word.capitalize() for word in words[:-1]) + "Query"


def row_of(components: Schema, name: str) -> str:
    """The component of which a page of a list is made; another component is its own."""
    if not name.startswith("Paginated"):
        return name
    return _reference(components[name]["properties"]["results"]["items"])


def _names(document: Schema, schema: Schema) -> set[str]:
    """The components that a schema rests on."""
    components, names, waiting = document["components"]["schemas"], set[str](), [schema]
    while waiting:
        part = waiting.pop()
        if "$ref" in part:
            name = row_of(components, _reference(part))
            if name not in names:
                names.add(name)
                waiting.append(components[name])
        waiting += [*part.get("properties", {}).values(), *part.get("oneOf", []), *part.get("allOf", [])]
        waiting += [part[key] for key in ("items", "additionalProperties") if isinstance(part.get(key), Mapping)]
    return names


def _queries(document: Schema, subject: str) -> Iterator[str]:
    for path, _, operation in operations(document):
        parameters = query_parameters(operation)
        is_form = "multipart/form-data" in operation.get("requestBody", {}).get("content", {})  # its fields say it
        if parameters and subject_of(path, operation) == subject and not is_form:
            required = {name for name, each in parameters.items() if each.get("required")}
            fields = {
                name: {**each["schema"], "description": each.get("description", "")}
                for name, each in parameters.items()
            }
            yield _typed_dict(query_name(operation), {"properties": fields, "required": required})


def _module(components: Schema, place: str, places: Mapping[str, str], queries: list[str]) -> str:
    own = _sorted(components, [name for name in sorted(places) if places[name] == place])
    body = "\n".join([_component(name, components[name]) for name in own] + queries)
    shared = [name for name in sorted(places) if places[name] == "shared" != place and _says(body, name)]
    typing = [name for name in ("Any", "Literal", "NotRequired", "TypedDict") if _says(body, name)]
    imports = f"from typing import {', '.join(typing)}\n"
    imports += f"\nfrom touchstone.client.schema.shared import {', '.join(shared)}\n" if shared else ""
    return _formatted(f'"""{ABOUT}"""\n\n{imports}\n{body}')


def _says(text: str, name: str) -> bool:
    words = text.replace("[", " ").replace("]", " ").replace("(", " ").replace(")", " ").replace(",", " ").split()
    return name in words


def _sorted(components: Schema, names: list[str]) -> list[str]:
    """What others are made of first."""
    order: list[str] = []

    def place(name: str) -> None:
        if name in names and name not in order:
            for below in sorted(_names({"components": {"schemas": components}}, components[name])):
                place(below)
            order.append(name)

    for name in names:
        place(name)
    return order


def _component(name: str, schema: Schema) -> str:
    if "enum" in schema or "properties" not in schema:
        return f"{name} = {_type(schema)}\n"
    fields = {
        field: each
        for field, each in schema["properties"].items()
        if each.get("format") != "binary" and field not in OF_A_METHOD
    }
    return _typed_dict(name, {**schema, "properties": fields})


def _typed_dict(name: str, schema: Schema) -> str:
    about = schema.get("description", "")
    lines = [f"class {name}(TypedDict):", *([f'    """{about}"""', ""] if about else [])]
    for field, each in schema["properties"].items():
        kind = _type(each)
        line = f"    {field}: {kind if field in schema.get('required', ()) else f'NotRequired[{kind}]'}"
        note = " ".join(each.get("description", "").split())
        note = "" if note.startswith("* `") else note  # what an enumeration repeats
        if note and len(f"{line}  # {note}") > WIDTH:
            lines += [f"    # {note}"] if len(note) < WIDTH - 6 else []
        elif note:
            line += f"  # {note}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def _type(schema: Schema) -> str:
    kind = _type_itself(schema)
    return f"{kind} | None" if schema.get("nullable") and kind != "Any" else kind


def _type_itself(schema: Schema) -> str:
    if "$ref" in schema:
        return _reference(schema)
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    if "oneOf" in schema or "allOf" in schema:
        kinds = dict.fromkeys(_type(each) for each in schema.get("oneOf", schema.get("allOf")))
        return " | ".join(kinds)
    if schema.get("type") == "array":
        return f"list[{_type(schema['items'])}]"
    if schema.get("type") == "object":
        return f"dict[str, {_type(schema['additionalProperties'] or {})}]"
    return PLAIN.get(schema.get("type", ""), "Any")


def _reference(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(FOLDER / "x.py"), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + text
    return done.stdout
