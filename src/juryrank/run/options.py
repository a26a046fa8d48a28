"""What `rank` was called with, checked, and put in the words that the chosen ranker knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from juryrank.errors import BadInput
from juryrank.log.chain import COMMITMENT, SecretSeed
from juryrank.rankers.choice import check_knows_cases, choose_ranker
from juryrank.rankers.contract.limits import option_names
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.jury.options import COMMITTED, ENTROPY, OWNER
from juryrank.rankers.registry import ranker_class


def checked_judges(judges: Any) -> dict[str, Callable[..., Any]]:
    """Judges by name, each of them callable."""
    if not isinstance(judges, Mapping):
        kind = type(judges).__name__
        raise BadInput(f"judges is a {kind}; give a mapping from name to function, such as {{'ann': ann}}")
    check_callable(judges)
    if not judges:
        raise BadInput("there is no judge to ask; give at least one")
    found = {str(name): judge for name, judge in judges.items()}
    if len(found) != len(judges):
        raise BadInput("two judges have names that read the same as text; names must differ")
    return found


def check_callable(judges: Mapping[Any, Any]) -> None:
    """Refuse judges that cannot be called.

    >>> check_callable({"ann": min})
    """
    for name, judge in judges.items():
        if not callable(judge):
            raise BadInput(f"judge {name!r} is {judge!r}, which cannot be called; give a function (left, right)")


def choice(
    ranker: str | None, fresh: bool, *, cases: bool = False, models: bool = False
) -> tuple[str, dict[str, Any], str]:
    """The ranker's name and options, and the reason where the choice was ours."""
    if cases and ranker is not None:
        check_knows_cases(ranker)
    if ranker is not None:
        ranker_class(ranker)  # refuses what it does not know, naming what there is
        return ranker, {}, ""
    name, options, reason = choose_ranker(
        source="cases" if cases else "models" if models else "callables", fresh=fresh
    )
    return name, dict(options), reason


def ranker_options(name: str, options: dict[str, Any], *, fresh: bool, assume: str | None) -> dict[str, Any]:
    """The ranker's own options: freshness under the ranker's own name for it; unknown options are refused."""
    known = option_names(ranker_class(name)) - option_names(Ranker)
    if "fresh" in known:
        options.setdefault("fresh", fresh)
    elif "repeats" in known:
        options.setdefault("repeats", None if fresh else 1)
    if assume is not None:
        options["assume"] = assume
    for option in options:
        if option not in known:
            raise BadInput(f"the ranker {name!r} has no option {option!r}; it has: {', '.join(sorted(known))}")
    return options


def seed_options(name: str, seed: int | None, *, secret: SecretSeed | None = None) -> dict[str, Any]:
    """Who chose the seed, for rankers that say so; `secret`: it is committed by its hash.

    >>> seed_options("jury", None), seed_options("iir", 1)
    ({'seed_from': 'entropy'}, {})
    """
    known = "seed_from" in option_names(ranker_class(name))
    if secret is not None:
        if not known:
            raise BadInput(f"the ranker {name!r} commits no seed; this is for systems on cases")
        return {"seed_from": COMMITTED, COMMITMENT: secret.commitment}
    return {"seed_from": ENTROPY if seed is None else OWNER} if known else {}


def positive(value: Any, what: str) -> Any:
    """The value, if it is None or more than 0."""
    if value is not None and not value > 0:
        raise BadInput(f"{what} is {value!r}; it must be more than 0")
    return value
