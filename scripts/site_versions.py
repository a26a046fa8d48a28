"""The pages of every release beside the newest: `make docs-versions`, after `make docs`.

Each tag v1.2.3 is built from its own sources into build/site/1.2.3, once; versions.json lists them, and the line
at the foot of every page becomes a choice. A tag that today's tools cannot build is left out with a word.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)")


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def releases(tags: list[str]) -> list[str]:
    """Released versions, newest first.

    >>> releases(["v0.9.0", "v0.10.0", "nightly", "v1.0.0rc1"])
    ['0.10.0', '0.9.0']
    """
    found = [tuple(map(int, match.groups())) for tag in tags if (match := TAG.fullmatch(tag))]
    return [".".join(map(str, version)) for version in sorted(found, reverse=True)]


def listed(built: list[str], *, here: str, url: str) -> list[dict[str, str]]:
    """What versions.json holds: the newest pages at the root, then each release.

    >>> [entry["name"] for entry in listed(["0.2.0", "0.1.0"], here="0.3.0", url="https://x.org")]
    ['0.3.0 (newest)', '0.2.0', '0.1.0']
    """
    older = [{"name": version, "url": f"{url}/{version}/"} for version in built]
    return [{"name": f"{here} (newest)", "url": f"{url}/"}, *older]


def build(version: str, out: Path) -> bool:
    """The pages of one release, from its tag."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--quiet", "--detach", str(tree), f"v{version}")
        try:
            env = {**os.environ, "PYTHONPATH": str(tree / "src")}
            command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(tree / "docs"), str(out)]
            return subprocess.run(command, env=env, check=False).returncode == 0
        finally:
            git("worktree", "remove", "--force", str(tree))


def main() -> None:
    site = Path(sys.argv[1]).resolve()
    if not (site / "index.html").exists():
        sys.exit(f"{site} holds no site: run `make docs` first")
    sys.path.insert(0, str(ROOT / "docs"))
    import conf

    built = []
    for version in releases(git("tag", "--list").split()):
        if version == conf.version:
            continue  # the pages at the root
        if (site / version / "index.html").exists() or build(version, site / version):
            built.append(version)
        else:
            print(f"left out: the pages of {version} cannot be built", file=sys.stderr)
    names = listed(built, here=conf.version, url=conf.SITE)
    (site / "versions.json").write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
    print(f"versions.json: {', '.join(entry['name'] for entry in names)}")


if __name__ == "__main__":
    main()
