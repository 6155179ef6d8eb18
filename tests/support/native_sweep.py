"""Runs generated programs natively on chosen inputs: what each input comes to, under gcc's sanitizers."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.support.native_run import _KINDS

_FLAGS = (
    "-fsanitize=address,shift,signed-integer-overflow,integer-divide-by-zero",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-fno-strict-aliasing",
    "-fno-builtin",
    "-g",
    "-O0",
    "-w",
)
_ASSUMPTION, _CHECK = 1000, 2000
"""What the harness writes down for a failed assumption; for a failed check, together with its line."""
_HARNESS = r"""
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long long given;
static jmp_buf ended;
void unfork_symbolic(void *p, unsigned long n, const char *name) { memcpy(p, &given, n); given >>= 8 * n; }
void sweep_exit(int status) { longjmp(ended, (status & 255) + 1); }
void sweep_check(int holds, int line) { if (!holds) longjmp(ended, CHECK + line); }
void sweep_assume(int holds) { if (!holds) longjmp(ended, ASSUMPTION); }
struct task { unsigned program, input; };
extern struct { int (*run)(void); void (*keep)(int); } sweep_programs[];

int main(int argc, char **argv) {
    FILE *file = fopen(argv[1], "rb");
    static struct task tasks[1 << 22];
    unsigned count = fread(tasks, sizeof *tasks, 1 << 22, file);
    int *result = mmap(0, sizeof(int) * (count + 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned *now = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned next = 0; next < count; next = *now + 1) {
        *now = next;
        pid_t child = fork();
        if (!child) {
            for (unsigned last = -1; *now < count; ++*now) {
                struct task t = tasks[*now];
                alarm(5);
                if (t.program != last) sweep_programs[last = t.program].keep(0);
                else sweep_programs[t.program].keep(1);
                given = t.input;
                int jumped = setjmp(ended);
                result[*now] = jumped ? jumped : (sweep_programs[t.program].run() & 255) + 1;
            }
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        if (*now < count) fprintf(stderr, "\n@@ %u died\n", *now);
    }
    fwrite(result, sizeof(int), count, stdout);
    return 0;
}
"""


class Program(Protocol):
    """A program that a file ``name``.c holds, and the globals that must be as before when it runs again."""

    @property
    def name(self) -> str: ...

    @property
    def globals(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Fate:
    """What one input comes to: an exit status, or a fault's kind and line, or neither where an assumption fails."""

    status: int | None
    kind: str | None = None
    line: int = 0
    text: str = ""

    @property
    def what(self) -> tuple[int | None, str | None, int]:
        """Without the words."""
        return self.status, self.kind, self.line


def missing_tool() -> str | None:
    """What is needed and not there."""
    return next((tool for tool in ("gcc", "addr2line") if shutil.which(tool) is None), None)


def _unit(programs: Sequence[Program]) -> str:
    parts = ["extern void *memcpy(void *, const void *, unsigned long);", "#define NATIVE_SWEEP"]
    parts += ["void sweep_check(int, int);", "#define unfork_check(c) sweep_check((c) != 0, __LINE__)"]
    parts += ["void sweep_assume(int);", "#define unfork_assume(c) sweep_assume((c) != 0)"]
    for program in programs:
        parts += [f"#define main {program.name}_main", "#define exit sweep_exit", f'#include "{program.name}.c"']
        parts += ["#undef main", "#undef exit"]
        parts += [f"static char {name}_kept[sizeof {name}];" for name in program.globals]
        moves = [
            f"if (back) memcpy(&{name}, {name}_kept, sizeof {name}); else memcpy({name}_kept, &{name}, sizeof {name});"
            for name in program.globals
        ]
        parts.append(f"static void {program.name}_keep(int back) {{ {' '.join(moves)} }}")
    rows = ", ".join(f"{{{program.name}_main, {program.name}_keep}}" for program in programs)
    parts.append(f"struct {{ int (*run)(void); void (*keep)(int); }} sweep_programs[] = {{{rows}}};")
    return "\n".join(parts) + "\n"


def sweep(programs: Sequence[Program], inputs: Mapping[str, Sequence[int]], folder: Path) -> dict[str, dict[int, Fate]]:
    """The fates of ``inputs`` (by the program's name) of programs whose sources lie in ``folder``."""
    binary = folder / "sweep"
    Path(folder, "unit.c").write_text(_unit(programs))
    Path(folder, "harness.c").write_text(_HARNESS)
    codes = (f"-DASSUMPTION={_ASSUMPTION}", f"-DCHECK={_CHECK}")
    subprocess.run(["gcc", *codes, "-O1", "-w", "-c", "harness.c", "-o", "harness.o"], cwd=folder, check=True)
    done = subprocess.run(
        ["gcc", *_FLAGS, "unit.c", "harness.o", "-o", str(binary), "-lm"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"does not compile natively:\n{done.stderr[:2000]}")
    tasks = [(number, value) for number, program in enumerate(programs) for value in inputs[program.name]]
    Path(folder, "tasks").write_bytes(b"".join(struct.pack("<II", *task) for task in tasks))
    # No reports' stacks are symbolised at run time: that would take longer than everything else.
    options = (
        "detect_leaks=0:handle_abort=1:symbolize=0:detect_stack_use_after_return=0:redzone=64:malloc_context_size=1"
    )
    environment = {**os.environ, "ASAN_OPTIONS": options, "UBSAN_OPTIONS": "symbolize=0"}
    ran = subprocess.run(
        [str(binary), "tasks"], cwd=folder, env=environment, capture_output=True, check=False, timeout=300
    )
    statuses = struct.unpack(f"<{len(tasks)}i", ran.stdout)
    reports = _reports(ran.stderr.decode(errors="replace"), binary)
    fates: dict[str, dict[int, Fate]] = {program.name: {} for program in programs}
    for number, ((program, value), status) in enumerate(zip(tasks, statuses, strict=True)):
        fates[programs[program].name][value] = _fate(status) if status else reports[number]
    return fates


def _fate(written: int) -> Fate:
    """What the harness wrote down for an input that it survived."""
    if written > _CHECK:
        return Fate(None, "assert", written - _CHECK)
    return Fate(None) if written == _ASSUMPTION else Fate(written - 1)


def _reports(text: str, binary: Path) -> dict[int, Fate]:
    """The report that went before each death, with the line of the program's frame."""
    pieces = re.split(r"\n@@ (\d+) died\n", text)
    found: dict[int, tuple[str, str | None, str]] = {}
    for report, number in zip(pieces[0::2], pieces[1::2], strict=False):
        aborted = "AddressSanitizer: ABRT" in report
        kind = "abort" if aborted else next((kind for words, kind in _KINDS if words in report), "unknown")
        place = re.search(r"\.c:(\d+):\d+: runtime error", report)
        address = re.search(r"\(" + re.escape(str(binary)) + r"\+(0x[0-9a-f]+)\)", report)
        found[int(number)] = (kind, place.group(1) if place else None, address.group(1) if address else "0x0")
        if kind == "unknown":
            found[int(number)] = (kind, "0", report[-600:])
    addresses = sorted({address for _, line, address in found.values() if line is None})
    lines = dict(zip(addresses, _lines(addresses, binary), strict=True))
    return {
        number: Fate(None, kind, int(line) if line is not None else lines[address], address)
        for number, (kind, line, address) in found.items()
    }


def _lines(addresses: Sequence[str], binary: Path) -> list[int]:
    if not addresses:
        return []
    done = subprocess.run(["addr2line", "-e", str(binary), *addresses], capture_output=True, text=True, check=True)
    return [int(match.group(1)) if (match := re.search(r":(\d+)", row)) else 0 for row in done.stdout.splitlines()]
