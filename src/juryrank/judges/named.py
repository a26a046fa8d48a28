"""Judges from a word: `python:module:function` or `cmd:PROGRAM`, as the command line takes them."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

from juryrank.defaults import PROGRAM_SECONDS
from juryrank.errors import BadInput
from juryrank.judges.command import CommandJudge
from juryrank.judges.models.settings import APIS, from_word
from juryrank.judges.recorded import table

HOW = (
    "write NAME=python:module:function, NAME=cmd:PROGRAM, NAME=openai:MODEL[@URL], NAME=anthropic:MODEL or "
    "NAME=table:VOTES"
)


def judge_named(text: str, *, time_limit: float | None = PROGRAM_SECONDS) -> tuple[str, Callable[..., Any]]:
    """The name and the judge of a text such as `ann=cmd:./ask.sh`.

    >>> name, judge = judge_named("smaller=python:operator:lt")
    >>> name
    'smaller'
    """
    name, equals, source = text.partition("=")
    kind, colon, rest = source.partition(":")
    if not (name and equals and colon and rest):
        raise BadInput(f"--judge {text!r} cannot be read; {HOW}")
    if kind == "cmd":
        return name, CommandJudge(rest, name=name, time_limit=time_limit)
    if kind == "python":
        return name, python_judge(rest)
    if kind == "table":
        return name, table(rest, name)
    if kind in APIS:
        return name, from_word(name, kind, rest)
    raise BadInput(f"--judge {text!r}: there is no kind of judge {kind!r}; {HOW}")


def python_judge(path: str) -> Callable[..., Any]:
    """The function behind `module:function`; modules in the working directory are found too.

    >>> python_judge("builtins:max")("a", "b")
    'b'
    """
    module_name, colon, attribute = path.partition(":")
    if not (module_name and colon and attribute):
        raise BadInput(f"{path!r} does not name a function; write module:function, such as my_judges:ann")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = importlib.import_module(module_name)
    except Exception as problem:  # whatever the module does when imported
        raise BadInput(
            f"the module {module_name!r} cannot be imported ({type(problem).__name__}: {problem}); "
            "run from the folder that holds it, or set PYTHONPATH"
        ) from problem
    for part in attribute.split("."):
        found = getattr(found, part, None)  # type: ignore[assignment]
    if not callable(found):
        raise BadInput(f"{module_name!r} has no function {attribute!r} that could answer; check the name")
    return found
