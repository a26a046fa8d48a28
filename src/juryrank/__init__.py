"""Rank anything with judges you can't fully trust, with the fewest questions, and know when you are done."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from juryrank._version import __version__ as __version__

if TYPE_CHECKING:  # what a type checker sees; tests/package/test_typed_door.py holds it to be the same as `_DOOR`
    from juryrank import judges as judges
    from juryrank.errors import JuryrankError as JuryrankError
    from juryrank.rankers import make_ranker as make_ranker
    from juryrank.rankers import ranker_names as ranker_names
    from juryrank.rankers.certified.prover import Prover as Prover
    from juryrank.rankers.certified.prover import prove as prove
    from juryrank.run.cases import Case as Case
    from juryrank.run.rank import rank as rank
    from juryrank.simulation.planning.plan import plan as plan
    from juryrank.study import Study as Study
    from juryrank.study import create_study as create_study
    from juryrank.study import delete_study as delete_study
    from juryrank.study import list_studies as list_studies
    from juryrank.study import open_study as open_study
    from juryrank.types import SKIP as SKIP
    from juryrank.types import TIE as TIE
    from juryrank.types import Estimates as Estimates
    from juryrank.types import Grade as Grade
    from juryrank.types import ItemEstimate as ItemEstimate
    from juryrank.types import JudgeReport as JudgeReport
    from juryrank.types import Link as Link
    from juryrank.types import Question as Question
    from juryrank.types import Ranking as Ranking
    from juryrank.verify import Report as Report
    from juryrank.verify import verify as verify
    from juryrank.votes.fitting.entry import fit as fit
    from juryrank.votes.fitting.result import Fitted as Fitted

# The public door: name -> where it lives. Imported on first use, so that `import juryrank` needs numpy only.
_DOOR = {
    "rank": "juryrank.run.rank",
    "fit": "juryrank.votes.fitting.entry",
    "plan": "juryrank.simulation.planning.plan",
    "verify": "juryrank",  # the package itself can be called: see its end
    "create_study": "juryrank.study",
    "open_study": "juryrank.study",
    "list_studies": "juryrank.study",
    "delete_study": "juryrank.study",
    "make_ranker": "juryrank.rankers",
    "ranker_names": "juryrank.rankers",
    "prove": "juryrank.rankers.certified.prover",
    "TIE": "juryrank.types",
    "SKIP": "juryrank.types",
    "Case": "juryrank.run.cases",
    "Estimates": "juryrank.types",
    "Fitted": "juryrank.votes.fitting.result",
    "Grade": "juryrank.types",
    "ItemEstimate": "juryrank.types",
    "JudgeReport": "juryrank.types",
    "JuryrankError": "juryrank.errors",
    "Link": "juryrank.types",
    "Prover": "juryrank.rankers.certified.prover",
    "Question": "juryrank.types",
    "Ranking": "juryrank.types",
    "Report": "juryrank.verify",
    "Study": "juryrank.study",
}
_PACKAGES = ("judges", "verify")  # `juryrank.judges.openai(...)` after `import juryrank` alone

__all__ = ["__version__", *_DOOR]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"juryrank.{name}")
    if name not in _DOOR:
        raise AttributeError(f"module 'juryrank' has no attribute {name!r}")
    globals()[name] = found = getattr(importlib.import_module(_DOOR[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
