"""The two wire formats: a request's body and headers, and what an answer's body says.

openai       POST {url}/chat/completions     also vLLM, llama.cpp, Ollama, LM Studio, OpenRouter, proxies
anthropic    POST {url}/messages
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.judges.models.prompts import SYSTEM, schema
from juryrank.judges.models.settings import ModelSettings

ANTHROPIC_VERSION = "2023-06-01"
OVERHEAD_TOKENS = 64  # what a chat template adds around the messages, at the most
Messages = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One answer of an endpoint; tokens are its own count, None where it gives none."""

    text: str
    input_tokens: int | None
    output_tokens: int | None
    refused: bool = False
    cut: bool = False  # it reached max_tokens


class BadBody(Exception):
    """The body is not an answer in this format: broken off, or something else."""


def path_of(settings: ModelSettings) -> str:
    return settings.address + ("/chat/completions" if settings.api == "openai" else "/messages")


def headers(settings: ModelSettings, key: str | None) -> dict[str, str]:
    """What a request is sent with; the secret is here and nowhere else."""
    if settings.api == "anthropic":
        return {"anthropic-version": ANTHROPIC_VERSION, **({"x-api-key": key} if key else {})}
    return {"Authorization": f"Bearer {key}"} if key else {}


def body(settings: ModelSettings, messages: Messages, *, with_schema: bool) -> dict[str, Any]:
    """The request; `with_schema`: the endpoint is asked to keep to the verdict's JSON."""
    made: dict[str, Any] = {"model": settings.model, "max_tokens": settings.max_tokens}
    if settings.temperature is not None:
        made["temperature"] = settings.temperature
    if settings.api == "anthropic":
        made |= {"system": SYSTEM, "messages": list(messages)}
    else:
        made |= {"messages": [{"role": "system", "content": SYSTEM}, *messages]}
        if with_schema:
            described = {"name": "verdict", "strict": True, "schema": schema(settings)}
            made["response_format"] = {"type": "json_schema", "json_schema": described}
    return {**made, **settings.extra}


def most_tokens(settings: ModelSettings, messages: Messages) -> tuple[int, int]:
    """Tokens in and out that a call can take at the most: a token is at least one byte."""
    size = len(SYSTEM.encode()) + sum(len(each["content"].encode(errors="replace")) for each in messages)
    return size + OVERHEAD_TOKENS, settings.max_tokens


def reply(settings: ModelSettings, document: Any) -> ModelReply:
    """What an answer's body says; raises BadBody."""
    try:
        return _anthropic(document) if settings.api == "anthropic" else _openai(document)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise BadBody("the endpoint's answer is not in its own format") from None


def _openai(document: Any) -> ModelReply:
    choice = document["choices"][0]
    message, usage = choice["message"], document.get("usage") or {}
    refused = bool(message.get("refusal")) or choice.get("finish_reason") == "content_filter"
    text = message.get("content") or ""
    if not isinstance(text, str):
        text = "".join(part.get("text", "") for part in text)
    cut = choice.get("finish_reason") == "length"
    return ModelReply(text, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"), refused, cut)


def _anthropic(document: Any) -> ModelReply:
    text = "".join(part["text"] for part in document["content"] if part.get("type") == "text")
    usage, stop = document.get("usage") or {}, document.get("stop_reason")
    cached = sum(_count(usage, f"cache_{kind}_input_tokens") or 0 for kind in ("creation", "read"))
    read = _count(usage, "input_tokens")
    whole = None if read is None else read + cached
    return ModelReply(text, whole, _count(usage, "output_tokens"), stop == "refusal", stop == "max_tokens")


def _count(usage: Mapping[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
