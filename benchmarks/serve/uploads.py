"""`python -m benchmarks.serve.uploads`: pictures through the real server, one request each as the page sends them.

How much memory the server and its decoders take meanwhile is read from /proc (Linux). Nothing is kept.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MEGABYTE = 1e6
AT_ONCE = 2  # as the page does it
FINE = 24  # grain of the made picture, so that its file has about the wanted size


def picture_of(megabytes: float) -> bytes:
    """A JPEG of about this size, as a camera makes it: 12 megapixels with fine grain."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(1)
    coarse = Image.fromarray(rng.integers(0, 255, (375, 500, 3), dtype=np.uint8)).resize((4000, 3000))
    grain = rng.integers(-FINE // 2, FINE // 2, (3000, 4000, 3))
    image = Image.fromarray(np.clip(np.asarray(coarse, dtype=np.int16) + grain, 0, 255).astype(np.uint8))
    for quality in range(60, 98, 3):
        body = io.BytesIO()
        image.save(body, "JPEG", quality=quality)
        if body.tell() >= MEGABYTE * megabytes:
            break
    return body.getvalue()


class Watch(threading.Thread):
    """The largest memory that a process and its children had."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.server, self.children, self.running = pid, 0, 0, True

    def run(self) -> None:
        while self.running:
            self.server = max(self.server, resident(self.pid))
            children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
            threads = [Path(one) / "children" for one in Path(f"/proc/{self.pid}/task").glob("*")]
            ids = {int(one) for path in (children, *threads) if path.exists() for one in path.read_text().split()}
            self.children = max(self.children, sum(map(resident, ids)))
            time.sleep(0.05)


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def measure(count: int, megabytes: float, place: Path) -> None:
    import httpx

    from juryrank.server.access.vault import Scope, Vault
    from juryrank.storage import open_storage

    url = f"sqlite:///{place}/jury.db"
    token = Vault(open_storage(url)).issue_token(Scope.ADMIN)[1]
    command = [sys.executable, "-m", "juryrank", "serve", "--storage", url, "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = next(found[0] for line in server.stdout if (found := re.search(r"http://[\d.]+:\d+", line)))
    watch = Watch(server.pid)
    try:
        body = picture_of(megabytes)
        with httpx.Client(base_url=address, timeout=600, follow_redirects=True) as browser:
            page = browser.get("/login").text
            browser.post("/login", data={"secret": token, "form_token": form_token(page)})
            sent = {"form_token": form_token(browser.get("/admin/new").text)}
            upload = browser.post("/admin/uploads", data=sent).json()["upload"]
            before = resident(server.pid)
            watch.start()
            began = time.perf_counter()

            def send(k: int) -> str:
                # each picture differs, so that each is decoded and stored
                name, own = f"picture {k}.jpg", body[:-2] + b"%06d" % k + body[-2:]
                headers = {"X-Form-Token": sent["form_token"]}
                return browser.post(
                    f"/admin/uploads/{upload}", params={"name": name}, content=own, headers=headers
                ).text

            with ThreadPoolExecutor(AT_ONCE) as threads:
                refused = sum("refused" in line for line in threads.map(send, range(count)))
            form = {**sent, "name": "pictures", "question": "Which is better?", "upload": upload}
            made = browser.post("/admin/new", data=form)
            took = time.perf_counter() - began
        watch.running = False
        print(f"{count} pictures of {len(body) / MEGABYTE:.1f} MB in {took:.0f} s; refused: {refused}; "
              f"study made: {made.status_code == 200 and '/share' in str(made.url)}")  # fmt: skip
        print(f"server: {before / MEGABYTE:.0f} MB before, at most {watch.server / MEGABYTE:.0f} MB; "
              f"decoders together: at most {watch.children / MEGABYTE:.0f} MB")  # fmt: skip
    finally:
        server.terminate()
        server.wait()


def form_token(html: str) -> str:
    found = re.search(r'name="form_token" value="([^"]+)"', html)
    assert found, html[:500]
    return found[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--megabytes", type=float, default=5.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        measure(given.count, given.megabytes, Path(place))


if __name__ == "__main__":
    main()
