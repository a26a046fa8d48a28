"""How a model judge is set up: which model and where, how it is asked, what it costs, how fast it may be asked.

    judge = juryrank.judges.openai("qwen3-8b", url="http://127.0.0.1:8080/v1")
    judges = juryrank.judges.from_file("judges.toml")

A key is never written here: `key_env` names the environment variable that holds it, `key_command` a program that
prints it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from juryrank.defaults import BATCH_OPEN, MODEL_RETRIES, MODEL_SECONDS, MODEL_TOKENS, OPEN_AT_ONCE
from juryrank.errors import BadInput, shown

if TYPE_CHECKING:
    from juryrank.judges.models.judge import ModelJudge

APIS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}
FIELD = re.compile(r"\{([A-Za-z_]\w*)(?:\.(\w+))?\}")  # of a template
FIELDS = ("ask", "left", "right", "case")
NEEDED = ("name", "api", "model")
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
ASK = "Which of the two is better?"
ANSWERS = ("left", "right", "tie")
SECRETS = ("key", "api_key", "apikey", "token", "secret", "password", "authorization")  # no names of settings
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LOOPBACK = ("http://127.0.0.1", "http://localhost", "http://[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in the currency of the study's budget."""

    input: float
    output: float

    def of(self, *, input: int, output: int) -> float:
        """The price of one call.

        >>> Price(input=0.4, output=1.6).of(input=1_000_000, output=500_000)
        1.2
        """
        return (self.input * input + self.output * output) / 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """The most requests and tokens per minute (`window`: another length, in seconds)."""

    requests: int | None = None
    tokens: int | None = None
    window: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """All settings of one judge. All but the limits are part of the cache's key."""

    name: str
    api: str
    model: str
    url: str = ""
    key_env: str = ""
    key_command: str = ""
    ask: str = ASK
    template: str = ""  # a prompt of your own: {ask}, {left}, {right}, {case}, {left.title}
    answers: tuple[str, ...] = ANSWERS  # or a scale, best for the left one first: "much better" .. "much worse"
    reason: bool = True  # a short reason before the verdict; small models do better without
    max_tokens: int = MODEL_TOKENS
    temperature: float | None = None
    sides: str = "random"  # "both": asked twice, and an answer that flips is a tie
    extra: Mapping[str, Any] = field(default_factory=dict)  # more fields for the request's body
    price: Price | None = None
    concurrency: int = OPEN_AT_ONCE
    rate: Rate = Rate()
    timeout: float = MODEL_SECONDS  # seconds for one call
    retries: int = MODEL_RETRIES  # calls for one question that fail before it is given up
    cache: bool = True
    batch: bool = False  # questions go in batches: half the price, answers within a day

    def __post_init__(self) -> None:
        check(self)

    @property
    def address(self) -> str:
        """Where it is asked, without a slash at the end."""
        return (self.url or APIS[self.api]).rstrip("/")

    @property
    def key_name(self) -> str:
        """The environment variable that must hold its key; "": it needs none, or has a key_command."""
        if self.key_command:
            return ""
        return self.key_env or ("" if self.address.startswith(LOOPBACK) else KEYS[self.api])

    def in_batches(self) -> ModelSettings:
        """The same judge, asked in batches, with as many questions in each as is usual."""
        return replace(self, batch=True, concurrency=max(self.concurrency, BATCH_OPEN))

    def check_key(self) -> None:
        """Refuse to begin where the variable of the key is not set."""
        if self.key_name and not os.environ.get(self.key_name, "").strip():
            raise BadInput(
                f"judge {shown(self.name)} needs a key: set the environment variable {self.key_name}, or name "
                "another with key_env (or key_command)"
            )

    def key(self) -> str | None:
        """The secret, fetched when it is needed; None where the endpoint wants none."""
        if not (self.key_name or self.key_command):
            return None
        self.check_key()
        found = _printed_by(self.key_command) if self.key_command else os.environ[self.key_name].strip()
        if not (found.isascii() and found.isprintable() and found):
            where = "what the key_command prints" if self.key_command else f"what {self.key_name} holds"
            raise BadInput(
                f"judge {shown(self.name)}: {where} is not a key: it is empty, or has line breaks or letters no "
                "key has (a pasted quotation mark, say)"
            )
        return found

    def identity(self) -> dict[str, Any]:
        """What decides an answer: the part of the settings that the cache's key holds."""
        names = ("api", "model", "ask", "template", "answers", "reason", "max_tokens", "temperature", "extra")
        return {"address": self.address, **{name: getattr(self, name) for name in names}}


