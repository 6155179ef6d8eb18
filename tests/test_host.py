"""Hosts: Linux as it is, macOS by its own class on this system, and programs that another processor runs."""

from __future__ import annotations

import os
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.runs import explore
from unfork import host, processes
from unfork.errors import InputError
from unfork.host import Host, Linux, MacOS
from unfork.program.llvm import binding
from unfork.world.inputs.testcase import NativeOpinion

SOURCE = Path("src/unfork")
PROGRAMS = Path("tests/programs")
X86, ARM = 62, 183
OWN = os.uname().machine
HOSTS = [Linux(OWN), MacOS("arm64")]


@pytest.fixture
def arm_mac(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    mac = MacOS("arm64")
    monkeypatch.setattr(host, "this", lambda: mac)
    yield


def elf(machine: int, path: Path) -> Path:
    path.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", 2, machine) + bytes(44))
    return path


@pytest.mark.parametrize("system", HOSTS, ids=lambda system: system.name)
def test_every_host_counts_what_processes_use(system: Host) -> None:
    child = processes.fork(lambda channel: channel.recv())
    try:
        assert system.cores()
        assert system.resident_bytes() > 10_000_000
        assert system.resident_bytes(child._pid) > 1_000_000
        before = system.seconds_used(os.getpid())
        sum(number * number for number in range(3_000_000))
        assert system.seconds_used(os.getpid()) > before
        assert system.seconds_with_children() >= before
    finally:
        child.end()
    with pytest.raises(OSError):
        system.resident_bytes(child._pid)
    with pytest.raises(OSError):
        system.seconds_used(child._pid)


@pytest.mark.parametrize("system", ["Linux", "MacOS"])
def test_a_child_ends_with_its_parent(system: str) -> None:
    """The parent is killed; the child, which would wait for ever, closes the pipe that this test reads."""
    reader, writer = os.pipe()
    parent = f"""
import os, signal
from unfork.host import {system}
here = os.getpid()
if os.fork() == 0:
    {system}({OWN!r}).end_with(here)
    os.write({writer}, b"ready")
    signal.pause()
signal.pause()
"""
    with subprocess.Popen([sys.executable, "-c", parent], pass_fds=[writer]) as process:
        os.close(writer)
        assert os.read(reader, 9) == b"ready"
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert os.read(reader, 9) == b""
    os.close(reader)


def test_programs_for_this_processor_start_by_themselves(tmp_path: Path) -> None:
    assert Linux("x86_64").starter(elf(X86, tmp_path / "x86")) == ()
    assert Linux("aarch64").starter(elf(ARM, tmp_path / "arm")) == ()
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert Linux("aarch64").starter(script) == ()


def test_another_processor_needs_an_emulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program = elf(X86, tmp_path / "program")
    with pytest.raises(InputError, match="Linux on aarch64, runs no x86-64 programs; qemu-user does"):
        Linux("aarch64").starter(program)
    emulator = tmp_path / "qemu-x86_64-static"
    emulator.write_text("#!/bin/sh\n")
    emulator.chmod(0o755)
    assert Linux("aarch64").starter(program) == (str(emulator), "-0")
    with pytest.raises(InputError, match="macOS on arm64, runs no Linux programs"):
        MacOS("arm64").starter(program)


@pytest.mark.native_check
@pytest.mark.usefixtures("arm_mac")
def test_a_mac_finds_the_same_and_says_that_no_native_run_has_a_say(tmp_path: Path) -> None:
    result = explore(PROGRAMS / "heap" / "use_after_shrinking_bug.c", tmp_path / "run", "--native-check", "auto")
    assert result.verdict == "unsafe"
    assert {error.native.word for error in result.errors} == {NativeOpinion.UNCHECKED}
    assert {error.native.reason for error in result.errors} == {"this host, macOS on arm64, runs no Linux programs"}


@pytest.mark.usefixtures("arm_mac")
def test_another_processor_compiles_loops_but_no_floating_point() -> None:
    whole = "define i64 @loop(i64 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}\n"
    assert binding.machine_code(whole, "loop").address
    floating = "define double @loop(double %x) {\n  %y = fadd double %x, %x\n  ret double %y\n}\n"
    with pytest.raises(binding.NoMachineCode, match="other NaNs"):
        binding.machine_code(floating, "loop")


ASKS = re.compile(r"sys\.platform|\bplatform\.|os\.uname|/proc/|prctl|sched_[gs]etaffinity|RLIMIT_|SC_PAGE|\bunshare\b")
MODELS = {"world/kernel", "world/inputs", "world/library"}
"""What these name belongs to the explored program's system."""


def test_nobody_else_asks_which_system_this_is() -> None:
    asking = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if ASKS.search(path.read_text()) and path.relative_to(SOURCE).parent.as_posix() not in MODELS
    }
    assert asking == {"host.py", "report/replay/jail.py"}
