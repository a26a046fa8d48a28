"""`serve --lan`: one command, and a phone in the same network can open what it prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from juryrank.errors import BadInput
from juryrank.server import lan
from juryrank.server.lan import ALONE, NO_NETWORK, WARNING, lan_address, scan_code
from tests.commands import juryrank
from tests.postgres import missing

HERE, THERE = "10.231.77.1", "10.231.77.2"
PHONE = """
import re, sys, httpx
address, password = sys.argv[1:]
token = lambda page: re.search(r'name="form_token" value="([^"]+)"', page.text)[1]
with httpx.Client(base_url=address, follow_redirects=True, timeout=30) as owner:
    assert "Log in" in owner.get("/admin").text
    owner.post("/login", data={"secret": password, "form_token": token(owner.get("/login"))}).raise_for_status()
    made = {"name": "Names", "question": "Which?", "items": "Ada\\nBob\\nCyd"}
    made["form_token"] = token(owner.get("/admin/new"))
    share = owner.post("/admin/new", data=made)
    assert "Only this computer" not in share.text
link = re.search(r'id="open-link"[^>]*>([^<]+)<', share.text)[1]
assert link.startswith(address)
with httpx.Client(follow_redirects=True, timeout=30) as judge:  # who scanned the code
    assert "Start" in judge.get(link).text
    assert "Choose this one" in judge.post(link + "/begin", data={}).text
print("answered")
"""


@contextmanager
def two_machines() -> Iterator[tuple[str, str]]:
    """Two network namespaces with a cable between them, and no way to anywhere else."""
    ip, ours, theirs = shutil.which("ip") or "/usr/sbin/ip", f"jr{os.getpid()}a", f"jr{os.getpid()}b"

    def run(*words: str) -> None:
        subprocess.run([ip, *words], check=True, capture_output=True, timeout=20)

    try:
        try:
            run("netns", "add", ours)
            run("netns", "add", theirs)
            run("link", "add", ours, "netns", ours, "type", "veth", "peer", "name", theirs, "netns", theirs)
            for name, address in ((ours, HERE), (theirs, THERE)):
                run("-n", name, "address", "add", f"{address}/24", "dev", name)
                run("-n", name, "link", "set", name, "up")
                run("-n", name, "link", "set", "lo", "up")
        except (OSError, subprocess.CalledProcessError):
            missing("a phone in the same network: iproute2 is not here, or may make no network namespaces")
        yield ours, theirs
    finally:
        for name in (ours, theirs):
            subprocess.run([ip, "netns", "delete", name], capture_output=True, timeout=20)


def inside(machine: str, *command: str) -> list[str]:
    return [shutil.which("ip") or "/usr/sbin/ip", "netns", "exec", machine, sys.executable, *command]


def test_a_phone_in_the_same_network_opens_what_is_printed(tmp_path: Path) -> None:
    environment = {**os.environ, "JURYRANK_PASSWORD": ""}
    with two_machines() as (ours, theirs):
        command = inside(ours, "-m", "juryrank", "serve", "--lan", "--port", "0")
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        server = subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, **pipes)  # type: ignore[call-overload]
        try:
            lines = [server.stdout.readline().rstrip("\n")]
            while lines[-1] and not lines[-1].startswith("stop:"):
                lines.append(server.stdout.readline().rstrip("\n"))
            address = lines[0].removeprefix("admin: ").removesuffix("/admin")
            assert address.startswith(f"http://{HERE}:") and WARNING in lines
            code = scan_code(address)
            assert lines[2 : 2 + len(code)] == code  # what a camera reads is the address
            password = lines[1].removeprefix("password: ").split()[0]
            phone = inside(theirs, "-c", PHONE, address, password)
            seen = subprocess.run(phone, capture_output=True, text=True, timeout=120)
            assert seen.stdout == "answered\n", seen.stderr
        finally:
            server.terminate()
            server.communicate(timeout=30)


def test_a_machine_in_no_network_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_towards_the_world", lambda: "127.0.0.1")
    monkeypatch.setattr(lan, "_of_interfaces", lambda: ["127.0.0.1", "169.254.3.4"])
    with pytest.raises(BadInput, match="in no network"):
        lan_address()
    assert "--url" in NO_NETWORK


def test_lan_and_a_host_contradict_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = juryrank("serve", "--lan", "--host", "192.168.0.7")
    assert refused.returncode == 2 and "leave --host 192.168.0.7 out" in refused.stderr
    assert not list(tmp_path.iterdir())
    assert "--lan" in ALONE  # what a server on loopback says at its start