def openai(model: str, *, name: str = "", **settings: Any) -> ModelJudge:
    """A judge behind OpenAI's chat completions: also vLLM, llama.cpp, Ollama, LM Studio, OpenRouter.

    >>> judge = openai("small", url="http://127.0.0.1:8080/v1", temperature=1.0)
    >>> judge.settings.name, judge.settings.address
    ('small', 'http://127.0.0.1:8080/v1')
    """
    return _judge("openai", model, name, settings)


def anthropic(model: str, *, name: str = "", **settings: Any) -> ModelJudge:
    """A judge behind Anthropic's messages.

    >>> anthropic("claude", key_env="MY_KEY", price={"input": 3.0, "output": 15.0}).settings.model
    'claude'
    """
    return _judge("anthropic", model, name, settings)


def from_file(path: str | Path) -> dict[str, ModelJudge]:
    """The judges of a TOML file, by name; settings above the first [[judge]] are shared by all of them.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "judges.toml"
    ...     _ = file.write_text('[[judge]]\\napi = "openai"\\nname = "small"\\nmodel = "qwen3-8b"\\n')
    ...     list(from_file(file))
    ['small']
    """
    from juryrank.judges.models.judge import ModelJudge

    return {each.name: ModelJudge(each) for each in read_settings(path)}


def from_word(name: str, kind: str, rest: str) -> ModelJudge:
    """The judge of `--judge NAME=openai:MODEL[@URL]`."""
    model, _, url = rest.partition("@")
    return _judge(kind, model, name, {"url": url} if url else {})


def read_settings(path: str | Path) -> list[ModelSettings]:
    """The settings in a judges file, all of them checked."""
    file = Path(path)
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"there is no file {shown(str(path))}; write one with a [[judge]] per model") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadInput(f"{shown(str(path))} cannot be read as TOML: {problem}; correct the file there") from None
    rows = found.pop("judge", None)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise BadInput(f"{shown(str(path))} names no judge; it needs a [[judge]] with name, api and model")
    made = [
        _from_row({**found, **row}, where=f"judge {place}", folder=file.parent)
        for place, row in enumerate(rows, 1)
    ]
    names = [each.name for each in made]
    if twice := {name for name in names if names.count(name) > 1}:
        raise BadInput(
            f"{shown(str(path))} names the judge {shown(min(twice))} twice; give each a name of its own"
        )
    return made


def _judge(api: str, model: str, name: str, settings: Mapping[str, Any]) -> ModelJudge:
    from juryrank.judges.models.judge import ModelJudge

    row = {"name": name or model, "api": api, "model": model, **settings}
    return ModelJudge(_from_row(row, where=f"judge {name or model}", folder=Path()))


