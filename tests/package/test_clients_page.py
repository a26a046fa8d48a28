"""Each client's example is at most six lines, and reads an answer of that client's shape."""

from __future__ import annotations

import asyncio
import inspect
import re
import sys
from pathlib import Path
from types import SimpleNamespace as Thing

import pytest

import juryrank

PAGE = (Path(__file__).parents[2] / "docs" / "other-clients.md").read_text(encoding="utf-8")
HELPERS = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
CLIENTS = dict(re.findall(r"```python client=(\w+)\n(.*?)```", PAGE, re.S))


def later(value):
    async def call(*args, **named):
        assert "apple" in repr((args, named))
        return value

    return call


def now(value):
    def call(*args, **named):
        assert "apple" in repr((args, named))
        return value

    return call


def stand_ins(said):
    """Modules with the shape of each client's calls; every answer is `said`."""
    message, chat = Thing(content=said), {"choices": [{"message": {"content": said}}]}
    choice = Thing(choices=[Thing(message=message)])
    openai = Thing(chat=Thing(completions=Thing(create=later(choice))))
    anthropic = Thing(messages=Thing(create=later(Thing(content=[Thing(text=said)]))))
    google = Thing(aio=Thing(models=Thing(generate_content=later(Thing(text=said)))))
    bedrock = Thing(converse=now({"output": {"message": {"content": [{"text": said}]}}}))
    return {
        "openai": Thing(AsyncOpenAI=lambda: openai),
        "anthropic": Thing(AsyncAnthropic=lambda: anthropic),
        "google": Thing(genai=Thing(Client=lambda: google)),
        "litellm": Thing(acompletion=later(choice)),
        "ollama": Thing(AsyncClient=lambda: Thing(chat=later(Thing(message=message)))),
        "llama_cpp": Thing(Llama=lambda **how: Thing(create_chat_completion=now(chat))),
        "transformers": Thing(pipeline=lambda *how, **more: now([{"generated_text": [{}, {"content": said}]}])),
        "langchain": Thing(),
        "langchain.chat_models": Thing(init_chat_model=lambda name: Thing(ainvoke=later(message))),
        "boto3": Thing(client=lambda name: bedrock),
    }


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    ("said", "expected"), [("First.", "apple"), (" second\n", "pear"), ("Both!", juryrank.SKIP)]
)
def test_an_example_reads_what_its_client_gives(client, said, expected, monkeypatch):
    for name, module in stand_ins(said).items():
        monkeypatch.setitem(sys.modules, name, module)
    scope = {}
    exec(HELPERS + CLIENTS[client], scope)
    judge = next(value for name, value in scope.items() if name.endswith("_judge"))
    answer = judge("apple", "pear")
    assert (asyncio.run(answer) if inspect.iscoroutine(answer) else answer) == expected


def test_examples_are_six_lines_at_the_most():
    assert len(CLIENTS) == 9
    assert all(sum(bool(line.strip()) for line in code.splitlines()) <= 6 for code in CLIENTS.values())
