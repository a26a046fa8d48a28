"""`juryrank study ask | tell | undo | run`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli import EXIT_DONE, EXIT_INTERRUPTED, EXIT_NOT_CERTIFIED
from juryrank.cli.common import Cache, DryRun, Gold, Json, JudgesFile, Storage, console, emit_json
from juryrank.cli.study.app import Name, opened
from juryrank.cli.study.display import MOST_NAME
from juryrank.defaults import DEFAULT_STORAGE, WIDTH
from juryrank.errors import BadInput, LateAnswer

if TYPE_CHECKING:
    from juryrank.study import Study
    from juryrank.study.runner.runner import RunReport
    from juryrank.types import Question

ENDINGS = {  # of a run, where the word alone says too little
    "spent": "the study's budget is spent",
    "money": "the money for its models is spent",
    "beside": "the models' answers stand beside the people's, and never count in the promise about people",
    "budget": "as many questions were asked as --budget allows",
    "waiting": "these judges cannot be asked anything more now, and the ranking is not done",
}


def add(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("ask")(ask)
    app.command("tell")(tell)
    app.command("undo")(undo)
    app.command("run")(run)


def ask(
    name: Name,
    judge: Annotated[str | None, typer.Option(help="For this judge; by default the study picks one.")] = None,
    lease: Annotated[
        float | None, typer.Option(help="Seconds to answer; by default as the study was created.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="If the judge has an open question, give that one again.")
    ] = False,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """Ask for the next question."""
    from juryrank.report.words.formats import clean, shorten

    study = opened(name, storage)
    known: dict[str, Any] = {} if lease is None else {"lease": lease}
    question = study.ask(judge, again=again, **known)
    if question is None:
        why = study.status(judge)
        if as_json:
            emit_json({"question": None, "state": why.state.value, "reason": why.reason})
        else:
            typer.echo(why.reason)
    elif as_json:
        left, right, case = seen_of(study, question)
        shown = {"question": question.id, "judge": question.judge, "left": left, "right": right}
        emit_json(shown if case is None else {**shown, "case": {"id": question.case, "input": case}})
    else:
        whom = shorten(clean(question.judge), MOST_NAME)
        left, right, case = seen_of(study, question)
        above = "" if case is None else f"  case:  {clean(case)}\n"
        typer.echo(f"Question {question.id} for {whom}:\n{above}  left:  {clean(left)}\n  right: {clean(right)}")


def seen_of(study: Study, question: Question) -> tuple[Any, Any, Any]:
    """What a judge is shown: the two items and None; on cases the two outputs and the case's input, no names."""
    from juryrank.run.cases.kept import KEPT_CASES, NOTHING_KEPT, shown_of

    if question.case is None:
        return question.left, question.right, None
    return shown_of(study.settings.get(KEPT_CASES) or NOTHING_KEPT, question)


