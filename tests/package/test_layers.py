"""Rules of the layout that the import linter cannot see."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import juryrank
from juryrank.rankers import ranker_class, ranker_names
from juryrank.report.words.alarms import assumed

SOURCE = Path(juryrank.__file__).parent
pytestmark = pytest.mark.xdist_group("layers")  # parsed once


def modules():
    """All but the rankers, and the checker: it shares no code with them, so it knows them by name."""
    apart = ("rankers", "verify")
    return [path for path in sorted(SOURCE.rglob("*.py")) if path.relative_to(SOURCE).parts[0] not in apart]


def speaks_of_a_ranker(node):
    """`ranker`, `x.ranker`, `x["ranker"]` or `x.get("ranker")`."""
    names = {getattr(part, "id", getattr(part, "attr", getattr(part, "value", None))) for part in ast.walk(node)}
    return any(isinstance(name, str) and name.endswith("ranker") for name in names)


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path):
    return list(ast.walk(parsed(path)))


def compared_names(nodes):
    """Registry names that some code compares a ranker with."""
    found, names = [], set(ranker_names())
    for node in nodes:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            words = {part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)}
            if words & names and any(map(speaks_of_a_ranker, sides)):
                found += [(node.lineno, word) for word in words & names]
    return found


def test_the_rule_sees_a_comparison():
    def seen(code):
        return compared_names(ast.walk(ast.parse(code)))

    assert seen('if created.get("ranker") == "panel": pass') == [(1, "panel")]
    assert seen('if ranker in ("iir", "x"): pass') == [(1, "iir")]
    assert not seen('if details.get("about") == "panel": pass')


def test_no_ranker_is_treated_by_name_outside_rankers():
    """What others must know of a ranker is an attribute of its class."""
    named = {path.relative_to(SOURCE): compared_names(nodes(path)) for path in modules()}
    assert {str(path): found for path, found in named.items() if found} == {}


LISTS = (  # one line per ranker: formulas, players, the paper's own figures, the demonstration's comparison
    "theory/adaptive.py", "simulation/play.py", "simulation/players/paper.py", "simulation/paper/", "cli/demo.py",
    "cli/simulate.py", "log/terms.py",
)  # fmt: skip
OTHER_WORDS = {"panel", "certified", "jury"}  # also values of options, keys of results, names of phases


def test_no_ranker_is_chosen_by_name_outside_rankers():
    """Which ranker fits is said in `rankers/choice.py`; a name elsewhere is a rule in a second place."""
    names, found = set(ranker_names()) - OTHER_WORDS, []
    for path in modules():
        where = path.relative_to(SOURCE).as_posix()
        if not where.startswith(LISTS):
            for node in nodes(path):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names:
                    found.append((where, node.lineno, node.value))
    assert found == []


def test_no_page_names_a_ranker():
    """Not in a comparison, nor as a value of a form."""
    names = "|".join(map(re.escape, ranker_names()))
    said = re.compile(rf"""(?:==|!=|\bin|\bvalue=)\s*[(\[]?["'](?:{names})["']""")
    assert said.search('{% if form.ranker != "panel" %}') and said.search('<input value="certified">')
    pages = [*SOURCE.rglob("*.html"), *(SOURCE / "server").rglob("*.js")]
    assert [path.name for path in pages if said.search(path.read_text(encoding="utf-8"))] == []


def test_no_ranker_class_is_named_by_pages():
    """`created["ranker"] == Panel.name` is the same comparison in other words."""
    classes = {ranker_class(name).__name__ for name in ranker_names()}
    said = re.compile(rf"\b({'|'.join(classes)})\.name\b")
    assert said.search('created["ranker"] == Panel.name')
    assert [path.name for path in modules() if said.search(path.read_text(encoding="utf-8"))] == []


def test_an_unknown_ranker_is_given_nobodys_assumptions():
    assert assumed({"ranker": "somebody-elses", "options": {}}) == ()
    assert assumed({"ranker": "oracle"})[-1] == "the judge named as the best is the best"


TWO_FORECASTS = {("NAMED", 5), ("LIKELY", 0.05)}  # of the panel and of certified: two algorithms, two rules


def constants(path):
    """(name, value) of the numbers and words that a module names in capitals."""
    for node in parsed(path).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            value = getattr(node, "value", None)
            values = getattr(value, "elts", [value]) if isinstance(target, ast.Tuple) else [value]
            for name, value in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and name.id.isupper() and isinstance(value, ast.Constant):
                    yield name.id, value.value


def test_a_rule_stands_in_one_place():
    """A constant that stands in two files will differ one day. The checker has its own copies on purpose."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] != "verify":
            for constant in constants(path):
                found.setdefault(constant, []).append(str(path.relative_to(SOURCE)))
    assert {c: where for c, where in found.items() if len(where) > 1 and c not in TWO_FORECASTS} == {}


def test_no_folder_is_crowded():
    """At most 16 modules per folder, so that one finds one's way by looking."""
    folders = {path.parent for path in SOURCE.rglob("*.py")}
    sizes = {str(folder.relative_to(SOURCE)): len(list(folder.glob("[!_]*.py"))) for folder in folders}
    assert {folder: size for folder, size in sizes.items() if size > 16} == {}


# The checker's own writing of the same thing.
SECOND_TIME = {"Alarm", "Aside", "Asked", "Attempt", "CrossExamination", "JuryOptions", "PanelOptions", "Sittings"}


def test_a_public_class_has_a_name_of_its_own():
    """Two classes of one name with different meanings send a reader to the wrong file."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    twice = {name: where for name, where in found.items() if len(where) > 1}
    assert {name: where for name, where in twice.items() if name not in SECOND_TIME} == {}
    assert set(twice) == SECOND_TIME


def test_no_prefix_stands_where_a_folder_would_do():
    """Three modules of one folder that begin with the same word are a folder of that name."""
    for folder in {path.parent for path in SOURCE.rglob("*.py")}:
        words = [path.stem.split("_")[0] for path in folder.glob("[!_]*.py")]
        assert {word for word in words if words.count(word) > 2 and "versions" not in folder.parts} == set(), (
            folder
        )
