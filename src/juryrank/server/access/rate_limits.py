"""How often something may be tried: a bucket per judge and address (limits: `defaults.py`); passwords."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

from juryrank.defaults import MOST_BUCKETS, ONE_NETWORK, PASSWORDS_AT_ONCE
from juryrank.server.access.vault import Vault, new_secret
from juryrank.server.settings import Allowance
from juryrank.storage.base import Storage
from juryrank.study.people import NETWORK_KEY


class Limiter:
    """Token buckets by name, in this process.

    >>> limiter = Limiter(Allowance(1.0, 2), clock=lambda: 0.0)
    >>> [limiter.take("ann") for _ in range(3)], limiter.take("bob")
    ([0.0, 0.0, 1.0], 0.0)
    """

    def __init__(self, rate: Allowance, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # name: (left, when)
        self._lock = threading.Lock()

    def take(self, name: str, rate: Allowance | None = None) -> float:
        """Use one token; 0 if there was one, else the seconds to wait. `rate`: of this name alone."""
        rate = rate or self._rate
        with self._lock:
            left = self._left(name, rate)
            short = max(0.0, 1 - left)
            self._put(name, left if short else left - 1)
        return short / rate.per_second

    def give_back(self, name: str, rate: Allowance | None = None) -> None:
        """Give back what was taken: it turned out not to count."""
        rate = rate or self._rate
        with self._lock:
            self._put(name, min(rate.burst, self._left(name, rate) + 1))

    def _left(self, name: str, rate: Allowance) -> float:
        left, when = self._buckets.get(name, (rate.burst, self._clock()))
        return min(rate.burst, left + (self._clock() - when) * rate.per_second)

    def _put(self, name: str, left: float) -> None:
        self._buckets[name] = (left, self._clock())
        self._buckets.move_to_end(name)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)


# ----------------------------------------------------------------------------
# Network addresses: what counts as one, and what is kept of it


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the network of an IPv6 one.

    >>> network_of("203.0.113.9"), network_of("2001:db8::1:2"), network_of("::ffff:203.0.113.9")
    ('203.0.113.9', '2001:db8::/64', '203.0.113.9')
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((known, ONE_NETWORK), strict=False))


class Networks:
    """Keyed hashes of addresses: equal for equal addresses of one study, and worth nothing without the key.

    The key is a note of the study. It is thrown away when the study closes: who shared an address can still be
    counted, and nobody can find out any more which address it was.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def mark(self, study: int, network: str) -> str:
        return hmac.new(self._key(study), network.encode(), hashlib.sha256).hexdigest()[:32]

    def _key(self, study: int) -> bytes:
        if self._storage.note(NETWORK_KEY, study=study) is None:
            self._storage.set_note(NETWORK_KEY, new_secret(), study=study)
        return str(self._storage.note(NETWORK_KEY, study=study)).encode()


# ----------------------------------------------------------------------------
# Checking passwords so that guesses cannot exhaust the server: a check takes 64 MB and a tenth of a second


class PasswordChecks:
    """Guesses are counted before they are checked, so that sending many at once gains nothing."""

    def __init__(self, vault: Vault, guesses: Limiter) -> None:
        self._vault = vault
        self._guesses = guesses
        self._free = asyncio.Semaphore(PASSWORDS_AT_ONCE)

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
