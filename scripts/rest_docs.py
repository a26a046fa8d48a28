"""Write docs/rest.md from the server's own OpenAPI document: part of `make captures`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "docs" / "rest.md"
HEAD = """# The REST interface

Every route of `juryrank serve` for programs, as its OpenAPI document (`/api/openapi.json`) describes it. This
page is generated (`make captures`) and checked by a test: change the route, not the page.
[server.md](server.md) is the guide.

A token goes into the header `Authorization: Bearer TOKEN`. Errors come back as a `Problem` with one
of these codes:
"""


def document() -> dict[str, Any]:
    """The OpenAPI document of a server with an empty storage."""
    from juryrank.server.app import create_app
    from juryrank.server.settings import ServerSettings
    from juryrank.storage import MemoryStorage

    made: dict[str, Any] = create_app(ServerSettings(), storage=MemoryStorage()).openapi()
    return made


def rest_page() -> str:
    """The whole page."""
    found = document()
    routes = [(m.upper(), path, route) for path, by in found["paths"].items() for m, route in by.items()]
    problems = {code: each["description"] for *_, route in routes for code, each in _problems(route)}
    codes = [f"| {code} | {says} |" for code, says in sorted(problems.items())]
    parts = [HEAD, "\n".join(["| code | when |", "|---|---|", *codes, ""]), "## Routes\n"]
    parts += [_route(*each) for each in routes]
    parts += [
        "## Shapes\n",
        *(_shape(name, each) for name, each in sorted(found["components"]["schemas"].items())),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _problems(route: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(code, each) for code, each in route["responses"].items() if code >= "400"]


def _route(method: str, path: str, route: dict[str, Any]) -> str:
    lines = [f"### {method} {path}", "", route.get("description") or f"{route['summary']}.", ""]
    if parameters := [each for each in route.get("parameters", []) if _says_something(each)]:
        rows = [
            f"| `{each['name']}` | {each['in']} | {each.get('description', '') or _kind(each['schema'])} |"
            for each in parameters
        ]
        lines += ["| parameter | in | values |", "|---|---|---|", *rows, ""]
    if body := route.get("requestBody"):
        (content,) = body["content"].values()
        lines += [f"Takes {_kind(content['schema'])}.", ""]
    for code, answer in sorted(route["responses"].items()):
        if code < "400":
            content = next(iter(answer.get("content", {}).values()), {})
            gives = _kind(content["schema"]) if content.get("schema") else answer.get("description", "")
            lines += [f"{code}: {gives}", ""]
    return "\n".join(lines)


def _says_something(parameter: dict[str, Any]) -> bool:
    """All of the query, and of the path what has a few values only."""
    return parameter["in"] == "query" or "enum" in parameter["schema"]


def _shape(name: str, shape: dict[str, Any]) -> str:
    rows = []
    for key, each in shape.get("properties", {}).items():
        must = "yes" if key in shape.get("required", []) else ""
        rows.append(f"| `{key}` | {_kind(each)} | {must} | {' '.join(each.get('description', '').split())} |")
    says = " ".join(shape.get("description", "").split())
    table = ["| field | kind | needed | meaning |", "|---|---|---|---|", *rows] if rows else []
    return "\n".join([f"### {name}", "", *([says, ""] if says else []), *table, ""])


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f"`{schema['$ref'].rsplit('/', 1)[1]}`"
    if schema.get("type") == "array":
        return f"a list of {_kind(schema['items'])}"
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"] if each.get("type") != "null")
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{each}`" for each in schema.get("enum", [schema.get("const")]))
    return {"object": "an object", "integer": "whole number"}.get(
        schema.get("type", ""), schema.get("type", "anything")
    )


if __name__ == "__main__":
    TARGET.write_text(rest_page(), encoding="utf-8")
    print(f"wrote {TARGET}")
