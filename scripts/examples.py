"""Run every example again and put what it prints, and its figure, into its page: part of `make captures`.

    python scripts/examples.py [words pictures ...]      only these

The words around the output are written by hand: read them again when the output has changed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHOWN = re.compile(r"^```text\n.*?^```$", re.M | re.S)
FIGURE = re.compile(r"\]\((images/example-[\w.-]+)\)")
PROGRAM = re.compile(r"^python (examples/\w+\.py)", re.M)


def renewed(page: Path) -> str:
    """The page with what its program prints now; its figure is drawn on the way."""
    text = page.read_text(encoding="utf-8")
    (program,), figures = PROGRAM.findall(text), FIGURE.findall(text)
    command = [sys.executable, str(ROOT / program)]
    if figures:
        command += ["--figure", str(page.parent / figures[0])]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "Agg", "JURYRANK_QUIET": "1"}
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=env, cwd=ROOT).stdout
    return SHOWN.sub(lambda _: f"```text\n{said.rstrip()}\n```", text, count=1)


def main() -> None:
    for page in sorted((ROOT / "docs").glob("example-*.md")):
        if len(sys.argv) > 1 and not any(name in page.stem for name in sys.argv[1:]):
            continue
        before, after = page.read_text(encoding="utf-8"), renewed(page)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}: read its words again")


if __name__ == "__main__":
    main()
