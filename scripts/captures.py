"""Put real runs into the docs: part of `make captures`.

Between `<!-- run: juryrank ... -->` and `<!-- /run -->` stands what the command prints, between `<!-- printed -->`
and `<!-- /printed -->` what the Python block before it prints. The headline of README.md has its figures from the
demonstration shown there.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUN = re.compile(r"<!-- run: juryrank (?P<command>[^>]*?) -->\n```text\n.*?```\n<!-- /run -->", re.S)
PRINTED = re.compile(
    r"```python\n(?P<code>(?:(?!```).)*)```\n\n<!-- printed -->\n```text\n.*?```\n<!-- /printed -->", re.S
)
HEADLINE = re.compile(r"<!-- headline -->.*?<!-- /headline -->", re.S)
HEADLINE_TEXT = (
    "asking everybody alike takes {iir} questions,\nthe paper's adaptive ranker {ada}, juryrank {ours}: "
    "{times} times fewer. That is `make run`."
)


def renewed(text: str) -> str:
    """The page with every command run again."""
    commands = RUN.sub(lambda found: block(found["command"], printed(found["command"])), text)
    return with_headline(with_printed(commands))


def block(command: str, output: str) -> str:
    return f"<!-- run: juryrank {command} -->\n```text\n{output}```\n<!-- /run -->"


def printed(command: str) -> str:
    """What a command prints on standard output."""
    from typer.testing import CliRunner

    from juryrank.cli import build_app

    return CliRunner().invoke(build_app(), shlex.split(command)).stdout  # type: ignore[arg-type]


def with_printed(text: str) -> str:
    """The page with what its Python blocks print."""
    return PRINTED.sub(lambda found: _with_output(found["code"]), text)


def _with_output(code: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "docs", "exec"), {"__name__": "docs"})
    output = out.getvalue().rstrip() + "\n"
    return f"```python\n{code}```\n\n<!-- printed -->\n```text\n{output}```\n<!-- /printed -->"


def with_headline(text: str) -> str:
    """The page with the figures of its own demonstration in its headline."""
    if not HEADLINE.search(text):
        return text
    said = "<!-- headline -->" + HEADLINE_TEXT.format(**figures(text)) + "<!-- /headline -->"
    return HEADLINE.sub(lambda _: said, text)


def figures(text: str) -> dict[str, str]:
    """The questions that the demonstration reports."""
    found = dict(re.findall(r"^  ([a-z-]+) +([\d,]+)  ", text, flags=re.M))
    (times,) = re.findall(r"That is ([\d,]+) times fewer", text)
    return {"iir": found["iir"], "ada": found["ada-iir"], "ours": found["certified"], "times": times}


if __name__ == "__main__":
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text(encoding="utf-8")
        if RUN.search(text) or PRINTED.search(text):
            page.write_text(renewed(text), encoding="utf-8")
            print(f"wrote {page}")
