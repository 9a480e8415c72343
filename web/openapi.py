"""Describing the interface: each view says what it takes and sends, and the OpenAPI document is made of that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from audit.store.users import Role

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
COUNT: Final[Schema] = {"type": "integer"}
ESTIMATE: Final[Schema] = {
    "type": ["object", "null"],
    "description": "an estimate with its 95 % interval; a limit that is infinite is null",
    "properties": {name: {"type": ["number", "null"]} for name in ("value", "low", "high")},
    "required": ["value", "low", "high"],
}


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of an address."""

    name: str
    text: str
    schema: Schema
    in_path: bool = False


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One thing that can be asked for, by GET."""

    path: str
    text: str
    roles: frozenset[Role]
    parameters: tuple[Parameter, ...]
    answer: Schema
    media: str
    view: Callable[..., Any]


def record(properties: dict[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object whose properties are all there, apart from optional ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def listing(item: Schema, **more: Schema) -> Schema:
    """Return the schema of a list with what belongs to it."""
    return record({"items": {"type": "array", "items": item}, **more})


def maybe(schema: Schema) -> Schema:
    """Return the schema of what may be null."""
    return {**schema, "type": [schema["type"], "null"]}


def document(operations: list[Operation], *, version: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Catwalk",
            "version": version,
            "description": "All that the pages show, as JSON. Sign in in the pages, or send a token made under"
            " your account as `Authorization: Bearer TOKEN`; roles hold as in the pages.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "paths": {one.path: {"get": _described(one)} for one in operations},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": record({"error": TEXT})},
        },
        "security": [{"token": []}],
    }


def _described(one: Operation) -> dict[str, Any]:
    problem = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    said = {
        "400": "what was asked for cannot be",
        "401": "not signed in",
        "403": "not for this role",
        "404": "not here",
    }
    return {
        "summary": one.text,
        "operationId": one.view.__name__,
        "description": f"For {', '.join(sorted(role.value for role in one.roles))}.",
        "parameters": [
            {
                "name": p.name,
                "in": "path" if p.in_path else "query",
                "required": p.in_path,
                "description": p.text,
                "schema": p.schema,
            }
            for p in one.parameters
        ],
        "responses": {
            "200": {"description": "what was asked for", "content": {one.media: {"schema": one.answer}}},
            **{status: {"description": words, "content": problem} for status, words in said.items()},
        },
    }
