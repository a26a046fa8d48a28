"""Every benchmark, one after another: `python -m benchmarks`; or by name: `python -m benchmarks peers storage`."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

NEEDS_A_FILE = {"people_replay"}  # recorded votes, which are not part of the repository


def names() -> list[str]:
    """All benchmarks that run without being told anything.

    >>> "peers" in names()
    True
    """
    found = {module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])}
    return sorted(found - NEEDS_A_FILE - {"__main__"})


def main(wanted: list[str]) -> int:
    """Run them; the number of those that failed."""
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        print(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    failed = 0
    for name in wanted or names():
        print(f"\n== {name}", flush=True)
        failed += subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
