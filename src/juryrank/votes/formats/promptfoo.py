"""promptfoo: `promptfoo eval -o results.json`. A system is a provider, with its prompt where there are several."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from juryrank.votes.formats.shape import Format, Output, case_name
from juryrank.votes.tables import FileContent


def recognises(content: FileContent) -> bool:
    found = _results(content)
    return bool(found) and {"provider", "prompt", "vars"} <= found[0].keys()


def _results(content: FileContent) -> list[Mapping[str, Any]]:
    """The rows: below `results.results` in a file, below `results` where it is the summary alone."""
    found = content.document.get("results") if isinstance(content.document, dict) else None
    found = found.get("results") if isinstance(found, Mapping) else found
    return found if isinstance(found, list) and all(isinstance(row, Mapping) for row in found) else []


def outputs(content: FileContent) -> Iterator[Output]:
    rows = _results(content)
    several = len({_prompt(row) for row in rows}) > 1
    for place, row in enumerate(rows):
        provider = row["provider"]
        if isinstance(provider, Mapping):
            provider = provider.get("label") or provider.get("id")
        system = f"{provider}, {case_name(_prompt(row))}" if several else str(provider)
        test = row.get("testCase") or {}
        number = row.get("testIdx", place)
        name = test.get("description") or f"test {number + 1 if isinstance(number, int) else number}"
        shown = row["vars"] or {}
        given = next(iter(shown.values())) if len(shown) == 1 else json.dumps(shown, ensure_ascii=False, indent=1)
        yield Output(system, str(name), (row.get("response") or {}).get("output"), given)


def _prompt(row: Mapping[str, Any]) -> str:
    prompt = row["prompt"]
    return str(prompt.get("label") or prompt.get("raw")) if isinstance(prompt, Mapping) else str(prompt)


FORMAT = Format(
    "promptfoo",
    "promptfoo results",
    "one JSON object with results, each with provider, prompt, vars, response",
    recognises,
    outputs=outputs,
    uses=(
        (
            "juryrank rank results.json --judges judges.toml",
            "a claim about providers, or about each provider with each prompt",
        ),
    ),
)
