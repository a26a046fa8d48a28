"""`juryrank serve --lan`: this machine's address in its own network, a password, and what to say about both."""

from __future__ import annotations

import contextlib
import io
import ipaddress
import secrets
import socket
import struct

import segno

from juryrank.errors import BadInput

EVERYWHERE = "0.0.0.0"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is mistaken for another
GROUPS, LETTERS_EACH = 4, 4  # 79 bits
ASK_FOR_ADDRESS = 0x8915  # Linux: SIOCGIFADDR
NO_NETWORK = (
    "this machine has no address that others could open: it is in no network. Connect it to the Wi-Fi or cable "
    "that the judges use, or name its address with --url http://ADDRESS:PORT"
)
WARNING = (
    "network: whoever is in the same network can open these pages; the password keeps them out of yours. "
    "Nothing is encrypted, so use a network that you trust, and put nothing secret into a study."
)
ALONE = "others: nobody else can open these links. `juryrank serve --lan` opens them to phones in the same network"


def lan_address() -> str:
    """The address of this machine that others in its network can open; raises BadInput where there is none."""
    for found in (_towards_the_world(), *_of_interfaces()):
        if found and _is_for_others(found):
            return found
    raise BadInput(NO_NETWORK)


def _towards_the_world() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:  # nothing is sent: the system only says which of its addresses it would send from
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def _of_interfaces() -> list[str]:
    """The addresses of a machine without a way to the internet, where the system tells them."""
    try:
        import fcntl
    except ImportError:
        return []
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an address, or another system
                asked = struct.pack("256s", name.encode()[:15])
                found.append(socket.inet_ntoa(fcntl.ioctl(probe, ASK_FOR_ADDRESS, asked)[20:24]))
    return found


def _is_for_others(address: str) -> bool:
    known = ipaddress.ip_address(address)
    return not (known.is_loopback or known.is_unspecified or known.is_link_local)


def made_password() -> str:
    """A password that is easy to type on a phone.

    >>> len(made_password()), made_password() != made_password()
    (19, True)
    """
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(LETTERS_EACH)) for _ in range(GROUPS))


def scan_code(address: str) -> list[str]:
    """The address as lines of a code that a phone's camera reads from a terminal."""
    drawn = io.StringIO()
    segno.make(address, error="l").terminal(drawn, compact=True, border=2)
    return drawn.getvalue().rstrip("\n").split("\n")
