"""`rank`: open a session, let the judges answer, give back the result."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from juryrank.core.chance import fresh_seed
from juryrank.core.watches import by_side
from juryrank.defaults import CASE_TRIES, DEFAULT_ERROR
from juryrank.errors import BadInput, JudgeFailed, shown
from juryrank.judges.models.client import RUN_AGAIN
from juryrank.judges.models.gold import gold_pairs
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import Purse
from juryrank.log.bodies import Probed
from juryrank.quoting import in_sentence
from juryrank.rankers.choice import GUESS, Choice, WhoAnswers, check_enough
from juryrank.run.cases import CaseCatalogue, case_catalogue, read_outputs
from juryrank.run.cases.case import frame_rows
from juryrank.run.cases.catalogue import case_options, same_option
from juryrank.run.display import progress_now, showing, ticker
from juryrank.run.forecast import before_options
from juryrank.run.gold import GoldPlan
from juryrank.run.items import Catalogue
from juryrank.run.loop import Loop
from juryrank.run.models import Models, scope_of
from juryrank.run.options import (
    NOTHING_SAID,
    Wanted,
    checked_judges,
    inside_options,
    out_of_reach,
    positive,
    ranker_options,
    seed_options,
    shared_error,
)
from juryrank.run.session import KeptLog, OneCall, Session
from juryrank.types import Progress, Ranking


class Keep(Protocol):
    """Where a ranking is kept: what is ranked, and how, gives its log, old or new."""

    def __call__(self, catalogue: Catalogue, created: Mapping[str, Any]) -> KeptLog: ...

    def probes(self) -> Sequence[Probed]: ...

    def scope(self, catalogue: Catalogue) -> str: ...


IN_PYTHON = "; what is known so far is in this error's .ranking"


def rank(
    items: Any,
    judges: Mapping[str, Callable[..., Any]],
    *,
    cases: Any = None,
    missing: str = "refuse",
    about: str | None = None,
    goal: str | Sequence[str] | None = None,
    within: float | str | None = None,
    error: float = DEFAULT_ERROR,
    fresh: bool | None = None,
    assume: str | None = None,
    budget: int | None = None,
    seed: int | None = None,
    progress: bool | Callable[[Progress], None] | None = None,
    prices: Mapping[str, float] | None = None,
    money: float | None = None,
    concurrency: int | None = None,
    time_limit: float | None = None,
    cache: bool = True,
    gold: Any = None,
    storage: Any = None,
    study: str | None = None,
    again: bool = False,
    keep: Keep | None = None,
    start_from: Any = None,
    forecast: Any = None,
    ranker: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Ranking:
    """Rank items by asking judges until the goal is proven, the budget is spent, or Ctrl-C.

    items        hashable things, or rows with an id (mappings, objects)
    judges       name -> function (left, right) that returns the better item, TIE or SKIP; sync or async
    cases        compare the items on these: plain things, or rows with id, input, group, weight; or a file. Items
                 are then systems with an output per case: {name: {case: output}}, rows or a data frame (system,
                 case, output), a folder or a file; judges are called as (left, right, case) and may return a
                 Grade
    missing      "leave out": compare a pair on the cases that both have an output for
    about        what the result is to be about: "judges" (exactly these, the default), "people" like these, or
                 "truth": what is so, if every answer is right at least half of the time, given all before
    goal         what is to be proven: "order", "best", "top-3" (any number), "ranges", "tiers"; on cases a claim,
                 "new over old", or several; or "guess": no proof, the best estimate for the budget
    within       on cases or `fresh`: how much of the answers may be missing, as 0.05, or "falling"
    error        δ: the accepted chance that the promised result is wrong
    fresh        does a judge asked the same pair again answer anew? If so, repeats count. Left out: no; about the
                 truth: yes; for models, asking a few questions again decides
    assume       about the truth: "steady" takes more for granted, every judge equally good on every pair
    budget       the most questions to ask (`money`: the most to spend, at the judges' `prices`)
    seed         same seed and same answers: same questions, however fast the answers come back
    progress     True: a line on standard error; or a function that is given a `Progress` now and then
    concurrency  questions open at once (1; 8 where some judge is async)
    time_limit   seconds a judge may take for one answer (sync judges then run in threads of their own)
    cache        use models' answers that were paid for before, when the same things were ranked
    gold         pairs whose better item is known, (left, right, better) or a CSV file: asked of each judge now and
                 then and never counted; a judge surely wrong about them more often than right is set aside
    storage      where the ranking lasts, as "sqlite:///x.db": every answer is kept before the next question, and
                 the same call goes on where the last one ended. Left out: nothing is written
    study        its name there ("ranking"); `again`: start a new one, and keep the old one
    start_from   on cases: an earlier result or certificate, a fit, scores ({item: score}), or a file of one. The
                 search starts there and asks less; nothing of it is evidence
    forecast     on cases: what somebody cheap expects the judges to say, on record before the first draw: a file
                 of verdicts or of scores (item, case, score), {item: {case: score}}, or a function like a judge,
                 which is asked about everything beforehand. Good forecasts save calls; the promise stays the same
    ranker       for researchers, instead of `about`: a name of `ranker_names()`
    options      what else the ranker takes, as {"weights": {"ann": 2}}

    A judge who raises, answers something else or exceeds the time limit too often (8 of its first 8 questions, 14
    of its last 20) is set aside and reported, and the others go on; when all have failed, or nobody answered
    anything, JudgeFailed carries what is known in `.ranking`.

    >>> from juryrank.judges import simulated
    >>> result = rank("a b c".split(), simulated("abc", [1.0, 0.8]), about="truth", seed=1)
    >>> result.order, result.proven
    (('a', 'b', 'c'), True)
    """
    callables, known = checked_judges(judges), [] if gold is None else gold_pairs(gold)
    check_priced([name for name, judge in callables.items() if not isinstance(judge, ModelJudge)], prices, money)
    wanted, further = Wanted(about, goal, within, ranker, assume), dict(options or {})
    wanted.check(further)
    catalogue = catalogue_of(items, cases, missing=missing)
    if isinstance(catalogue, CaseCatalogue):
        catalogue.replay(callables, sides=further.get("sides"), at_once=further.get("at_once"))
        if words := catalogue.beyond_proof(goal):
            warnings.warn(words, stacklevel=2)
    before: dict[str, Any] = {}
    if start_from is not None or forecast is not None:
        before = before_options({"start_from": start_from, "forecast": forecast}, catalogue, list(callables))
        further |= before
    if storage is not None:
        from juryrank.study.kept import kept_in

        keep = kept_in(storage, callables, study=study, seed=seed, again=again)
    elif study is not None or again:
        raise BadInput("study and again are about a ranking that is kept; say where: storage='sqlite:///x.db'")
    some = any(isinstance(judge, ModelJudge) for judge in callables.values())
    models, drawn = Models(callables) if some else None, fresh_seed()
    if models is not None:
        scope = scope_of(catalogue) if keep is None else keep.scope(catalogue)
        models.begin(scope=scope, money=money, cache=cache)
        drawn = models.seed(drawn, catalogue, list(before.values())) if seed is None else drawn
        models.go_on(
            scope=scope_of(catalogue),
            wanted=wanted,
            error=error,
            budget=budget,
            seed=drawn if seed is None else seed,
            fresh=fresh,
            prices=prices,
            money=money,
            concurrency=concurrency,
            gold=known,
            options=further,
        )
        if fresh is None and wanted.of_judges and not isinstance(catalogue, CaseCatalogue):
            fresh = models.answer_afresh(catalogue, known=() if keep is None else keep.probes())
    session, reason = open_session(
        catalogue,
        list(callables),
        wanted=wanted,
        models=models is not None,
        drawn=drawn,
        error=error,
        budget=budget,
        seed=seed,
        fresh=fresh,
        prices=prices,
        money=None if models else money,
        lease=positive(time_limit, "time_limit"),
        keep=keep,
        cached=() if models is None else models.cached,
        options=further,
    )
    catalogue.grades = session.ranker.takes_grades
    purse, priced = None, prices is not None or money is not None
    if models is not None:
        for found in models.tried:
            session.probed(found)
        spent = max(session.paid or 0.0, models.purse.spent)
        session.failures |= models.resume(catalogue, session.events, spent=spent)
        purse, priced = models.purse, priced or models.priced
    elif priced:
        purse = Purse(cap=money, spent=session.paid or 0.0)

    def spent_so_far() -> float | None:
        return purse.spent if priced and purse is not None else None

    with nullcontext() if progress is None else showing(progress) as show:
        tick = None if show is None else ticker(session, show, spent_so_far)
        asking = OneCall(session, catalogue, ticker=tick, closing=None if models is None else models.close)
        play = Loop(
            asking,
            callables,
            catalogue=catalogue,
            concurrency=positive(concurrency, "concurrency") or (models and models.at_once) or None,
            time_limit=time_limit,
            tries=CASE_TRIES if session.ranker.knows_cases else 1,  # a drawn cell is never passed on
            gold=GoldPlan(known, seed=session.ranker.seed, asked=session.gold.asked) if known else None,
            purse=purse,
            draw=None if models is None else models.draws.number,
            fees={} if prices is None and money is None else _fees(session, models, prices),
        )
        if play.in_rounds:
            session.ranker.in_rounds_of(play.concurrency)
        play.run()
        if show is not None:
            show(progress_now(session, spent_so_far))
    proven = bool(session.ranker.ranking.proven) and not play.interrupted and not play.ended
    spent_on_models = None if models is None or not models.priced else models.purse.spent
    session.release(proven=proven, spent=spent_on_models)
    result = finished(session, catalogue, reason=reason, stopped=play.interrupted, ended=play.ended)
    if models is not None:
        result = models.told(result)
        models.end(proven=proven)
    if spent_on_models is not None:  # also for calls that Ctrl-C cut off, which no event holds
        result = replace(result, cost=spent_on_models)
    if not play.interrupted and _nothing_to_say(session, result):
        raise _everybody_failed(session, result) from play.last_failure
    return result


def _fees(session: Session, models: Models | None, prices: Mapping[str, float] | None) -> dict[str, float]:
    """What one call of each judge costs that is no model."""
    known = prices or {}
    if models is not None:
        return {str(name): price for name, price in known.items() if name not in models.judges}
    return {str(name): session.ranker.roster.price(u) for u, name in enumerate(session.ranker.judge_names)}


def check_priced(judges: Sequence[str], prices: Mapping[str, float] | None, money: float | None) -> None:
    """Refuse a cap on money where the price of an answer is not known: it could not hold."""
    if money is None or prices is not None or not judges:
        return
    raise BadInput(
        f"judge {shown(judges[0])} has no price, so a cap on money ({money:g}) could not hold; say what one "
        f"answer costs: --price {judges[0]}=0.002 (in Python: prices={{{judges[0]!r}: 0.002}}), 0 if nothing; or "
        "cap the number of questions with budget"
    )


def catalogue_of(items: Any, cases: Any, *, missing: str = "refuse") -> Catalogue:
    """The items, or the systems and their cases: a folder, a file or a mapping of outputs brings its own cases."""
    if cases is None and isinstance(items, list) and all(isinstance(item, str) for item in items) and items:
        return Catalogue(items)
    if cases is None and (rows := frame_rows(items)) is not None:
        items = rows  # of a data frame: outputs, or items with an id
    on_cases = cases is not None or read_outputs(items) is not None
    found = case_catalogue(items, cases, missing=missing) if on_cases else Catalogue(items)
    if not found.names:
        raise BadInput("there are no items, so there is nothing to rank; give a list of two or more")
    return found


def open_session(
    catalogue: Catalogue,
    judges: Sequence[str],
    *,
    wanted: Wanted = NOTHING_SAID,
    error: float = DEFAULT_ERROR,
    seed: int | None = None,
    fresh: bool | None = None,
    budget: int | None = None,
    prices: Mapping[str, float] | None = None,
    money: float | None = None,
    lease: float | None = None,
    models: bool = False,
    people: bool = False,
    drawn: int | None = None,
    keep: Keep | None = None,
    cached: Collection[str] = (),
    options: Mapping[str, Any] | None = None,
) -> tuple[Session, str]:
    """A session with these settings, and the reason for its ranker where the choice was ours.

    `drawn`: the seed, drawn by chance and not chosen, where none is given.
    """
    further, on_cases = options or {}, isinstance(catalogue, CaseCatalogue)
    wanted.check(further)
    found = wanted.choice(WhoAnswers(people=people, models=models, cases=on_cases, fresh=fresh))
    size = {"items": len(catalogue.names), "judges": len(judges)}
    check_enough(wanted.about, found, **size, error=error, joining=keep is not None)
    if wanted.leaves_goal and not (on_cases or further):
        found = _within_reach(found, catalogue, judges, error=error, budget=budget)
    name, chosen, fresh, reason = found
    if isinstance(catalogue, CaseCatalogue):
        chosen |= {**case_options(catalogue), **same_option(catalogue, {**chosen, **further})}
    chosen |= seed_options(name, seed)
    chosen |= inside_options(name, kept=keep is not None)
    settled = ranker_options(name, {**chosen, **further}, fresh=fresh, assume=wanted.assume)
    shared = "" if keep is None else shared_error(name, settled, error)
    reason = f"{reason} {shared}".strip()
    session = Session(
        catalogue.names,
        judges=judges,
        ranker=name,
        error=error,
        seed=seed if seed is not None else fresh_seed() if drawn is None else drawn,
        budget=budget,
        prices=None if prices is None else {str(name): price for name, price in prices.items()},
        money=money,
        options=settled,
        lease=lease,
        keep=None if keep is None else partial(keep, catalogue),
        cached=cached,
    )
    return session, reason


def _within_reach(
    choice: Choice, catalogue: Catalogue, judges: Sequence[str], *, error: float, budget: int | None
) -> Choice:
    """The same choice, or a best guess where the budget proves nothing."""
    how = ranker_options(choice.name, dict(choice.options), fresh=choice.fresh, assume=None)
    items = len(catalogue.names)
    instead = out_of_reach(choice.name, how, items=items, judges=judges, error=error, budget=budget)
    return Choice(GUESS, {}, choice.fresh, instead) if instead else choice


def finished(
    session: Session,
    catalogue: Catalogue,
    *,
    reason: str = "",
    stopped: bool = False,
    ended: str = "",
) -> Ranking:
    """The result of a session in the caller's own items, with its log and all that must be said about it."""
    ranker = session.ranker
    aside = session.set_aside_because.items()
    notes = [f"Judge {in_sentence(name)} was set aside: {_of_its_own(why, name)}." for name, why in aside]
    for name, failures in session.failures.items():
        if name not in session.set_aside_because:
            times = "once" if len(failures) == 1 else f"{len(failures)} times"
            why = _of_its_own(failures[-1], name)
            notes.append(f"Judge {in_sentence(name)} failed {times} but was still asked: {why}.")
    if stopped:
        asked, waiting = ranker.questions, len(ranker.open_questions)
        notes.append(f"Stopped after {asked} question{'' if asked == 1 else 's'}; {waiting} had no answer yet.")
    elif ended:
        notes.append(f"The money is spent: {ended}.")
    elif session.spent and not ranker.spent:
        notes.append(f"The budget of {ranker.questions:,} questions is spent; a larger one goes on.")
    elif not ranker.done and not ranker.spent and not session.nobody_left:
        notes.append(f"Nobody was left to ask. {ranker.status().reason}")
    ranking = session.stated
    if not ranker.knows_cases:  # where a pair is asked once, its side is drawn by lot; a jury counts both sides
        notes += [alarm.words for alarm in by_side(session.seen) if alarm.words not in ranking.warnings]
    found = catalogue.back(ranking).with_warnings(*notes)
    return replace(found, details=replace(found.details, reason=reason), record=session)


def heard(ranking: Ranking) -> bool:
    """Has any judge given an answer? Without one there is no order, whatever the items' places are."""
    return any(judge.answered for judge in ranking.judges)


def _of_its_own(why: str, name: str) -> str:
    """Why a judge failed, without the name that a model's client puts before it.

    >>> _of_its_own("judge 'gpt': nothing answers", "gpt")
    'nothing answers'
    """
    return why.removeprefix(f"judge {name!r}: ").removeprefix(f"judge {name!r} ")


def _nothing_to_say(session: Session, ranking: Ranking) -> bool:
    """Did all judges fail before the end, or every call? (Where nobody had to be asked, nobody failed.)"""
    if heard(ranking):
        return session.nobody_left and not session.ranker.done
    return session.nobody_left or bool(session.failures)


def _everybody_failed(session: Session, ranking: Ranking) -> JudgeFailed:
    last = {name: f"{failed[-1]} (failed {len(failed)} times)" for name, failed in session.failures.items()}
    reasons = "; ".join(
        f"{in_sentence(name)}: {_of_its_own(why, name)}"
        for name, why in {**last, **session.set_aside_because}.items()
    )
    asked = f"{ranking.questions} question{'' if ranking.questions == 1 else 's'}"
    what = f"no judge is left to ask after {asked}" if heard(ranking) else "no judge answered"
    advice = "" if RUN_AGAIN in reasons else ". Fix the judges and rank again"
    problem = JudgeFailed(f"{what}. {reasons}{advice}{IN_PYTHON}")
    problem.ranking = ranking
    return problem
