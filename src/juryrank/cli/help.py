"""`--help`: few words and at most 14 options of a command, in groups; `--help-more` shows all."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from juryrank.errors import BadInput

MORE = "--help-more"
REST = "More options"
Misuse: Any = typer.BadParameter.__base__  # every usage error of whichever parser Typer brings along
LAST = 99  # the place of options that are in no group
TYPES = {"bool": "", "int": "NUMBER", "float": "NUMBER", "str": "TEXT", "path": "PATH", "file": "FILE"}

# Of commands with many options: those on the first screen, in groups. All others are left to --help-more.
FIRST: dict[str, dict[str, str]] = {
    "rank": {
        "Who answers": "--judge --judges --fresh --cases",
        "What is to be proven": "--about --goal --within --require --error",
        "Limits": "--budget --money",
        "Results": "--out --json",
    },
    "fit": {
        "Votes": "--study --column --tie --skip-bad",
        "Model": "--model --ties --control --level",
        "Results": "--out --figure --compare --against --json",
    },
    "plan": {
        "Judges": "--items --accuracies --price",
        "People": "--people --sitting --majority",
        "Systems on cases": "--systems --cases --judges",
        "What is to be proven": "--goal --error",
        "Results": "--json",
    },
    "simulate": {
        "World": "--items --judges --accuracies --world --cases",
        "Ranker": "--ranker --goal --error --budget",
        "Runs": "--repeats --workers --json",
    },
    "create": {
        "What is compared": "--items --cases --wording",
        "Who answers": "--judge --person --fresh",
        "What is to be proven": "--about --goal --within --error",
        "Limits and place": "--budget --storage --json",
    },
    "serve": {
        "Who can open it": "--lan --host --port --url --set-password --proxy",
        "What it serves": "--storage --demo --judges --workers",
    },
    "run": {
        "Who answers": "--judge --judges --gold",
        "Limits": "--money --budget --rate --concurrency --time-limit",
        "Results": "--dry-run --storage --json",
    },
}


class App(typer.Typer):
    """A Typer application whose commands have a short help and a whole one."""

    def __init__(self, **known: Any) -> None:
        super().__init__(cls=Group, **known)

    def command(self, name: str | None = None, **known: Any) -> Callable[[Any], Any]:
        return super().command(name, **{"cls": Command, **known})


class Command(TyperCommand):
    """A command whose help shows the options in `FIRST`, or all of them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if MORE in args:
            ctx.meta[MORE] = True
            args = ["--help"]
        try:
            return super().parse_args(ctx, args)
        except Misuse as problem:
            raise BadInput(_in_one_line(problem, ctx.command_path, self.help or "")) from None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        params: list[Any] = self.get_params(ctx)
        _say_types(params, ctx)
        help_ = self.help or ""
        groups = FIRST.get(str(self.name), {})
        if groups:
            _arrange(params, groups, whole=MORE in ctx.meta)
            self.params.sort(key=lambda each: _place(each, groups))
        if MORE in ctx.meta:  # what stands behind a form feed is hidden otherwise
            self.help = help_.replace("\f", "")
        super().format_help(ctx, formatter)
        self.help = help_
        left = sum(getattr(each, "hidden", False) for each in params)
        if left:
            more = "more options, and details" if "\f" in help_ else "more options"
            typer.echo(f" {left} {more}: {ctx.command_path} {MORE}\n")


class Group(TyperGroup):
    """A command that has commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except Misuse as problem:
            if type(problem).__name__ == "NoArgsIsHelpError":
                raise
            raise BadInput(_in_one_line(problem, ctx.command_path, self.help or "")) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except Misuse as problem:
            raise BadInput(_in_one_line(problem, ctx.command_path, "")) from None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _say_types(self.get_params(ctx), ctx)
        super().format_help(ctx, formatter)


def _in_one_line(problem: Any, command: str, help_: str) -> str:
    """What is missing, unknown or cannot be read; of what is missing, the first example of the command's help."""
    more = f" ({command} --help says more)"
    if getattr(problem, "option_name", None) and not isinstance(problem, typer.BadParameter):
        return _about_the_option(problem) + more
    if not isinstance(problem, typer.BadParameter):
        said = problem.message.rstrip(".").replace("No such command", "there is no command")
        extra = re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", said)
        return (f"this is too much: {extra[1]}" if extra else said[:1].lower() + said[1:]) + more
    param = problem.param
    option = param is not None and param.param_type_name == "option"
    name = "an argument" if param is None else param.opts[0] if option else (param.metavar or param.name.upper())
    example = re.search(r"^ *(juryrank (?:[^\n\\]|\\\n)+)", help_, re.M)
    shown = f"; for example: {re.sub(r'  .*', '', example[1].strip(), flags=re.S)}" if example else ""
    if type(problem).__name__ == "MissingParameter":
        return f"{command} needs {name.rstrip('.')}{shown}{more}"
    said = problem.message.split(", unable")[0].replace("Input should be", "it must be")
    said = said.replace("a valid integer", "a whole number").replace("a valid number", "a number")
    return f"{name} cannot be used: {said}{more}"


def _about_the_option(problem: Any) -> str:
    """An option that is not there, or that has too much or too little behind it."""
    name = problem.option_name
    if type(problem).__name__ == "NoSuchOption":
        meant = difflib.get_close_matches(name, problem.possibilities or (), 1, 0)
        return f"there is no option {name}" + (f"; did you mean {meant[0]}?" if meant else "")
    return f"{name} {'takes no value' if 'not take' in problem.message else 'needs a value'}"


def _arrange(params: list[Any], groups: dict[str, str], *, whole: bool) -> None:
    """Put the options into their groups; those of no group come last, or are hidden."""
    titles = {name: title for title, names in groups.items() for name in names.split()}
    for each in (one for one in params if one.param_type_name == "option"):
        title = next((titles[name] for name in each.opts if name in titles), "")
        each.hidden = not (title or whole or "--help" in each.opts)
        each.rich_help_panel = title or (REST if whole else list(groups)[-1])


def _place(option: Any, groups: dict[str, str]) -> int:
    """Where an option stands among those of the first screen."""
    order = " ".join(groups.values()).split()
    return min((order.index(name) for name in option.opts if name in order), default=LAST)


def _say_types(params: list[Any], ctx: Any) -> None:
    """Name the kinds of values in words, not as Python calls them; a switch has none."""
    for each in params:
        if hasattr(each, "display_type"):  # an older Typer has words of its own
            shown = each.display_type(ctx)
            words = next((words for type_, words in TYPES.items() if type_ in shown), shown)
            each.display_type = lambda _, words=words: words
