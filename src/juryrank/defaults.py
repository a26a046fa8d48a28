"""Defaults, deadlines and lifetimes that the command line, the server and Python share."""

from __future__ import annotations

from typing import Final

SQLITE: Final = "sqlite:///"  # before the path of a file
DEFAULT_STORAGE: Final = f"{SQLITE}juryrank.db"
DEMO_STORAGE: Final = f"{SQLITE}juryrank-demo.db"  # of `serve --demo`
DEFAULT_LEASE: Final = 600.0  # seconds to answer one question
DEFAULT_SITTING: Final = 10  # questions per person
DEFAULT_SITTING_LEASE: Final = 3600.0  # seconds for a whole sitting, counted from its first question
LOGIN_SECONDS: Final = 14 * 86_400.0  # how long a log-in lasts
WIDTH: Final = 80  # columns of a terminal, unless it says otherwise
FILE_MB, UPLOAD_MB, STUDY_MB = 20, 2_000, 500  # megabytes of an uploaded file, an upload, a study's stored files
MOST_ITEMS = 10_000  # of one ranking: tried to here; of many, no table of all pairs is kept
