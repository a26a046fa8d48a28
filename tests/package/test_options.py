"""Each option is declared in one place, with default, bounds and help; what shows it is made of that."""

import ast
import math
from contextlib import suppress
from pathlib import Path

import pytest

import juryrank as package
from juryrank.defaults import DEFAULT_ERROR
from juryrank.errors import BadInput, JuryrankError
from juryrank.rankers import make_ranker, ranker_class, ranker_names
from tests.commands import juryrank

SOURCE = Path(package.__file__).parent
APART = "verify/"  # the checker has ranges of its own
OTHER_THINGS = {("judges/models/settings.py", "sides")}  # of a models file: which sides a model is shown


def declared():
    """Every option of every ranker, with its default."""
    return {(one.name, one.default) for name in ranker_names() for one in ranker_class(name).declared.table()}


def telling(default):
    """A default that means something by itself: a text, or a number other than 0 and 1."""
    return isinstance(default, str | int | float) and not isinstance(default, bool) and default not in ("", 0, 1)


def defaults(tree):
    """Names with the constant that they have unless told otherwise: of parameters and of fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            places = [*node.args.posonlyargs, *node.args.args]
            given = list(zip(places[len(places) - len(node.args.defaults) :], node.args.defaults, strict=True))
            given += zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            for place, default in given:
                if isinstance(default, ast.Constant):
                    yield place.arg, default.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            values = [node.value, *(node.value.args[:1] if isinstance(node.value, ast.Call) else ())]
            yield from ((node.target.id, one.value) for one in values if isinstance(one, ast.Constant))


def places_of(wanted):
    """The files of the package that give one of these names one of these defaults."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        where = path.relative_to(SOURCE).as_posix()
        if where.startswith(APART):
            continue
        for name, value in defaults(ast.parse(path.read_text(encoding="utf-8"))):
            if (name, value) in wanted and (where, name) not in OTHER_THINGS:
                found.setdefault((name, value), set()).add(where)
    return found


def test_a_default_stands_in_one_file():
    wanted = {(name, default) for name, default in declared() if telling(default)}
    assert len(wanted) > 10
    spread = {one: where for one, where in places_of(wanted).items() if where - {"options.py"}}
    assert not {one: where for one, where in spread.items() if any(not w.startswith("options/") for w in where)}


def test_nobody_else_says_what_the_error_is():
    numbers = {("error", value) for value in (0.05, 0.1)} | {("delta", 0.05), ("delta", 0.1), ("error", "0.1")}
    assert places_of(numbers) == {} and DEFAULT_ERROR == 0.05


@pytest.mark.parametrize("name", ranker_names())
def test_every_option_says_what_it_is_and_keeps_its_own_default(name):
    for one in ranker_class(name).declared.table():
        assert one.allowed.help and one.allowed.words and one.allowed.fits(one.default)


def test_what_is_not_allowed_is_refused_in_the_same_words_everywhere():
    for value, words in ((0, "repeats is 0; it is how often"), (1.5, "1 or more")):
        with pytest.raises(BadInput, match=words):
            make_ranker("certified", "ab", judges=["ann"], repeats=value)
    with pytest.raises(BadInput, match="assume is 'x'; it is one of: better-than-chance, steady"):
        make_ranker("certified", "ab", judges=["ann"], assume="x")
    with pytest.raises(BadInput, match=r"has no option 'magic'; it has: .*patience"):
        make_ranker("certified", "ab", judges=["ann"], magic=1)


def test_fields_and_flags_are_made_of_the_declarations():
    from juryrank.server.api.shapes import StudyIn

    fields = StudyIn.model_json_schema()["properties"]
    assert fields["error"]["default"] == DEFAULT_ERROR
    panel, certified = ranker_class("panel").declared, ranker_class("certified").declared
    assert panel.allowed("sitting").help in fields["sitting"]["description"]
    assert certified.allowed("repeats").help in fields["repeats"]["description"]


def test_options_are_frozen():
    with pytest.raises(AttributeError):
        ranker_class("guess").declared().repeats = 1


WRONG = (
    "", "x", "top-0", b"x", -1, 0, 1.5, 10**30, True, math.nan, math.inf, object(), [], ["a"], [["a"]],
    [[[], "b", 1]], {"a": -1}, {1: 2}, range(3), len,
)  # fmt: skip
SHARED = {
    "error": (0, 1, 1e-320, "x", None, [], *WRONG),
    "budget": WRONG,
    "money": WRONG,
    "seed": WRONG,
    "prices": WRONG,
}


def tried(name, option, value):
    """A ranker with this option asks its first question, and shows what it knows."""
    needed = {"best": "ann"} if name == "oracle" and option != "best" else {}
    ranker = make_ranker(name, "abcd", judges=["ann", "bob"], **needed, **{option: value})
    if (question := ranker.ask()) is not None:
        ranker.tell(question, question.left)
    return ranker.ranking


@pytest.mark.parametrize("name", ranker_names())
def test_whatever_an_option_is_set_to_one_sentence_says_what_is_wrong(name):
    """Anything but JuryrankError (a traceback, for a user) fails here."""
    for one in ranker_class(name).declared.table():
        for value in WRONG:
            try:
                tried(name, one.name, value)
            except JuryrankError as problem:
                assert "\n" not in str(problem) and len(str(problem)) < 400, (one.name, value)
    for option, values in SHARED.items():
        for value in values:
            with suppress(JuryrankError):
                tried(name, option, value)


def bounds():
    """(ranker, option, below, least, most, above) of every option with bounds."""
    for name in ranker_names():
        for one in ranker_class(name).declared.table():
            least, most = one.allowed.least, one.allowed.most
            if least is not None and one.name != "k":  # which must fit the objective and the items
                step = 1 if most is None else 1e-6
                yield name, one.name, least - step, least, most, None if most is None else most + step


@pytest.mark.parametrize(("name", "option", "below", "least", "most", "above"), [*bounds()])
def test_an_option_is_allowed_up_to_its_bounds_and_not_beyond(name, option, below, least, most, above):
    for value in (least, most):
        assert value is None or tried(name, option, value)
    for value in (below, above):
        if value is not None:
            with pytest.raises(BadInput, match=f"^{option} is {value!r}; it is "):
                tried(name, option, value)


def test_the_command_line_refuses_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("things.txt").write_text("a\nb\nc\nd\n")
    how = ("rank", "things.txt", "--no-keep", "--judge", "ann=python:builtins:min", "--budget", "3")
    for name, option, below, *_, above in bounds():
        for value in (below, "x", "[]", '{"a": 1}', *([] if above is None else [above])):
            said = juryrank(*how, "--ranker", name, "--set", f"{option}={value}")
            assert said.returncode == 2 and said.stderr.count("\n") == 1, (name, option, value, said.stderr)
