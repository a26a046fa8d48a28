"""Where a fit begins: `juryrank.fit`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from juryrank.defaults import FIT_LEVEL
from juryrank.errors import BadInput, BadVotes, install_line
from juryrank.votes.fitting.ballots import TIED, Ballots, assemble
from juryrank.votes.fitting.core import estimate, has_scipy, needs_scipy
from juryrank.votes.fitting.model import Spec, check_words, spec_for
from juryrank.votes.fitting.result import Fitted, check_scale
from juryrank.votes.fitting.sources import ballots_of

NO_SCIPY = (
    "the package scipy is not installed, so this is plain Bradley-Terry; to let judges differ, install it with: "
)


def fit(
    votes: Any,
    model: str = "auto",
    *,
    ties: str = "auto",
    side: str = "auto",
    level: float = FIT_LEVEL,
    scale: str = "logit",
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    skip_bad: bool = False,
    format: str | None = None,
    tie: str | Sequence[str] = (),
    control: str | Sequence[str] = (),
) -> Fitted:
    """Scores from votes that exist already: a path, a data frame, rows, or a study; `format` names a file's.

    `tie` says which words mean that there is no difference; `control` which columns to control for, such as
    "length": scores are then those at equal length, and `without` holds the others.

    >>> rows = [("ann", "x", "y", "x"), ("bob", "y", "x", "x"), ("cid", "x", "y", "y")]
    >>> fitted = fit(rows)
    >>> fitted.order, fitted.model, round(fitted.win("x", "y"), 3)
    (('x', 'y'), 'bt', 0.667)
    """
    check_words(model=model, ties=ties, side=side)
    check_scale(scale)
    if not 0 < level < 1:
        raise BadInput(f"the level is {level}; it is between 0 and 1, such as 0.95")
    controls = (control,) if isinstance(control, str) else tuple(control)
    ballots = ballots_of(
        votes, columns=columns, encoding=encoding, skip_bad=skip_bad, format=format, tie=tie, control=controls
    )
    if ties == "davidson" and ballots.grade is not None:  # three outcomes have no room for grades
        ballots = replace(ballots, grade=None, notes=(*ballots.notes, "grades count by their side alone"))
    if ties == "drop":
        ballots = without_ties(ballots)
    how = {"ties": ties, "side": side}
    spec = spec_for(ballots, model=model, **how)
    ballots, spec = _with_what_is_there(ballots, spec, chosen=model)
    shown: dict[str, Any] = {"level": level, "scale": scale, "options": how}
    if not controls:
        return Fitted(estimate(ballots, spec), **shown)
    plain = estimate(replace(ballots, control=None, controls=()), replace(spec, controls=0))
    return Fitted(estimate(ballots, spec), without=Fitted(plain, **shown), **shown)


def without_ties(ballots: Ballots) -> Ballots:
    """The decided votes; says how many ties were left out."""
    if ballots.ties == ballots.total:
        raise BadVotes("every vote is a tie: with ties left out (--ties drop) nothing remains to fit")
    if not ballots.ties:
        return ballots
    rest = ballots.part(ballots.outcome != TIED)  # a grade of 0 is a tie
    return ballots_again(replace(rest, left_out=(*ballots.left_out, f"left out: {ballots.ties:,} ties")))


def ballots_again(ballots: Ballots) -> Ballots:
    """The same votes with only those items and judges that still have some."""
    gone = [name for name, count in zip(ballots.items, ballots.seen(), strict=True) if not count]
    return assemble(
        ballots.judge, ballots.left, ballots.right, ballots.outcome, names=list(ballots.items),
        judges=list(ballots.judges), case=ballots.case, case_names=ballots.cases, grade=ballots.grade,
        count=ballots.count, control=ballots.control, controls=ballots.controls, judged=ballots.judged,
        sided=ballots.sided, duplicates=ballots.duplicates, left_out=ballots.left_out, notes=ballots.notes,
        never_compared=(*ballots.never_compared, *gone),
    )  # fmt: skip


def _with_what_is_there(ballots: Ballots, spec: Spec, *, chosen: str) -> tuple[Ballots, Spec]:
    """Without scipy, `auto` is plain Bradley-Terry, and says so; what was asked for by name is refused later."""
    if has_scipy() or chosen != "auto" or not needs_scipy(spec):
        return ballots, spec
    return replace(ballots, notes=(*ballots.notes, NO_SCIPY + install_line("fit"))), Spec("bt", tie=spec.tie)