def tell(
    name: Name,
    question: Annotated[int, typer.Argument(metavar="QUESTION", help="The question's number.")],
    answer: Annotated[
        str,
        typer.Argument(metavar="ANSWER", help="left, right, tie, skip, the item itself; on cases also a grade."),
    ],
    judge: Annotated[str | None, typer.Option(help="Who answers: must be the judge who was asked.")] = None,
    comment: Annotated[str | None, typer.Option(help="Kept with the answer.")] = None,
    response_time: Annotated[float | None, typer.Option(help="Seconds the judge took.")] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """Record an answer. When this returns, it is on disk; telling it again changes nothing.

    On cases a grade is a number from -1 (right) to 1 (left); write a negative one after --.
    """
    from juryrank.rankers.contract.sides import SIDES

    known: dict[str, Any] = {"judge": judge, "comment": comment, "response_time": response_time, "source": "cli"}
    study = opened(name, storage)
    if answer.lower() in SIDES:
        receipt = study.tell(question, side=answer.lower(), **known)
    else:
        receipt = study.tell(question, _graded(answer, study), **known)
    if as_json:
        emit_json(asdict(receipt))
    if receipt.late:
        raise LateAnswer(receipt.notice)
    if not as_json:
        typer.echo(receipt.notice or f"Question {question}: {receipt.answer}.")


def _graded(answer: str, study: Study) -> Any:
    """A number where the study takes grades; else the answer as it is."""
    from juryrank.rankers.registry import ranker_class
    from juryrank.types import Grade

    try:
        number = float(answer)
    except ValueError:
        return answer
    return Grade(number) if ranker_class(study.created["ranker"]).takes_grades else answer


def undo(
    name: Name,
    judge: Annotated[str, typer.Option(help="Whose latest answer is taken back.")],
    post_hoc: Annotated[
        bool, typer.Option("--post-hoc", help="Required: it is an edit, and the result then promises nothing.")
    ] = False,
    storage: Storage = DEFAULT_STORAGE,
) -> None:
    """Take back a judge's latest answer as the study's owner: an edit after the fact, listed in the result.

    Judges take back their own answers on their page, until their next answer; that is no edit.
    """
    from juryrank.report.words.formats import clean

    question = opened(name, storage).undo(judge, post_hoc=post_hoc)
    typer.echo(f"Taken back: question {question.id}, {clean(question.left)} or {clean(question.right)}.")


def run(
    name: Name,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", metavar="NAME=KIND:WHAT", help="cmd:PROGRAM, python:module:function, openai:MODEL@URL, ..."
        ),
    ] = None,
    judges: JudgesFile = None,
    money: Annotated[float | None, typer.Option(help="What the models of this run may cost, at most.")] = None,
    cache: Cache = True,
    gold: Gold = None,
    dry_run: DryRun = False,
    concurrency: Annotated[int, typer.Option(help="Questions open at once.")] = 8,
    per_judge: Annotated[int | None, typer.Option(help="Calls of one judge at once.")] = None,
    rate: Annotated[float | None, typer.Option(help="Calls of one judge per second, at most.")] = None,
    budget: Annotated[int | None, typer.Option(help="Questions of this run, at most.")] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds a judge may take for one answer.")] = 60.0,
    retries: Annotated[int, typer.Option(help="How often a failed call is tried again.")] = 3,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """Let programs answer until the ranking is done; Ctrl-C keeps everything, and the next run continues.

    Where nothing can be asked before somebody else has answered, it waits for
    them, at most until the deadline of their question.

    Exit code: 0 what was asked for is proven, 3 it is not (yet), 130 interrupted.
    """
    from juryrank.cli.dry_run import show_prompts
    from juryrank.cli.rank import judges_named
    from juryrank.run.display import ProgressDisplay
    from juryrank.study.runner.runner import catalogue_of

    named = judges_named(judge or [], judges, time_limit)
    if not named:
        raise BadInput("there is no judge to run; give --judge NAME=cmd:PROGRAM or --judges JUDGES.TOML")
    study = opened(name, storage)
    if dry_run:
        return show_prompts(named, catalogue_of(study))
    with ProgressDisplay(console(stderr=True), transient=True) as show:
        report = study.run(
            named,
            concurrency=concurrency,
            per_judge=per_judge,
            rate=rate,
            budget=budget,
            time_limit=time_limit,
            retries=retries,
            money=money,
            cache=cache,
            gold=gold,
            progress=show,
        )
    _finish(report, title=name, as_json=as_json)


def _finish(report: RunReport, *, title: str, as_json: bool) -> None:
    from juryrank.report import result_text
    from juryrank.report.words.formats import counted, wrap
    from juryrank.run.rank import heard

    ranking = report.ranking
    assert ranking is not None
    nothing = bool(report.failed) and not heard(ranking)  # no answers, no order
    if as_json:
        emit_json({**asdict(report), "ranking": None if nothing else ranking.to_dict()})
    elif not nothing:
        typer.echo(result_text(ranking, title=title), nl=False)
        why = ENDINGS.get(report.state, report.state)
        said = f"{counted(report.answered, 'answer')} in {report.seconds:.1f} s; the run ended: {why}."
        typer.echo("\n" + "\n".join(wrap(said, WIDTH)))
    for name, why in report.failed.items():
        typer.echo(f"juryrank: judge {name!r} is not asked any more: {why}", err=True)
    if report.state == "interrupted":
        raise typer.Exit(EXIT_INTERRUPTED)
    raise typer.Exit(EXIT_DONE if ranking.proven else EXIT_NOT_CERTIFIED)
