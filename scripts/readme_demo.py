"""Put a real run of `juryrank demo` into README.md, and its figures into the headline: part of `make docs`."""

from __future__ import annotations

import re
from pathlib import Path

TARGET = Path(__file__).parents[1] / "README.md"
HEADLINE = (
    "asking everybody alike takes {iir} questions,\nthe paper's adaptive ranker {ada}, juryrank {ours}: "
    "{times} times fewer. That is `make run`."
)


def readme(text: str, demo: str) -> str:
    """The README with this demonstration in it."""
    block = f"<!-- demo -->\n```text\n{demo}```\n<!-- /demo -->"
    text = re.sub(r"<!-- demo -->.*?<!-- /demo -->", lambda _: block, text, flags=re.S)
    headline = "<!-- headline -->" + HEADLINE.format(**figures(demo)) + "<!-- /headline -->"
    return re.sub(r"<!-- headline -->.*?<!-- /headline -->", lambda _: headline, text, flags=re.S)


def figures(demo: str) -> dict[str, str]:
    """The questions that the demonstration reports."""
    found = dict(re.findall(r"^  ([a-z-]+) +([\d,]+)  ", demo, flags=re.M))
    (times,) = re.findall(r"That is ([\d,]+) times fewer", demo)
    return {"iir": found["iir"], "ada": found["ada-iir"], "ours": found["certified"], "times": times}


def main() -> None:
    from typer.testing import CliRunner

    from juryrank.cli import build_app

    run = CliRunner().invoke(build_app(), ["demo"])  # type: ignore[arg-type]
    TARGET.write_text(readme(TARGET.read_text(encoding="utf-8"), run.stdout), encoding="utf-8")
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
