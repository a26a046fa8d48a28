"""No module needs, to be imported, a module that needs it: then any of them can be imported first."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


def imported(body, modules):
    """What these statements import when they run, without what only type checkers see."""
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{name.name}" for name in node.names} & modules
            yield from inner or ({node.module} & modules)
        elif isinstance(node, ast.If | ast.Try):
            checking = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            yield from imported(node.orelse if checking else node.body, modules)


def test_imports_go_in_no_circle():
    files = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): ast.parse(path.read_text()) for name, path in files.items()}
    order = TopologicalSorter({name: set(imported(tree.body, modules.keys())) for name, tree in modules.items()})
    order.prepare()  # raises CycleError, which names the circle
