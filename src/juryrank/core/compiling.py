"""One source, plain and compiled. A function marked `@kernel` runs as it is in a live study, and
`compiled(f)` is the same function, with every kernel it calls, compiled by Numba for simulation. Kernels that
others call must not create arrays unless they say so (`arrays=True`); the one given to `compiled` may. They are
copied into their callers, unless they are too large for that (`inline=False`).

Plain Python is given `as_views(state)`: the same memory through memoryviews, which give Python's own numbers
where an array makes a NumPy scalar of each, and so takes half the time.

Where Numba is missing, or NUMBA_DISABLE_JIT=1, compiled code is the plain one. What is compiled is cached
in a folder named by a hash of all kernel sources and of the versions involved, so an edit anywhere (Numba
itself looks only at the file of the function) can never meet stale machine code.
"""

from __future__ import annotations

import hashlib
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])

_kernels: set[Callable[..., Any]] = set()
_apart: set[Callable[..., Any]] = set()  # not copied into their callers
_makers: set[Callable[..., Any]] = set()  # may create arrays
_twins: dict[tuple[Callable[..., Any], bool], Callable[..., Any]] = {}
_announced = False
_plain = False
_ROLE = {True: "entry", False: "called"}


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, inline: bool = True, arrays: bool = False) -> Callable[[F], F]: ...
def kernel(function: Any = None, *, inline: bool = True, arrays: bool = False) -> Any:
    """Mark a function on plain arrays as one that `compiled` may compile."""

    def mark(given: F) -> F:
        _kernels.add(given)
        if not inline:
            _apart.add(given)
        if arrays:
            _makers.add(given)
        return given

    return mark if function is None else mark(function)


@contextmanager
def without_compiling() -> Iterator[None]:
    """Within it nothing is compiled: for a few runs, which take less time than compiling."""
    global _plain
    before, _plain = _plain, True
    try:
        yield
    finally:
        _plain = before


def warm(function: Callable[..., Any]) -> bool:
    """Was this kernel compiled on this machine before, so that it starts at once?"""
    folder = _cache_folder() if have_numba() else None
    return folder is not None and any(folder.rglob(f"*.{function.__qualname__}_{_ROLE[True]}-*.nbi"))


def have_numba() -> bool:
    """Can anything be compiled here?"""
    if _plain or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def compiled(function: F) -> F:
    """The compiled twin of a kernel; the kernel itself where Numba is missing."""
    if not have_numba():
        return function
    if (function, True) not in _twins:
        _announce(function)
    return _twin(function, entry=True)  # type: ignore[return-value]


def as_views(part: Any) -> Any:
    """A named tuple of arrays (or of such tuples) as memoryviews of the same memory, for plain Python.

    Anything else in it (a namespace of scalars) stays as it is.

    >>> import numpy as np
    >>> from typing import NamedTuple
    >>> Pair = NamedTuple("Pair", [("a", np.ndarray), ("b", np.ndarray)])
    >>> pair = Pair(np.zeros(2), np.zeros((2, 2)))
    >>> as_views(pair).b[1, 1] = 0.5
    >>> float(pair.b[1, 1]), type(as_views(pair).b[1, 1]).__name__
    (0.5, 'float')
    """
    if isinstance(part, tuple):
        return type(part)(*map(as_views, part))
    return memoryview(part) if hasattr(part, "__array__") else part


def _twin(function: Callable[..., Any], *, entry: bool) -> Callable[..., Any]:
    if (function, entry) not in _twins:
        from numba import njit

        scope = dict(function.__globals__)
        for name in _names(function.__code__):
            value = scope.get(name)
            if isinstance(value, types.FunctionType) and value in _kernels:
                scope[name] = _twin(value, entry=False)
            elif isinstance(value, tuple) and value and all(isinstance(number, float) for number in value):
                scope[name] = _table(value)
        twin = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        # the name is the key of Numba's cache, so the two ways of compiling need two names
        twin.__module__, twin.__qualname__ = function.__module__, f"{function.__qualname__}_{_ROLE[entry]}"
        keep = _cache_folder() is not None
        # Called kernels only borrow their arrays: counting references there costs four times the work itself.
        # So they must not create arrays; the kernel given to `compiled` may.
        counting = entry or function in _makers
        copied = not entry and function not in _apart
        # Only entries are called from Python and kept.
        made = njit(
            cache=keep and entry, nogil=True, _nrt=counting, forceinline=copied,
            no_cpython_wrapper=not entry, no_cfunc_wrapper=not entry,
        )(twin)  # fmt: skip
        _widen(made)
        if keep and entry:
            _rebuild_damaged(made)
        _twins[function, entry] = made
    return _twins[function, entry]


def _widen(twin: Any) -> None:
    """Compile once for all numbers of a kind: Numba would do it anew for every literal (-1, True) in a call."""
    from numba.types import unliteral

    usual = twin.get_call_template

    def template(args: Any, kws: Any) -> Any:
        return usual(tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()})

    twin.get_call_template = template


def _rebuild_damaged(twin: Any) -> None:
    """Compile again, with one line saying so, where what was kept cannot be read (a full disk cut it off, say)."""
    cache, usual = twin._cache, twin._cache.load_overload

    def load(*args: Any) -> Any:
        try:
            return usual(*args)
        except Exception as problem:  # whatever reading a damaged file may raise
            print(f"juryrank: compiled code in {_cache_root()} is damaged ({problem}); compiling", file=sys.stderr)
            cache.flush()
            return None

    cache.load_overload = load


def _table(numbers: tuple[float, ...]) -> Any:
    """A table of constants: a tuple gives Python its own floats, quickly; compiled code indexes an array."""
    import numpy

    return numpy.array(numbers)


def _names(code: types.CodeType) -> set[str]:
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return set(code.co_names).union(*(_names(const) for const in inner))


def source_hash() -> str:
    """A hash of everything that compiled code depends on."""
    import numba
    import numpy

    digest = hashlib.sha256(f"{sys.version}|{numba.__version__}|{numpy.__version__}".encode())
    for path in kernel_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def kernel_sources() -> list[Path]:
    """The files with kernels, and those beside them, where their constants live."""
    package = Path(__file__).resolve().parent.parent
    files = sorted(package.rglob("*.py"))
    homes = {path.parent for path in files if b"@kernel" in path.read_bytes()} | {package / "core"}
    return [path for path in files if path.parent in homes]


def _cache_root() -> Path:
    base = os.environ.get("JURYRANK_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "juryrank"


@cache
def _cache_folder() -> Path | None:
    """This version's own cache folder, which Numba then uses; None: nowhere to write, compile every time."""
    import numba

    folder = _cache_root() / f"compiled-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    numba.config.CACHE_DIR = str(folder)
    return folder


def _announce(function: Callable[..., Any]) -> None:
    """Say that compiling begins, which takes a while, unless it was done before; once per process."""
    global _announced
    if _announced or os.environ.get("JURYRANK_QUIET"):
        return
    if not warm(function):
        print("juryrank: compiling the simulation, once (a minute or two) ...", file=sys.stderr, flush=True)
        _announced = True