def _from_row(row: Mapping[str, Any], *, where: str, folder: Path) -> ModelSettings:
    known = {each.name for each in fields(ModelSettings)}
    extra = row.get("extra")
    names = [*row, *(extra if isinstance(extra, Mapping) else ())]
    if secret := {name for name in names if name.lower().replace("-", "_") in SECRETS}:
        raise BadInput(
            f"{where} holds a key under {min(secret)!r}; keys do not belong in files: put it in an "
            "environment variable and name that with key_env"
        )
    if unknown := sorted(row.keys() - known):
        raise BadInput(f"{where} has no setting {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    if missing := [name for name in NEEDED if name not in row]:
        raise BadInput(f"{where} has no {' and no '.join(missing)}; every [[judge]] needs {', '.join(NEEDED)}")
    values = dict(row)
    if values.get("batch") is True:
        values.setdefault("concurrency", BATCH_OPEN)
    try:
        if isinstance(values.get("price"), Mapping):
            values["price"] = Price(**values["price"])
        if isinstance(values.get("rate"), Mapping):
            values["rate"] = Rate(**values["rate"])
        if isinstance(values.get("answers"), list):
            values["answers"] = tuple(values["answers"])
        if values.get("template") and "{" not in values["template"]:
            values["template"] = (folder / values["template"]).read_text(encoding="utf-8")
        return ModelSettings(**values)
    except (TypeError, AttributeError):
        raise BadInput(
            f"{where}: its price or rate cannot be read; write price = {{ input = 0.4, output = 1.6 }} and "
            "rate = { requests = 50, tokens = 40000 }"
        ) from None
    except OSError as problem:
        raise BadInput(f"{where}: its template cannot be read: {problem.strerror}") from None


def check(s: ModelSettings) -> None:
    """Refuse settings that cannot work, and say what to write instead."""
    if not (isinstance(s.name, str) and s.name.strip()):
        raise BadInput("a judge needs a name")
    if s.api not in APIS:
        raise BadInput(f"judge {shown(s.name)}: there is no api {s.api!r}; there are: {', '.join(APIS)}")
    if not (isinstance(s.model, str) and s.model.strip()):
        raise BadInput(f"judge {shown(s.name)} names no model")
    if s.url and not s.url.startswith(("http://", "https://")):
        raise BadInput(f"judge {shown(s.name)}: the url {shown(s.url)} must start with http:// or https://")
    if set("@?#").intersection(s.url):
        raise BadInput(
            f"judge {shown(s.name)}: its url holds an @, ? or #: give the address alone, as in "
            "http://127.0.0.1:8080/v1, and a key by key_env"
        )
    if s.key_env and not VARIABLE.fullmatch(s.key_env):
        raise BadInput(
            f"judge {shown(s.name)}: key_env is the name of an environment variable (letters, digits, _), and "
            "never the key itself"
        )
    if s.sides not in ("random", "both"):
        raise BadInput(f"judge {shown(s.name)}: sides is {s.sides!r}; it is 'random' or 'both'")
    if len(s.answers) < 2 or len(set(s.answers)) != len(s.answers) or not all(map(str.strip, s.answers)):
        raise BadInput(
            f"judge {shown(s.name)}: answers are at least two different words, best for the left one first"
        )
    if not isinstance(s.batch, bool):
        raise BadInput(f"judge {shown(s.name)}: batch is {s.batch!r}; it is true or false")
    if s.batch and not s.cache:
        raise BadInput(
            f"judge {shown(s.name)}: batch needs the cache, where the batches that are out are on record; leave "
            "out cache = false, or batch"
        )
    _check_template(s)
    _check_numbers(s)


def _check_template(s: ModelSettings) -> None:
    """Refuse a custom template that does not show both items, or names a field that does not exist."""
    if not s.template:
        return
    named = [(found[1], found[0]) for found in FIELD.finditer(s.template)]
    if wrong := [whole for name, whole in named if name not in FIELDS]:
        raise BadInput(
            f"judge {shown(s.name)}: its template has {shown(wrong[0])}; there are {{ask}}, {{left}}, {{right}}, "
            "{case}, and fields of rows as in {left.title}"
        )
    if missing := [name for name in ("left", "right") if name not in dict(named)]:
        raise BadInput(f"judge {shown(s.name)}: its template never shows {{{missing[0]}}}; it must show both")


def _check_numbers(s: ModelSettings) -> None:
    whole = {"max_tokens": (s.max_tokens, 1), "concurrency": (s.concurrency, 1), "retries": (s.retries, 0)}
    for what, limit in (("requests", s.rate.requests), ("tokens", s.rate.tokens)):
        if limit is not None:
            whole[f"rate.{what}"] = (limit, 1)
    for what, (number, least) in whole.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            raise BadInput(f"judge {shown(s.name)}: {what} is {number!r}; it is a whole number, {least} or more")
    prices = [] if s.price is None else [("price.input", s.price.input), ("price.output", s.price.output)]
    for what, value in (*prices, ("timeout", s.timeout), ("rate.window", s.rate.window)):
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < float("inf"):
            raise BadInput(f"judge {shown(s.name)}: {what} is {value!r}; it is a number, 0 or more")
    if s.temperature is not None and not (isinstance(s.temperature, int | float) and 0 <= s.temperature <= 10):
        raise BadInput(f"judge {shown(s.name)}: temperature is {s.temperature!r}; it is a number, 0 or more")
    if s.timeout <= 0 or s.rate.window <= 0:
        raise BadInput(f"judge {shown(s.name)}: timeout and rate.window must be more than 0 seconds")


def _printed_by(command: str) -> str:
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=30, check=True)
    except (OSError, ValueError, subprocess.SubprocessError):
        program = command.split(maxsplit=1)[0] if command.strip() else ""
        raise BadInput(f"the key_command {shown(program)} gave no key; try it in a terminal") from None
    return done.stdout.strip()
