"""What a jury may say, in exact words: the checker's own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from juryrank.quoting import in_sentence, in_sentences
from juryrank.statements import failing_of, recorded_of, refuted_of, resolution_of, share_of, sure_of
from juryrank.verify.jury.setup import JuryOptions

LISTED = 8


SILENT = (
    "It says nothing about other cases or judges, nor whether the judges are right: it is about what they say."
)


def statement(
    setup: JuryOptions,
    order: Sequence[str],
    steps: int,
    *,
    counted: bool,
    changes: str = "",
    circle: bool = False,
    failing: str = "",
    refuted: bool = False,
) -> str:
    """The promise; `steps`: how many resolutions are proven; `counted`: all claims are counted, none inferred.

    `circle`: the answers go round in the order. `failing`: what is counted against the objective, or `refuted`.
    """
    if len(order) < 2:
        return "There is nothing to compare."
    if steps == 0 and refuted:
        parts = [failing, _about(setup), *_missing(setup), changes, SILENT, SEEDS[setup.seed_from]]
        return " ".join(filter(None, parts))
    if steps == 0:
        return failing or f"Nothing is proven yet about {_objective(setup)}; the order shown is a best guess."
    resolution = setup.resolutions[steps - 1]
    sure = "Counted" if counted else f"With probability at least {sure_of(setup.error)}"
    words = [failing, f"{sure}: {_claim(setup, order, share_of(resolution))}"]
    if setup.objective == "order" and resolution == 0:
        follows = 'If "at least as good" is transitive, the whole order holds.'
        words.append("The whole order does not follow, as the answers go in a circle." if circle else follows)
    words += [_about(setup), *_missing(setup)]
    if steps > 1:
        words.append(f"Proven at resolution {', then '.join(map(resolution_of, setup.resolutions[:steps]))}.")
    words += [changes, SILENT, SEEDS[setup.seed_from]]
    return " ".join(filter(None, words))


SEEDS = {
    "owner": "The draws follow a seed that its owner chose.",
    "committed": "The draws follow a seed that was committed by its hash before the first question.",
    "entropy": "The draws follow a seed that nobody chose, by the word of whoever made the study.",
}


def _objective(setup: JuryOptions) -> str:
    if setup.objective == "require":
        return "what is required"
    if setup.objective == "order":
        return "the order"
    return "the best one" if setup.k == 1 else f"the top {setup.k}"


def _claim(setup: JuryOptions, order: Sequence[str], share: str) -> str:
    kinds = _kinds(setup, "refusals count against it" if setup.against else "refusals left out")
    of = f"gets at least {share} of the answers given about that pair {kinds}."
    if setup.objective == "require":
        pairs = "; ".join(in_sentences(pair, " against ") for pair in setup.required)
        return f"{pairs}: the first {of}"
    if setup.objective == "order":
        return f"in the order {_names(order, ' > ')}, each system, against the next one, {of}"
    if setup.k == 1:
        return f"against each other system, taken singly, {in_sentence(order[0])} {of}"
    chosen = [item for item in setup.items if item in order[: setup.k]]  # a set has no order of its own
    return f"each of {_names(chosen, ', ')}, against each other system, taken singly, {of}"


def _kinds(setup: JuryOptions, refusals: str) -> str:
    shares = {share for u, share in enumerate(setup.shares) if u not in setup.left}
    weighed = ", by weight" if max(len(shares), len(set(setup.case_weights))) > 1 else ""
    return f"(ties count half, graded answers by their size, {refusals}{weighed})"


def failing(
    setup: JuryOptions,
    step: int,
    *,
    required: Sequence[tuple[str, str]],
    none: bool,
    refuted: Sequence[tuple[str, str]] = (),
) -> str:
    """What is counted against the objective: these required claims fail, or no choice meets it (`none`).

    `refuted`: required claims that are proven false where counting cannot tell yet.
    """
    if refuted and not required and step < len(setup.resolutions):
        kinds = _kinds(setup, "whatever was refused would have said" if setup.against else "refusals left out")
        return refuted_of(
            refuted,
            claims=len(setup.required),
            error=setup.error,
            resolution=setup.resolutions[-1],
            kinds=kinds,
        )
    if not required and not none:
        return ""
    resolution = setup.resolutions[step]
    return failing_of(required, k=setup.k, resolution=resolution, refusals_against=setup.against)


def changes(dropped: Sequence[str], judges: Sequence[str], items: Sequence[str]) -> str:
    """Who was dropped or joined after answers had been seen; empty: nobody."""
    parts = [f"{_many(len(dropped), 'judge')} dropped ({_names(dropped, ', ')})"] if dropped else []
    parts += [f"{_many(len(judges), 'judge')} joined ({_names(judges, ', ')})"] if judges else []
    parts += [f"{_many(len(items), 'system')} joined ({_names(items, ', ')})"] if items else []
    last = "The claims were fixed anew after the last change."
    return f"After the start: {'; '.join(parts)}. {last}" if parts else ""


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _names(order: Sequence[str], between: str) -> str:
    some = in_sentences(order[:LISTED], between)
    return some if len(order) <= LISTED else f"{some}{between}… ({len(order)} in all)"


def _about(setup: JuryOptions) -> str:
    cases = "" if setup.cases == (None,) else f", {_many(len(setup.cases), 'case')}"
    whose = f"{_many(setup.active, 'judge')}{cases}", "" if setup.single else ", both sides"
    if setup.fresh:
        return (
            f"This is about the mean answers of {''.join(whose)}, each answering anew every time; "
            "it assumes that the chances of a judge's answers to a question never change."
        )
    return (
        f"This is about all answers of the whole evaluation ({''.join(whose)}), asked or not; "
        "it assumes only that an answer does not depend on what else is asked."
    )


def _missing(setup: JuryOptions) -> list[str]:
    if setup.recorded:
        gone = [setup.absent.get(frozenset(pair), frozenset()) for pair in combinations(setup.items, 2)]
        return [
            recorded_of(
                [setup.active * (len(setup.cases) - len(cases.intersection(setup.cases))) for cases in gone]
            )
        ]
    out = sum(len(cases.intersection(setup.cases)) for cases in setup.absent.values())
    n = len(setup.items)
    whole = f"{n * (n - 1) // 2 * len(setup.cases):,} comparisons of two systems on one case"
    return [f"{out:,} of the {whole} are left out, as an output is missing."] if out else []
