"""The size of the command line: how many commands, how many options at first sight, what a letter means."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from juryrank.cli import build_app, main
from juryrank.cli.help import FIRST

MOST_COMMANDS, MOST_OPTIONS = 24, 14
MOST_LINES_BEFORE_OPTIONS = 28  # of 80 columns


def leaves(command, words=()):
    """Every command that does something, by its words."""
    if not hasattr(command, "commands"):
        return {words: command}
    return {
        key: leaf for name, each in command.commands.items() for key, leaf in leaves(each, (*words, name)).items()
    }


COMMANDS = leaves(get_command(build_app()))


def options_of(command):
    return [each for each in command.params if each.param_type_name == "option"]


def shown(words, how):
    page = CliRunner().invoke(build_app(), [*words, how], env={"COLUMNS": "100", "NO_COLOR": "1"})
    assert page.exit_code == 0
    return page.stdout


def rows(page):
    """The options that a page of help lists, by their first name."""
    return re.findall(r"^│ (?:\* )? *(--[\w-]+)", page, re.M)


def test_there_are_few_commands():
    assert len(COMMANDS) <= MOST_COMMANDS, sorted(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_shows_few_options_and_more_help_shows_all(words):
    everything = {each.opts[0] for each in options_of(COMMANDS[words])} | {"--help"}
    first, whole = rows(shown(words, "--help")), rows(shown(words, "--help-more"))
    assert 0 < len(first) <= MOST_OPTIONS and set(first) <= everything
    assert sorted(whole) == sorted(everything)
    assert ("more options" in shown(words, "-h")) == (len(first) < len(whole))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_help_has_an_example(words):
    help_ = COMMANDS[words].help or ""
    assert re.search(rf"^ *juryrank {' '.join(words)}\b", help_, re.M), "add an example to its help"
    assert not re.search(r"<(bool|str|int|float|list)", shown(words, "--help-more")), "types as Python calls them"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_first_reader_comes_to_the_options_soon(words):
    before = shown(words, "--help").partition("╭")[0]
    assert len(before.splitlines()) <= MOST_LINES_BEFORE_OPTIONS, "put the details behind a form feed"


def test_the_first_screen_names_options_that_exist():
    names = {
        words[-1]: {name for each in options_of(command) for name in each.opts}
        for words, command in COMMANDS.items()
    }
    assert len(names) == len(COMMANDS)  # FIRST knows a command by its last word
    for command, groups in FIRST.items():
        listed = " ".join(groups.values()).split()
        assert set(listed) <= names[command] and len(listed) == len(set(listed))


def test_a_letter_means_one_thing():
    meanings = defaultdict(set)
    for command in COMMANDS.values():
        for each in options_of(command):
            for letter in (name for name in each.opts if re.fullmatch(r"-\w", name)):
                meanings[letter].add(next(name for name in each.opts if name.startswith("--")))
    assert {letter: found for letter, found in meanings.items() if len(found) > 1} == {}
    assert "-h" not in meanings  # help, everywhere


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rank", "--bugdet", "5"], "there is no option --bugdet; did you mean --budget?"),
        (["rank", "a.txt", "--goal"], "--goal needs a value"),
        (["rank", "a.txt", "--json=3"], "--json takes no value"),
        (["verify", "a", "b"], "this is too much: b"),
        (["rnak"], "there is no command 'rnak'"),
        (["study", "shaw"], "there is no command 'shaw'"),
        (["plan", "--items", "ten"], "--items cannot be used: it must be a whole number"),
        (["study", "create"], "juryrank study create needs NAME; for example: juryrank study create "),
    ],
)
def test_misuse_is_said_in_one_line(words, said, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["juryrank", *words])
    with pytest.raises(SystemExit) as end:
        main()
    out, err = capsys.readouterr()
    assert end.value.code == 2 and not out
    assert err.startswith(f"juryrank: {said}") and err.count("\n") == 1 and "says more)" in err
