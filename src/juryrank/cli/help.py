"""`--help`: at most 14 options of a command on the first screen, in groups; `--help-more` shows all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

MORE = "--help-more"
REST = "More options"

# Of commands with many options: those on the first screen, in groups. All others are left to --help-more.
FIRST: dict[str, dict[str, str]] = {
    "rank": {
        "Who answers": "--judge --judges --fresh --cases",
        "What is to be proven": "--objective --require --error",
        "Limits": "--budget --money",
        "Keeping": "--out --study --json",
    },
    "fit": {
        "Votes": "--study --column --skip-bad",
        "Model": "--model --ties --level --scale",
        "Results": "--out --figure --compare --json",
    },
    "plan": {
        "Judges": "--items --accuracies --price",
        "People": "--people --sitting --majority",
        "Systems on cases": "--systems --cases --judges",
        "What is to be proven": "--objective --error",
        "Results": "--json",
    },
    "simulate": {
        "World": "--items --judges --accuracies --world --cases",
        "Ranker": "--ranker --objective --error --budget",
        "Runs": "--repeats --workers --json",
    },
    "create": {
        "What is compared": "--items --cases --wording",
        "Who answers": "--judge --person --fresh",
        "What is to be proven": "--objective --ranker --error",
        "Limits and place": "--budget --storage --json",
    },
    "run": {
        "Who answers": "--judge --judges --gold",
        "Limits": "--money --budget --rate --concurrency --time-limit",
        "Results": "--dry-run --storage --json",
    },
}


class App(typer.Typer):
    """A Typer application whose commands have a short help and a whole one."""

    def command(self, name: str | None = None, **known: Any) -> Callable[[Any], Any]:
        return super().command(name, **{"cls": Command, **known})


class Command(TyperCommand):
    """A command that shows the options in `FIRST`, or all of them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if MORE in args:
            ctx.meta[MORE] = True
            args = ["--help"]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        groups = FIRST.get(str(self.name), {})
        left = self._arrange(ctx, groups, whole=MORE in ctx.meta) if groups else 0
        super().format_help(ctx, formatter)
        if left:
            typer.echo(f" {left} more options: {ctx.command_path} {MORE}\n")

    def _arrange(self, ctx: Any, groups: dict[str, str], *, whole: bool) -> int:
        """Put the options into their groups and this order; how many are left out."""
        place = {option: title for title, names in groups.items() for option in names.split()}
        order = list(place)
        rest = REST if whole else list(groups)[-1]
        left = 0
        for each in (one for one in self.get_params(ctx) if one.param_type_name == "option"):
            named = next((option for option in each.opts if option in place), None)
            each.rich_help_panel = place[named] if named else rest  # type: ignore[attr-defined]
            each.hidden = not (named or whole or "--help" in each.opts)  # type: ignore[attr-defined]
            left += each.hidden  # type: ignore[attr-defined]
        self.params.sort(key=lambda one: min((order.index(name) for name in one.opts if name in place), default=99))
        return left
