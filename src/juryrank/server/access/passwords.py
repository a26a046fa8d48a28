"""Checking passwords so that guesses cannot exhaust the server: a check takes 64 MB and a tenth of a second."""

from __future__ import annotations

import asyncio

from starlette.concurrency import run_in_threadpool

from juryrank.server.access.rate_limits import Limiter
from juryrank.server.access.vault import Vault

AT_ONCE = 2  # checks at the same time; the others wait without occupying a thread


class PasswordChecks:
    """Guesses are counted before they are checked, so that sending many at once gains nothing."""

    def __init__(self, vault: Vault, guesses: Limiter) -> None:
        self._vault = vault
        self._guesses = guesses
        self._free = asyncio.Semaphore(AT_ONCE)

    async def wait_for(self, address: str, password: str) -> tuple[bool, float]:
        """Is it right? And the seconds to wait, if this address has no guess left (it is then not checked)."""
        wait = self._guesses.take(address)
        if wait:
            return False, wait
        async with self._free:
            fits = await run_in_threadpool(self._vault.password_fits, password)
        if fits:
            self._guesses.give_back(address)
        return fits, 0.0
