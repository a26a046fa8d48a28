"""Heuristics that can be changed while compiled code runs: one compilation serves all variants.

Compiled code has its constants built in. Here the named ones are read from a place in memory instead, and a piece
of a kernel's text may get an alternative that a switch chooses. Nothing of this touches the ranker's own files or
its cache of compiled code.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

import juryrank.simulation.players.certified  # noqa: F401 - all kernels: those not loaded yet would have no knobs
from juryrank.core import compiling

ARITHMETIC = re.compile(r"juryrank\.(rankers\.\w+\.)?core\.")  # the modules whose constants may be changed
ROOM = 1024  # numbers
MEMORY = np.zeros(ROOM)
PEEK = "_peek"  # its name inside the kernels


class Knobs:
    """The named constants of all kernels, and switches for (kernel, text, other text)."""

    def __init__(self, names: list[str], switches: Mapping[str, list[tuple[str, str, str]]]) -> None:
        self.place: dict[str, int] = {}
        self.usual: dict[str, Any] = {}
        used = 0
        for name in names:
            self.place[name], self.usual[name] = used, _value(name)
            used += np.size(self.usual[name])
        for name in switches:
            self.place[name], self.usual[name] = used, 0.0
            used += 1
        self.reset()
        compiling._cache_folder = lambda: None  # type: ignore[assignment]
        peek, left = _peek(), {edit for edits in switches.values() for edit in edits}
        for kernel in compiling._kernels:
            edits = [(name, old, new) for name in switches for where, old, new in switches[name]
                     if where == kernel.__name__]  # fmt: skip
            left -= {(kernel.__name__, old, new) for _, old, new in edits}
            self._rewrite(kernel, edits)
            kernel.__globals__[PEEK] = peek
        assert not left, f"no such kernel: {left}"

    def reset(self) -> None:
        """Every constant and switch as the ranker has it."""
        for name, value in self.usual.items():
            self._put(name, value)

    def _put(self, name: str, value: Any) -> None:
        MEMORY[self.place[name] : self.place[name] + np.size(value)] = value

    @contextmanager
    def turned(self, changes: Mapping[str, Any]) -> Iterator[None]:
        """Within it these knobs have other values, in plain code too."""
        held = [(home, name, getattr(home, name)) for name in changes for home in _homes(name)]
        try:
            for name, value in changes.items():
                self._put(name, value)
                for home in _homes(name):
                    setattr(home, name, tuple(value) if isinstance(value, list) else value)
            yield
        finally:
            self.reset()
            for home, name, value in held:
                setattr(home, name, value)

    def _rewrite(self, kernel: Callable[..., Any], edits: list[tuple[str, str, str]]) -> None:
        text = textwrap.dedent(inspect.getsource(kernel))
        for name, old, new in edits:
            assert old in text, f"{kernel.__name__} has no {old!r}"
            text = text.replace(old, f"(({new}) if {PEEK}({self.place[name]}) > 0.0 else ({old}))")
        tree = ast.parse(text)
        made: ast.FunctionDef = tree.body[0]  # type: ignore[assignment]
        made.decorator_list = []
        tree = ast.fix_missing_locations(_Reads(self).visit(tree))
        scope: dict[str, Any] = {}
        exec(compile(tree, inspect.getfile(kernel), "exec"), dict(kernel.__globals__), scope)
        kernel.__code__ = scope[kernel.__name__].__code__  # type: ignore[attr-defined]


class _Reads(ast.NodeTransformer):
    """Constants become reads from memory."""

    def __init__(self, knobs: Knobs) -> None:
        self.knobs = knobs

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        return node  # annotations stay

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in self.knobs.place:
            index = ast.unparse(self.visit(node.slice))
            return _expression(f"{PEEK}({self.knobs.place[node.value.id]} + {index})")
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.knobs.place:
            return node
        read = f"{PEEK}({self.knobs.place[node.id]})"
        return _expression(f"int({read})" if isinstance(self.knobs.usual[node.id], int) else read)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _homes(name: str) -> list[Any]:
    """The modules that have a constant of this name."""
    found = [module for key, module in sys.modules.items() if ARITHMETIC.match(key)]
    return [module for module in found if name in vars(module)]


def _value(name: str) -> Any:
    values = {str(vars(home)[name]): vars(home)[name] for home in _homes(name)}
    (value,) = values.values()
    return value


def _peek() -> Any:
    """The number at a place of MEMORY, now; for compiled and for plain code."""
    from llvmlite import ir
    from numba import njit, types
    from numba.extending import intrinsic

    @intrinsic
    def load(context: Any, place: Any) -> Any:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            offset = builder.mul(values[0], ir.Constant(ir.IntType(64), MEMORY.itemsize))
            address = builder.add(ir.Constant(ir.IntType(64), MEMORY.ctypes.data), offset)
            return builder.load(builder.inttoptr(address, ir.DoubleType().as_pointer()))

        return types.float64(types.int64), code

    return njit(forceinline=True)(lambda place: load(place))
