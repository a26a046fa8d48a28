"""A real Chromium for the tests that look at pages; skipped loudly where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.postgres import missing

# Chromium opens two more pages, for the popup of its address bar, with every page of ours, and keeps a process in
# reserve: more than half of a test's time. Of several lists of features the last one counts, so the first lines
# repeat what Playwright leaves out.
UNUSED = [
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay",
    "HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess",
]  # fmt: skip
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--disable-features={','.join(UNUSED)}"]


def started() -> Iterator[Any]:
    """A browser, for a fixture no longer than its tests: Playwright keeps an event loop running in this thread."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("the pages in a browser: playwright is not installed")
    if chromium is None:
        missing("the pages in a browser: there is no Chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from started()
