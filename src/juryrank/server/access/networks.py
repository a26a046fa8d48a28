"""Network addresses: what counts as one, and what is kept of it."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress

from juryrank.server.access.secrets import new_secret
from juryrank.storage.base import Storage
from juryrank.study.signing.keys import signing_key

KEY_NOTE = "server/network-key"  # where the installation has no key of its own
ONE_NETWORK = 64  # bits of an IPv6 address: whoever has one has all that begin like it


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

    The key is derived from the installation's signing key, which is not in the database; where there is none, it
    is a note in it.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def mark(self, study: int, network: str) -> str:
        return hmac.new(self._key(), f"{study}/{network}".encode(), hashlib.sha256).hexdigest()[:32]

    def _key(self) -> bytes:
        key = signing_key(self._storage)
        if key is not None:
            return key.derived("network addresses")
        kept = self._storage.note(KEY_NOTE)
        if kept is None:
            self._storage.set_note(KEY_NOTE, new_secret())
            kept = self._storage.note(KEY_NOTE)
        return str(kept).encode()
