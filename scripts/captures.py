"""Put real runs into README.md and docs/: part of `make captures`. A test compares every page with its renewal.

    <!-- run: juryrank ... -->   what the command prints (`| head -n 9`, `| tail -n 9`: nine lines of it)
    <!-- printed -->             what the Python block before it prints
    <!-- verify -->              what `juryrank verify` says of a small certificate
    <!-- cheeses -->             the example of docs/images/make.py at 80 columns
    ```console                   each `$ juryrank ...` with what it prints, in a folder of the page's own files
                                 (blocks that begin ```text file=NAME)

The headlines of README.md have their figures from the runs shown there.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import runpy
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
RUN = re.compile(r"<!-- run: juryrank (?P<command>[^>]*?) -->\n```text\n.*?```\n<!-- /run -->", re.S)
PRINTED = re.compile(
    r"```python\n(?P<code>(?:(?!```).)*)```\n\n<!-- printed -->\n```text\n.*?```\n<!-- /printed -->", re.S
)
MADE = re.compile(r"<!-- (?P<what>verify|cheeses) -->\n```text\n.*?```\n<!-- /(?P=what) -->", re.S)
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<body>.*?)^```$", re.M | re.S)
PROGRESS = re.compile(r"^placed \d+/\d+, settled .*\n", re.M)  # how many lines there are hangs on the machine
CALLS = re.compile(r"<!-- calls -->.*?<!-- /calls -->", re.S)
HEADLINE = re.compile(r"<!-- headline -->.*?<!-- /headline -->", re.S)
HEADLINE_TEXT = (
    "asking everybody alike takes {iir} questions,\nthe paper's adaptive ranker {ada}, juryrank {ours}: "
    "{times} times fewer. That is `juryrank demo`."
)


def renewed(text: str) -> str:
    """The page with everything run again."""
    text = RUN.sub(
        lambda found: _block(f"run: juryrank {found['command']}", printed(found["command"]), "run"), text
    )
    text = PRINTED.sub(lambda found: _with_output(found["code"]), text)
    text = MADE.sub(lambda found: _block(found["what"], MAKERS[found["what"]](), found["what"]), text)
    return with_headline(with_consoles(text))


def _block(opens: str, output: str, closes: str) -> str:
    return f"<!-- {opens} -->\n```text\n{output.rstrip()}\n```\n<!-- /{closes} -->"


# ---------------------------------------------------------------------------- commands
def printed(command: str) -> str:
    """What `juryrank command` prints on standard output; with `| head` or `| tail` as one sees it."""
    asked, _, part = command.partition(" | ")
    text = _streams(asked)[0]
    if not part:
        return text
    which, most = part.split(" -n ")
    lines = text.splitlines(keepends=True)
    lines = lines[: int(most)] if which == "head" else lines[-int(most) :]
    typed = textwrap.wrap(f"$ juryrank {command}", 76, break_long_words=False, break_on_hyphens=False)
    return " \\\n    ".join(typed) + "\n" + "".join(lines)


def spoken(command: str) -> str:
    """What one sees at the terminal: standard output, then errors; what was left out comes first."""
    text, errors = _streams(command)
    errors = PROGRESS.sub("", errors)
    return errors + text if errors.startswith("left out") else text + errors


def _streams(command: str) -> tuple[str, str]:
    from juryrank.cli import main

    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    before, sys.argv = sys.argv, ["juryrank", *shlex.split(command)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
            main()
    finally:
        sys.argv = before
    out.flush()
    return out.buffer.getvalue().decode(), err.getvalue()


def with_consoles(text: str) -> str:
    """The page with its sessions at the terminal typed again, one after the other."""
    if "```console\n" not in text:
        return text
    with _own_folder() as folder:
        return BLOCK.sub(lambda found: _typed_again(found, folder), text)


def _typed_again(found: re.Match[str], folder: Path) -> str:
    if found["file"]:
        (folder / found["file"]).write_text(found["body"], encoding="utf-8")
    if found["kind"] != "console":
        return found[0]
    commands = re.findall(r"^\$ juryrank (.*)\n", found["body"], re.M)
    return "```console\n" + "".join(f"$ juryrank {one}\n{spoken(one)}" for one in commands) + "```"


@contextlib.contextmanager
def _own_folder() -> Iterator[Path]:
    before, storage = Path.cwd(), os.environ.pop("JURYRANK_STORAGE", None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)
            if storage is not None:
                os.environ["JURYRANK_STORAGE"] = storage


# ---------------------------------------------------------------------------- Python
def _with_output(code: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "docs", "exec"), {"__name__": "docs"})
    return f"```python\n{code}```\n\n{_block('printed', out.getvalue(), 'printed')}"


def verified() -> str:
    """What `juryrank verify` says of five nuts, ranked by three judges who answer afresh."""
    from juryrank import rank
    from juryrank.judges import simulated

    nuts = ["almond", "cashew", "hazelnut", "pecan", "walnut"]
    result = rank(nuts, simulated(nuts, [0.98, 0.95, 0.9]), about="truth", error=0.05, seed=1, progress=False)
    with _own_folder():
        Path("result.json").write_text(json.dumps(result.certificate()), encoding="utf-8")
        return printed("verify result.json")


def cheeses() -> str:
    """The terminal's view of docs/images/make.py."""
    made = runpy.run_path(str(ROOT / "docs" / "images" / "make.py"))
    return str(made["terminal"](made["result"]()))


MAKERS: dict[str, Callable[[], str]] = {"verify": verified, "cheeses": cheeses}


# ---------------------------------------------------------------------------- the headline
def with_headline(text: str) -> str:
    """The page with the figures of its own runs in its headlines."""
    if not HEADLINE.search(text):
        return text
    part, whole = re.findall(r"^([\d,]+) of ([\d,]+) calls of the whole evaluation", text, flags=re.M)[0]
    text = CALLS.sub(f"<!-- calls -->{part} of its {whole} verdicts<!-- /calls -->", text)
    said = "<!-- headline -->" + HEADLINE_TEXT.format(**figures(text)) + "<!-- /headline -->"
    return HEADLINE.sub(lambda _: said, text)


def figures(text: str) -> dict[str, str]:
    """The questions that the demonstration reports."""
    found = dict(re.findall(r"^  ([a-z-]+) +([\d,]+)  ", text, flags=re.M))
    (times,) = re.findall(r"That is ([\d,]+) times fewer", text)
    return {"iir": found["iir"], "ada": found["ada-iir"], "ours": found["certified"], "times": times}


if __name__ == "__main__":
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = renewed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"wrote {page}")
