"""The player's kernels, with a hash of all its files in their names.

Numba keeps compiled code by a function's name and looks only at that function's own file: the hash makes an edit
in any of these files a new name, so that it never meets the machine code of another version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from juryrank.core.gears import kernel

SOURCES = sorted(Path(__file__).parent.glob("*.py"))
VERSION = hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()[:12]


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel of the player; not copied into its callers, which would take long to compile."""
    function.__qualname__ += f"_{VERSION}"
    return kernel(inline=False)(function)
