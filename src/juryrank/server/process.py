"""A process that does nothing but serve: tuned for even response times rather than for throughput."""

from __future__ import annotations

import gc
import sys

from fastapi import FastAPI

from juryrank.server.app import create_app

SWITCH_SECONDS = 0.001  # a request that only waits for its turn soon lets the others run


def worker_app() -> FastAPI:
    """What `juryrank serve` runs in each of its processes."""
    app = create_app()
    sys.setswitchinterval(SWITCH_SECONDS)
    leave_the_libraries_alone()
    return app


def leave_the_libraries_alone() -> None:
    """Exempt everything loaded by now from garbage collection.

    A full round over all imported libraries takes 60 to 90 ms, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()
