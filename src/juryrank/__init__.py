"""Rank anything with judges you can't fully trust, with the fewest questions, and know when you are done."""

from __future__ import annotations

import importlib
from typing import Any

from juryrank._version import __version__

# The public door: name -> where it lives. Imported on first use, so that `import juryrank` needs numpy only.
_DOOR = {
    "TIE": "juryrank.types",
    "SKIP": "juryrank.types",
    "Grade": "juryrank.types",
    "Question": "juryrank.types",
    "Link": "juryrank.types",
    "Ranking": "juryrank.types",
    "JudgeReport": "juryrank.types",
    "Case": "juryrank.run.cases",
    "JuryrankError": "juryrank.errors",
    "make_ranker": "juryrank.rankers",
    "ranker_names": "juryrank.rankers",
    "rank": "juryrank.run.rank",
    "fit": "juryrank.votes.fitting.entry",
    "Prover": "juryrank.rankers.certified.prover",
    "prove": "juryrank.rankers.certified.prover",
    "create_study": "juryrank.study",
    "open_study": "juryrank.study",
    "list_studies": "juryrank.study",
    "delete_study": "juryrank.study",
}

__all__ = ["__version__", *_DOOR]


def __getattr__(name: str) -> Any:
    if name == "judges":  # `juryrank.judges.openai(...)` after `import juryrank` alone
        return importlib.import_module("juryrank.judges")
    if name not in _DOOR:
        raise AttributeError(f"module 'juryrank' has no attribute {name!r}")
    return getattr(importlib.import_module(_DOOR[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
