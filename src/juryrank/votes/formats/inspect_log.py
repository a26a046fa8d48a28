"""inspect_ai: a log as `.eval` (a ZIP file of JSON) or as JSON. A system is the model; its task is kept too."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from juryrank.errors import BadInput
from juryrank.votes.containers import UNREADABLE, member, members_of
from juryrank.votes.formats.shape import Format, Output, text_of
from juryrank.votes.tables import ZIP, FileContent

HEADER, SAMPLES = "header.json", "samples/"
NEEDED = ("id", "epoch", "input", "output", "error", "attachments")
ATTACHED = "attachment://"


def recognises(content: FileContent) -> bool:
    if content.kind == ZIP:
        return any(name.startswith(SAMPLES) or name == "_journal/start.json" for name in content.members)
    found = content.document
    return isinstance(found, dict) and isinstance(found.get("eval"), dict) and "model" in found["eval"]


def outputs(content: FileContent) -> Iterator[Output]:
    about, samples = (
        _zipped(content) if content.kind == ZIP else (content.document, content.document.get("samples"))
    )
    if not samples:
        raise BadInput(
            f"{content.name} is a log of inspect_ai without samples; was it written with --no-log-samples?"
        )
    system, task = str(about["eval"]["model"]), str(about["eval"].get("task", ""))
    repeated = any(sample.get("epoch", 1) != 1 for sample in samples)
    for sample in samples:
        name = f"{sample['id']} epoch {sample['epoch']}" if repeated else str(sample["id"])
        yield Output(system, name, _said(sample), _asked(sample), task)


def _zipped(content: FileContent) -> tuple[Any, list[Any]]:
    log = zipfile.ZipFile(io.BytesIO(content.data))
    if HEADER not in content.members:
        raise BadInput(
            f"{content.name} is a log of inspect_ai that was not finished: it holds {len(content.members)} files "
            f"and no {HEADER}; run `inspect eval-retry`, or wait for its end"
        )
    try:
        members_of(log, content.data)
        samples = [_read(log, name) for name in content.members if name.startswith(SAMPLES)]
        return json.load(member(log, HEADER)), samples
    except NotImplementedError:
        raise BadInput(
            f"{content.name} is packed with Zstandard, which Python reads from 3.14 on; write it as JSON: "
            "inspect log dump LOG > log.json"
        ) from None
    except (ValueError, AttributeError, *UNREADABLE) as problem:
        raise BadInput(f"{content.name} is a log of inspect_ai that is damaged: {problem}") from None


def _read(log: zipfile.ZipFile, name: str) -> dict[str, Any]:
    """What is needed of a sample: a log has much more, of which ten thousand samples do not fit a memory."""
    sample = json.load(member(log, name))
    return {key: sample[key] for key in NEEDED if key in sample}


def _said(sample: Mapping[str, Any]) -> Any:
    output = sample.get("output") or {}
    choices = output.get("choices") or [{}]
    said = output.get("completion") or text_of((choices[0].get("message") or {}).get("content"))
    return None if sample.get("error") and not said else _attached(sample, said)


def _asked(sample: Mapping[str, Any]) -> Any:
    given = sample["input"]
    if not isinstance(given, list):
        return _attached(sample, given)
    turns = [(turn.get("role", ""), _attached(sample, text_of(turn.get("content")))) for turn in given]
    return turns[0][1] if len(turns) == 1 else "\n\n".join(f"{role}: {text}" for role, text in turns)


def _attached(sample: Mapping[str, Any], text: Any) -> Any:
    """Long texts stand apart, under their hash."""
    if isinstance(text, str) and text.startswith(ATTACHED):
        return (sample.get("attachments") or {}).get(text.removeprefix(ATTACHED), text)
    return text


FORMAT = Format(
    "inspect",
    "inspect_ai log",
    "a ZIP file (.eval) with header.json and samples/, or one JSON object with eval and samples",
    recognises,
    outputs=outputs,
    uses=(
        (
            "juryrank rank new=logs/a.eval old=logs/b.eval --judges judges.toml",
            "a claim about models; one model on two tasks with the same inputs is two systems",
        ),
    ),
)
