"""Put two pictures into CONTRIBUTING.md: the packages, and the path of one answer. Part of `make captures`.

The packages are read from the layers that the import linter checks and from the first lines of their docstrings;
the path is traced through a server in this process, from the page's request to the evidence of a link.
"""

from __future__ import annotations

import ast
import re
import threading
import tomllib
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "juryrank"
PAGE = ROOT / "CONTRIBUTING.md"
WIDTH = 100
FAMILIES = "rankers"  # one family, one room
Hop = tuple[str, str]  # file, function


def with_pictures(text: str) -> str:
    """The page with both pictures drawn again."""
    return _between("path", path_picture(answer_path()), _between("packages", packages_picture(), text))


def _between(name: str, picture: str, text: str) -> str:
    block = re.compile(rf"<!-- {name} -->\n.*?<!-- /{name} -->", re.S)
    return block.sub(lambda _: f"<!-- {name} -->\n```text\n{picture}```\n<!-- /{name} -->", text)


# ---------------------------------------------------------------------------- packages
def packages_picture() -> str:
    """One line per package, the highest first, and one per family of rankers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = (one["layers"] for one in project["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    names = [part.strip().removeprefix("juryrank.") for layer in layers for part in layer.split("|")]
    return "".join(line for name in names for line in _lines(name))


def _lines(name: str) -> list[str]:
    folder = SOURCE / name
    if not folder.is_dir():
        return [_line(f"{name}.py", SOURCE / f"{name}.py")]
    inner = sorted(path.parent for path in folder.glob("*/__init__.py")) if name == FAMILIES else []
    return [_line(f"{name}/", folder / "__init__.py")] + [
        _line(f"  {one.name}/", one / "__init__.py") for one in inner
    ]


def _line(name: str, module: Path) -> str:
    doc = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    first = " ".join(doc.split("\n\n")[0].split())
    words = re.split(r"(?<=[.:;]) ", first)[0].rstrip(".:;")
    return f"{name:<18}{words if len(words) <= WIDTH - 18 else words[: WIDTH - 19].rsplit(' ', 1)[0] + ' …'}\n"


# ---------------------------------------------------------------------------- the path of one answer
def path_picture(path: list[Hop]) -> str:
    """One line per call, from the page to the evidence."""
    wide = max(len(file) for file, _ in path)
    return "".join(f"{file:<{wide}}  {function}\n" for file, function in path)


def answer_path() -> list[Hop]:
    """The calls within juryrank from a page's answer to the evidence that it changes."""
    from starlette.testclient import TestClient

    from juryrank.server.app import create_app
    from juryrank.server.settings import ServerSettings
    from juryrank.storage import MemoryStorage

    found: list[list[Hop]] = []
    threading.setprofile(lambda frame, event, _: _look(frame, event, found))
    try:
        with TestClient(create_app(ServerSettings(), storage=MemoryStorage())) as client:
            link = judge_link(client)
            card = client.post(f"{link}/next", json={}, headers=JSON).json()
            while not found and (question := card.get("question")):
                better = "left" if question["left"]["item"] < question["right"]["item"] else "right"
                sent = {"question": question["id"], "answer": better}
                card = client.post(f"{link}/answer", json=sent, headers=JSON).json()
    finally:
        threading.setprofile(None)
    return min(found, key=len)


JSON = {"accept": "application/json"}


def judge_link(client: Any) -> str:
    """A study of three items and one judge; the judge's link."""
    from juryrank.server.studies.creating import StudyDraft, make_study
    from juryrank.server.studies.intake import NewItem, NewJudge

    context = client.app.state.context
    items, judges = [NewItem(name) for name in "abc"], [NewJudge("ann")]
    study = make_study(
        context.open_studies, StudyDraft("one", items, judges, ranker="certified", fresh=True, seed=7)
    )
    return f"/j/{context.vault.issue_link(study.id, study.judges[0])}"


def _look(frame: FrameType, event: str, found: list[list[Hop]]) -> None:
    if event != "call" or frame.f_code.co_name != "log_bet":
        return
    hops: list[Hop] = []
    calling: FrameType | None = frame
    while calling is not None:
        file = Path(calling.f_code.co_filename)
        if file.is_relative_to(SOURCE):
            name = calling.f_code.co_qualname
            hops.append((str(file.relative_to(SOURCE)), name.replace(".<locals>.", ".")))
        calling = calling.f_back
    told = any(function == "Ranker.tell" for _, function in hops)
    if told and hops[1][0].startswith("rankers/certified/core/prove/") and "count" in hops[1][1]:
        found.append(hops[::-1])


if __name__ == "__main__":
    PAGE.write_text(with_pictures(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE}")
