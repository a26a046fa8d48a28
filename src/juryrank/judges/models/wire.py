"""The two wire formats: a request's body and headers, and what an answer's body says.

openai       POST {url}/chat/completions     also vLLM, llama.cpp, Ollama, LM Studio, OpenRouter, proxies
anthropic    POST {url}/messages
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from juryrank.judges.models.media import TOKENS, AttachedPicture, parts_of
from juryrank.judges.models.prompts import letters_in, schema, system_of
from juryrank.judges.models.settings import ModelSettings

ANTHROPIC_VERSION = "2023-06-01"
OVERHEAD_TOKENS = 64  # what a chat template adds around the messages, at the most
NEWER_LIMIT = "max_completion_tokens"  # what newer models of OpenAI call it, and take nothing else
REFUSING = {"content_filter", "refusal", "safety", "prohibited_content", "blocklist", "recitation"}  # why it ended
Messages = Sequence[Mapping[str, Any]]  # role, content, `pictures` that go with it, `letters` to be put in order
OURS = ("pictures", "letters")  # parts of a message that are not sent as they are


@dataclass(frozen=True, slots=True)
class Form:
    """What an endpoint in OpenAI's format accepts: a schema or not, and what it calls the limit on tokens."""

    schema: bool = True
    limit: str = "max_tokens"


USUAL = Form()


def simpler_form(form: Form, complaint: str) -> Form | None:
    """The form to try next, where an endpoint complains about a part of this one.

    >>> simpler_form(USUAL, "Unsupported parameter: use 'max_completion_tokens' instead.").limit
    'max_completion_tokens'
    """
    if form.limit == "max_tokens" and NEWER_LIMIT in complaint:
        return replace(form, limit=NEWER_LIMIT)
    if form.schema and ("schema" in complaint or "response_format" in complaint):
        return replace(form, schema=False)
    return None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One answer of an endpoint; tokens are its own count, None where it gives none."""

    text: str
    input_tokens: int | None
    output_tokens: int | None
    refused: bool = False
    cut: bool = False  # it reached max_tokens
    logprobs: bool = False  # it came with the chances of its tokens


class BadBody(Exception):
    """The body is not an answer in this format: broken off, or something else."""


def path_of(settings: ModelSettings) -> str:
    return settings.address + ("/chat/completions" if settings.api == "openai" else "/messages")


def headers(settings: ModelSettings, key: str | None) -> dict[str, str]:
    """What a request is sent with; the secret is here and nowhere else."""
    if settings.api == "anthropic":
        return {"anthropic-version": ANTHROPIC_VERSION, **({"x-api-key": key} if key else {})}
    return {"Authorization": f"Bearer {key}"} if key else {}


def body(settings: ModelSettings, messages: Messages, form: Form = USUAL) -> dict[str, Any]:
    """The body of a request, in a form that the endpoint accepts."""
    made: dict[str, Any] = {"model": settings.model, form.limit: settings.max_tokens}
    if settings.temperature is not None:
        made["temperature"] = settings.temperature
    if settings.api == "anthropic":
        made |= {"system": system_of(messages), "messages": [_sent(settings, each) for each in messages]}
    else:
        sent = [_sent(settings, each) for each in messages]
        made |= {"messages": [{"role": "system", "content": system_of(messages)}, *sent]}
        if form.schema:
            made["response_format"] = _described(settings, messages)
    return {**made, **settings.extra}


def _sent(settings: ModelSettings, message: Mapping[str, Any]) -> dict[str, Any]:
    """A message as the format has it: with pictures its content is a list of parts."""
    pictures: Sequence[AttachedPicture] = message.get("pictures", ())
    plain = {name: value for name, value in message.items() if name not in OURS}
    if not pictures:
        return plain
    return {**plain, "content": parts_of(message["content"], pictures, settings.api)}


def _described(settings: ModelSettings, messages: Messages) -> dict[str, Any]:
    letters = letters_in(messages)
    described = {
        "name": "order" if letters else "verdict", "strict": True, "schema": schema(settings, letters)
    }  # fmt: skip
    return {"type": "json_schema", "json_schema": described}


def most_tokens(settings: ModelSettings, messages: Messages) -> tuple[int, int]:
    """The most tokens in and out that a call can take: a token is at least one byte."""
    texts = [system_of(messages), *(each["content"] for each in messages), json.dumps(settings.extra, default=str)]
    if settings.api == "openai":
        texts.append(json.dumps(_described(settings, messages)))
    size = sum(len(text.encode(errors="replace")) for text in texts)
    limits = [settings.extra.get(name) for name in ("max_tokens", NEWER_LIMIT)]
    most = max([settings.max_tokens, *(each for each in limits if isinstance(each, int))])
    answers = settings.extra.get("n", 1)
    size += TOKENS * sum(len(each.get("pictures", ())) for each in messages)
    return size + OVERHEAD_TOKENS, most * (answers if isinstance(answers, int) else 1)


def reply(settings: ModelSettings, document: Any) -> ModelReply:
    """What an answer's body says; raises BadBody."""
    try:
        return _anthropic(document) if settings.api == "anthropic" else _openai(document)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise BadBody("the endpoint's answer is not in its own format") from None


def _openai(document: Any) -> ModelReply:
    choice = document["choices"][0]
    message, usage = choice["message"], document.get("usage") or {}
    refused = bool(message.get("refusal")) or str(choice.get("finish_reason")).casefold() in REFUSING
    text = message.get("content") or ""
    if not isinstance(text, str):
        text = "".join(part.get("text", "") for part in text)
    cut = choice.get("finish_reason") == "length"
    counts = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    return ModelReply(text, *counts, refused, cut, logprobs=bool(choice.get("logprobs")))


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
