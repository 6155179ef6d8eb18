"""How a native run ended, told from its exit status or signal and the reports of assert and the sanitizers."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from unfork.inputs.testcase import Error, Exit, Expectation

_ASSERT = re.compile(r"^(?:[^:\n]*: )?(?P<file>[^:\n]+):(?P<line>\d+): .*Assertion .* failed", re.M)
_MUSL_ASSERT = re.compile(r"^Assertion failed: .*\((?P<file>[^:()\n]+): [^:\n]*: (?P<line>\d+)\)", re.M)
_OURS = re.compile(r"^unfork: (?P<kind>[a-z-]+)", re.M)
_RUNTIME = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: runtime error: (?P<what>.*)$", re.M)
_ADDRESS = re.compile(r"ERROR: (?:Address|Leak)Sanitizer: (?P<what>[^\n]*)")
_FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ in \S+ (?P<file>[^:\s]+):(?P<line>\d+)", re.M)

_OF_LIBC = "../"
"""How the names of the C library's files begin: they are relative to where it was built."""
_OWN = "/unfork"
"""What a test written as C calls its own part. An error there belongs to the function that it calls."""
_RUNTIME_KINDS = (
    ("division by zero", "div-by-zero"),
    ("shift exponent", "shift"),
    ("left shift of", "shift"),
    ("integer overflow", "overflow"),
    ("negation of", "overflow"),
    ("cannot be represented", "overflow"),
    ("out of bounds", "out-of-bounds"),
    ("null pointer", "null-dereference"),
    ("unreachable", "unreachable"),
    ("insufficient space", "out-of-bounds"),
    ("variable length array bound", "out-of-bounds"),
    ("not a valid value", "unreachable"),
)
_ADDRESS_KINDS = (
    ("double-free", "double-free"),
    ("attempting double-free", "double-free"),
    ("stack-overflow", "stack-overflow"),
    ("not malloc", "invalid-free"),
    ("bad-free", "invalid-free"),
    ("use-after", "use-after-free"),
    ("overflow on", "out-of-bounds"),
    ("buffer-overflow", "out-of-bounds"),
    ("buffer-underflow", "out-of-bounds"),
    ("container-overflow", "out-of-bounds"),
    ("param-overlap", "invalid-call"),
    ("leak", "leak"),
    ("FPE", "div-by-zero"),
)
_LOOSE = {
    "reach-error": ("assert", "abort"),
    "abort": ("assert", "reach-error"),
    "user": ("abort",),
    "read-only": ("null-dereference", "crash"),
    "null-dereference": ("crash", "out-of-bounds"),
    "out-of-bounds": ("crash", "use-after-free", "null-dereference", "invalid-free"),
    "use-after-free": ("crash", "out-of-bounds"),
    "invalid-call": ("crash", "null-dereference", "out-of-bounds"),
    "stack-overflow": ("crash",),
    "overflow": ("div-by-zero",),
    "invalid-free": ("out-of-bounds", "double-free", "crash"),
    "double-free": ("use-after-free",),
}
"""Other kinds that native runs may report for a kind of error: they may show the crash where we see the cause."""
UNSURE = frozenset(["leak", "uninitialised", "overflow", "shift", "unreachable", "stack-overflow", "invalid-call"])
"""Kinds that sanitizers do not check, or that compilers move elsewhere: a quiet end says nothing about them."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a native run ended. As in subprocess, ``status`` is negative for a signal."""

    status: int
    text: str
    """What it wrote to standard error."""
    output: bytes = b""
    """What it wrote to standard output."""


def read(ending: Ending) -> Exit | Error:
    """The end of a run in the engine's words; a crash without a known reason has the kind "crash"."""
    text = ending.text
    if match := _OURS.search(text):
        return Error(match["kind"], None, None)
    if match := _RUNTIME.search(text):
        return Error(_kind(match["what"], _RUNTIME_KINDS), match["file"], int(match["line"]))
    if match := _ADDRESS.search(text):
        return _address_error(match["what"], text)
    if match := _ASSERT.search(text) or _MUSL_ASSERT.search(text):
        return Error("assert", match["file"], int(match["line"]))
    if ending.status >= 0:
        return Exit(ending.status)
    if ending.status in (-signal.SIGABRT, -signal.SIGILL, -signal.SIGTRAP):  # abort() and __builtin_trap()
        return Error("abort", None, None)
    if ending.status == -signal.SIGFPE:
        return Error("div-by-zero", None, None)
    return Error("crash", None, None)


def agrees(expect: Expectation, seen: Exit | Error) -> bool:
    """Whether a native end agrees with what a test expects. Lines are compared if both are known and exact.

    The line where the stack runs out is not compared: it depends on how large the compiler makes frames.
    """
    match expect, seen:
        case None, _:
            return True
        case Exit(None), Error("abort", _, _):
            return True
        case Exit(status), Exit(other):
            return status == other
        case Error(kind, _, line, is_near), Error(other_kind, _, other_line):
            if kind != other_kind and other_kind not in _LOOSE.get(kind, ()):
                return False
            is_vague = is_near or kind == "stack-overflow" or None in (line, other_line)
            return kind != other_kind or is_vague or line == other_line
        case _:
            return False


def _kind(text: str, table: tuple[tuple[str, str], ...]) -> str:
    return next((kind for part, kind in table if part in text), "crash")


def _address_error(what: str, text: str) -> Error:
    kind = _kind(what, _ADDRESS_KINDS)
    if kind == "crash" and "zero page" in text:
        kind = "null-dereference"
    for frame in _FRAME.finditer(text):
        file = frame["file"]
        if not (file.startswith(_OF_LIBC) or "sanitizer" in file or file.endswith(_OWN)):
            return Error(kind, file, int(frame["line"]))
    return Error(kind, None, None)
