"""Make judge.png and dashboard.png from the real pages: `python docs/images/pages.py` (needs Chromium)."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent


def save(png: bytes, name: str) -> None:
    """Few colours are enough for a page, and make a small file."""
    Image.open(io.BytesIO(png)).convert("RGB").quantize(128).save(HERE / name, optimize=True)


def main() -> None:
    command = [sys.executable, "-m", "juryrank", "serve", "--demo", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        lines = dict(process.stdout.readline().strip().split(": ", 1) for _ in range(5))
        try:
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"), args=["--no-sandbox"]
                )
                page = chromium.new_page(viewport={"width": 1100, "height": 620}, color_scheme="light")
                page.set_default_timeout(120_000)
                page.goto(lines["judge Ann"])
                page.click("#start")
                for _ in range(2):
                    page.wait_for_selector("#deck[data-ready]:not([data-ready=''])")
                    page.keyboard.press("ArrowLeft")
                    page.wait_for_timeout(800)
                page.wait_for_selector("#deck[data-ready]:not([data-ready=''])")
                save(page.screenshot(), "judge.png")
                page.set_viewport_size({"width": 1240, "height": 830})
                page.goto(lines["admin"])
                page.wait_for_url("**/admin")
                page.goto(lines["study"])
                page.wait_for_selector("#chart-judges svg")
                page.wait_for_timeout(2500)
                save(page.screenshot(), "dashboard.png")
                chromium.close()
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
