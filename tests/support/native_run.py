"""Native runs of corpus programs: compile with sanitizers, feed inputs, read what was reported and at which line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.corpus import Expected

INCLUDE = Path(__file__).parents[2] / "src" / "unfork" / "include"
STUBS = Path(__file__).parents[1] / "native" / "stubs.c"
_SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
_KINDS = (
    ("corpus bug: reach-error", "reach-error"),
    ("corpus bug: assert", "assert"),
    ("corpus bug: contract", "contract"),
    ("corpus bug: abort", "abort"),
    ("corpus bug: user", "user"),
    ("Assertion `", "assert"),
    ("buffer-overflow", "out-of-bounds"),
    ("buffer-underflow", "out-of-bounds"),
    ("out of bounds", "out-of-bounds"),
    ("insufficient space", "out-of-bounds"),
    ("variable length array bound", "out-of-bounds"),
    ("not a valid value", "unreachable"),
    ("param-overlap", "invalid-call"),
    ("unknown-crash", "out-of-bounds"),
    ("heap-use-after-free", "use-after-free"),
    ("stack-use-after", "use-after-free"),
    ("attempting double-free", "double-free"),
    ("attempting free on address", "invalid-free"),
    ("stack-overflow", "stack-overflow"),
    ("division by zero", "div-by-zero"),
    ("shift exponent", "shift"),
    ("left shift of", "shift"),
    ("cannot be represented", "overflow"),
    ("integer overflow", "overflow"),
    ("unreachable", "unreachable"),
    ("Maybe a wild jump", "invalid-call"),
    ("null pointer", "null-dereference"),
    ("FPE on", "div-by-zero"),
    ("alloc-dealloc-mismatch", "invalid-free"),
    ("in __gxx_personality_v0", "terminate"),
    ("in __cxa_call_unexpected", "terminate"),
    ("without an active exception", "terminate"),
    ("terminate called after throwing", "uncaught-exception"),
    ("ABRT on", "abort"),
    ("ILL on", "abort"),
    ("unknown address 0x000000000", "null-dereference"),
    ("detected memory leaks", "leak"),
    ("caused by a WRITE", "read-only"),
    ("jump to the zero page", "null-dereference"),
    ("SEGV on unknown address", "out-of-bounds"),
)


@dataclass(frozen=True, slots=True)
class Report:
    """What one native run said: its exit status, and the kind and place of the bug, if any."""

    status: int
    kind: str | None
    file: str
    line: int
    text: str


def compiler_of(native: str) -> list[str]:
    """The command that compiles a C program that is validated so."""
    if native == "clang":
        return [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all", "-fPIC"]
    return linker_of(native)


def linker_of(native: str, suffix: str = ".c") -> list[str]:
    """The command that links it: always gcc, since ziglang's clang would first build a C library for it."""
    return ["g++" if suffix == ".cpp" else "gcc", *(_SANITIZE if native == "asan" else ())]


def compile_stubs(native: str, output: Path) -> None:
    """The stand-ins as an object file, for programs that are validated so."""
    command = [*compiler_of(native), "-g", "-O0", "-w", f"-I{INCLUDE}", "-c", str(STUBS), "-o", str(output)]
    subprocess.run(command, check=True, timeout=120)


def compile_program(program: Expected, stubs: Path, output: Path) -> None:
    """Compile and link with the stand-ins, the object file ``stubs``."""
    defines = [word for word in program.options if word.startswith("NDEBUG")]
    flags = ["-g", "-O0", "-w", f"-I{INCLUDE}", *(f"-D{name}" for name in defines), *program.native_flags]
    linked = [str(source) for source in program.sources]
    if program.native == "clang":
        linked = [f"{output}-{number}.o" for number in range(len(program.sources))]
        for source, object_file in zip(program.sources, linked, strict=True):
            _compiled(program, [*compiler_of(program.native), *flags, "-c", str(source), "-o", object_file])
    _compiled(
        program,
        [*linker_of(program.native, program.path.suffix), *flags, *linked, str(stubs), "-lm", "-o", str(output)],
    )


def _compiled(program: Expected, command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise RuntimeError(f"{program.name} does not compile natively:\n{done.stderr}")


def run(program: Expected, binary: Path, given: str, seed: int) -> Report:
    """One run with the values of an ``input`` line, or with those of ``seed``."""
    leaks = int("leak" in " ".join(program.options))
    environment = {
        **os.environ,
        "CORPUS_INPUT": ";".join(given.split()),
        "CORPUS_SEED": str(seed),
        "ASAN_OPTIONS": f"detect_leaks={leaks}:handle_abort=1:handle_sigill=1:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=0",
    }
    done = subprocess.run(
        [binary, *program.args],
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
        check=False,
    )
    return read_report(program, done.returncode, done.stderr)


def read_report(program: Expected, status: int, text: str) -> Report:
    """The first bug that a sanitizer, an assertion or a stand-in wrote about, at the program's innermost line."""
    files = {source.name for source in program.sources}
    kind = next((kind for words, kind in _KINDS if words in text), None)
    # A leak is where the block came from, a run out of stack is the call, not the entry of what was called.
    start = text.find({"leak": "allocated from", "stack-overflow": "#1 "}.get(kind or "", ""))
    for match in re.finditer(r"([\w.-]+\.c(?:pp)?):(\d+)(?::\d+)?", text[max(start, 0) :]):
        if match.group(1) in files:
            return Report(status, kind, match.group(1), int(match.group(2)), text)
    return Report(status, kind, "", 0, text)
