"""The command line as a program, without a process of its own: its exit code and both outputs."""

from __future__ import annotations

import io
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace
from unittest import mock

from juryrank.cli import main


def juryrank(*arguments: object) -> SimpleNamespace:
    """What `juryrank ...` would give; a traceback is raised as it is."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    called = mock.patch.object(sys, "argv", ["juryrank", *map(str, arguments)])
    warned = mock.patch.object(warnings, "formatwarning", warnings.formatwarning)  # which `main` changes
    with called, warned, redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())
