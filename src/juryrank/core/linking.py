"""How called kernels are compiled: as code that is linked into an entry, never run by itself.

Numba makes machine code of every function, and each time optimises anew all that the function calls. For a tree
of two hundred kernels below one entry that is most of the time. Here a called kernel is optimised once, with the
kernels copied into it; those that stay apart are linked and turned into machine code with the entry only.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

MANGLED = "_ZN"  # how Numba's names of functions begin
ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba's names of a function's environment begin


class CalledLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one called kernel, to be copied into its callers."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.calls: dict[CalledLibrary, None] = {}  # for the entry to link; what is called before what calls it

    def finalize(self) -> None:
        """Link and optimise what is copied into this kernel; leave what it calls to the entry."""
        _put_off(self)
        super().finalize()

    def _finalize_final_module(self) -> None:
        """No machine code; only the environment, which Numba fills in as soon as a function is compiled."""
        self._finalize_dynamic_globals()
        engine = self._codegen._engine
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT) and not engine.is_symbol_defined(variable.name):
                self._codegen._add_module(binding.parse_assembly(f'@"{variable.name}" = common global i64 0'))
        engine.finalize_object()
        self._finalized = True


class ApartLibrary(CalledLibrary):
    """The code of a kernel that is too large for that: its callers call it."""


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry with all kernels below it."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.calls: dict[CalledLibrary, None] = {}

    def finalize(self) -> None:
        """Link every kernel below, each once: callers first, as LLVM leaves out what nothing refers to yet."""
        _put_off(self)
        self._linking_libraries += reversed(self.calls)
        super().finalize()

    def _verify_declare_only_symbols(self) -> None:
        """Numba looks only for functions of its own."""
        super()._verify_declare_only_symbols()
        missing = [f.name for f in self._final_module.functions if f.is_declaration and f.name.startswith(MANGLED)]
        if missing:
            raise AssertionError(f"compiled, but not linked: {missing}")


def _put_off(library: CalledLibrary | EntryLibrary) -> None:
    """Of what a library links, keep what is copied; remember the kernels that are called, and theirs."""
    kept = []
    for other in library._linking_libraries:
        if isinstance(other, CalledLibrary):
            library.calls.update(other.calls)
        if isinstance(other, ApartLibrary):
            library.calls[other] = None
        else:
            kept.append(other)
    library._linking_libraries = kept


def _compiler(kind: type[JITCodeLibrary]) -> type[Compiler]:
    class Linking(Compiler):  # type: ignore[misc]
        """Numba's own way to compile, into a library of this kind."""

        def compile_extra(self, func: Any) -> Any:
            if self.state.library is None:
                self.state.library = kind(self.state.targetctx.codegen(), func.__qualname__)
                self.state.library.enable_object_caching()
            return super().compile_extra(func)

    return Linking


ENTRY, COPIED, APART = map(_compiler, (EntryLibrary, CalledLibrary, ApartLibrary))
