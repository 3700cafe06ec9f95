"""How the schema is made: errors of one shape, operations by subject."""

from importlib import import_module
from typing import Any

from drf_spectacular.openapi import AutoSchema

from annotation.kernel.api.idempotency import HEADER, LONGEST_KEY
from annotation.kernel.problem_details import BY_STATUS, CONTENT_TYPE

COMPONENT = "ProblemDetails"
WITH_BODY = {"post", "put", "patch"}
LOCATION = {
    "schema": {"type": "string", "format": "uri"},
    "description": "The job that does it: ask there until its `state` is `done`.",
    "required": True,
}
ANYWHERE = (400, 401, 403, 404, 405, 500, 503, 507)
FOR_BODIES = (409, 413, 415, 422)
KEY: dict[str, Any] = {
    "in": "header",
    "name": HEADER,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
    "description": "Any text of your own: the same request again with it is answered alike and done once.",
}
PROBLEM = {
    "type": "object",
    "description": "An error, as RFC 9457 has it.",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "The kind of error: go by this."},
        "title": {"type": "string", "description": "The kind of error, for people."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong here, for people."},
        "errors": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
            "description": "Reasons by the field that they are about.",
        },
    },
}


class SubjectSchema(AutoSchema):
    """Operations stand under the subject that answers them, by the name of its package."""

    def get_tags(self) -> list[str]:
        return [_package_of(type(self.view)).rpartition(".")[2]]


def _package_of(view: type) -> str:
    return ".".join(view.__module__.split(".")[:2])


def tell_subjects(result: dict[str, Any], generator: Any, **options: object) -> dict[str, Any]:
    """Say of every tag what its subject is for, as its package does."""
    packages = {_package_of(callback.cls) for *_, callback in generator.endpoints}
    lines = {package.rpartition(".")[2]: import_module(package).__doc__ or "" for package in packages}
    result["tags"] = [{"name": name, "description": line.strip()} for name, line in sorted(lines.items())]
    return result


def tell_jobs(result: dict[str, Any], **options: object) -> dict[str, Any]:
    """Say of every answer that has a `job_url` under 202 that it has the same address as `Location`."""
    components = result["components"]["schemas"]
    for methods in result["paths"].values():
        for operation in methods.values():
            answer = operation["responses"].get("202", {})
            schemas = [each["schema"] for each in answer.get("content", {}).values()]
            names = [schema.get("$ref", "").rpartition("/")[2] for schema in schemas]
            if any("job_url" in components.get(name, {}).get("properties", {}) for name in names):
                answer["headers"] = {"Location": LOCATION}
    return result


def tell_faults(result: dict[str, Any], **options: object) -> dict[str, Any]:
    """Give every operation the errors that it can answer, all of one shape."""
    result["components"]["schemas"][COMPONENT] = PROBLEM
    content = {CONTENT_TYPE: {"schema": {"$ref": f"#/components/schemas/{COMPONENT}"}}}
    for methods in result["paths"].values():
        for method, operation in methods.items():
            if method == "post":
                operation.setdefault("parameters", []).append(KEY)
            answers = operation["responses"]
            if method == "get":
                answers["304"] = {"description": "What `If-None-Match` names is what there is now."}
            for status in [*ANYWHERE, *(FOR_BODIES if method in WITH_BODY else ())]:
                answers.setdefault(str(status), {"description": BY_STATUS[status].meaning})
            for status in [each for each in answers if each >= "400"]:
                answers[status]["content"] = _own_members(answers[status]) or content
            operation["responses"] = dict(sorted(answers.items()))
    return result


def _own_members(answer: dict[str, Any]) -> dict[str, Any]:
    """The content of an error that an operation describes itself: it says more than all of them do."""
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return {CONTENT_TYPE: {"schema": schema}} if "$ref" in schema else {}
