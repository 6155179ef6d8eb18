"""Counts the branch edges that native runs take, numbered as the engine numbers them: a note before every branch.

An edge is (function, block, successor) of a branch or switch. The bitcode's text gets a call before each, LLVM compiles
it unchanged otherwise, and the program writes the edges that it takes to a file.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm

from unfork.program.llvm.debug_info import DebugInfo
from unfork.report.replay.binary import Enclosure, NativeBinary
from unfork.world.inputs.file_of_test import from_json

DEFINITION = re.compile(r'^define [^@]*?@([-\w.$]+|"[^"]*")\(.*?(?: !dbg (!\d+))?(?: !\w+ !\d+)* \{$')
LABEL = re.compile(r'^(?:[-\w.$]+|"[^"]*"):')
BRANCH = re.compile(r"^  br i1 (.+), label (%\S+), label (%[^\s,]+)")
SWITCH = re.compile(r"^  switch (i\d+) (.+), label (%\S+) \[")
CASE = re.compile(r"^    i\d+ (\S+), label (%[^\s,]+)")
Edge = tuple[str, int, int]

RUNTIME = """
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char spare[EDGES + 1], *taken;

void unfork_branch(int edge)
{
  if (!taken) {
    int file = open(PLACE, O_RDWR | O_CLOEXEC);
    void *map = file < 0 ? MAP_FAILED : mmap(0, EDGES + 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    taken = map == MAP_FAILED ? spare : map;
    if (file >= 0)
      close(file);
  }
  taken[edge] = 1;
}
"""


@dataclass(frozen=True, slots=True)
class Noted:
    """A program with its notes; ``files`` has the source file of each function."""

    text: str
    numbers: dict[Edge, int]
    files: dict[str, str]

    @classmethod
    def of(cls, bitcode: Path) -> Noted:
        """The program in ``bitcode``."""
        return _noted(bitcode, bitcode.stat().st_mtime_ns)

    @property
    def main_file(self) -> str:
        """The source file of main."""
        return self.files.get("main", "")

    def edges_of(self, file: str) -> set[Edge]:
        """The edges of the functions in a source file."""
        return {edge for edge in self.numbers if self.files[edge[0]] == file}

    def edges_near(self, file: str) -> set[Edge]:
        """The edges of the functions in the files of a source file's folder."""
        folder = Path(file).parent
        return {edge for edge in self.numbers if Path(self.files[edge[0]]).parent == folder}

    def names(self, edges: Iterable[Edge]) -> list[str]:
        """Edges in words."""
        return sorted(f"{Path(self.files[name]).name} {name} {block}/{way}" for name, block, way in edges)


def edge_of(branch: str) -> Edge:
    """The edge that a test names: FILE:LINE FUNCTION BLOCK/SUCCESSOR."""
    _, function, place = branch.rsplit(" ", 2)
    block, _, successor = place.partition("/")
    return function, int(block), int(successor)


@cache
def _noted(bitcode: Path, _changed: int) -> Noted:
    text = str(llvm.parse_bitcode(bitcode.read_bytes(), llvm.create_context()))
    numbers: dict[Edge, int] = {}
    files: dict[str, str] = {}
    debug = DebugInfo(text, text.find("\n!0 = "), {})
    lines = "\n".join(_rewritten(text.split("\n"), numbers, files, debug))
    return Noted(lines + "\ndeclare void @unfork_branch(i32)\n", numbers, files)


def _rewritten(lines: list[str], numbers: dict[Edge, int], files: dict[str, str], debug: DebugInfo) -> Iterator[str]:
    """The lines with a note before each branch; fills in ``numbers`` and ``files``."""
    function, block = "", -1
    for at, line in enumerate(lines):
        if line.startswith("define "):
            found = DEFINITION.match(line)
            assert found is not None, line
            function, block = found[1].strip('"'), -1
            files[function] = debug.scope(found[2])[0] if found[2] else ""
        elif function and line == "}":
            function = ""
        elif function and line:
            if LABEL.match(line) or block < 0:
                block += 1
            ways = _ways(lines, at)
            if ways:
                yield from _note(function, block, ways, numbers)
        yield line


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where a branch may go: the targets, each once, and for each value but the first's the successor it leads to."""

    targets: list[str]
    type: str
    value: str
    cases: list[tuple[str, str]]


def _ways(lines: list[str], at: int) -> _Ways | None:
    branch = BRANCH.match(lines[at])
    if branch:
        targets = list(dict.fromkeys((branch[2], branch[3])))
        return _Ways(targets, "i1", branch[1], [("false", branch[3])])
    switch = SWITCH.match(lines[at])
    if switch is None:
        return None
    cases = []
    for line in lines[at + 1 :]:
        found = CASE.match(line)
        if found is None:
            break
        cases.append((found[1], found[2]))
    targets = list(dict.fromkeys((switch[3], *(target for _, target in cases))))
    return _Ways(targets, switch[1], switch[2], cases)


def _note(function: str, block: int, ways: _Ways, numbers: dict[Edge, int]) -> Iterator[str]:
    if len(ways.targets) < 2:
        return
    first = len(numbers)
    for successor in range(len(ways.targets)):
        numbers[function, block, successor] = first + successor
    edge = str(first)
    for count, (value, target) in enumerate(ways.cases):
        name = f"%unfork.{block}.{count}"
        yield f"  {name}.is = icmp eq {ways.type} {ways.value}, {value}"
        yield f"  {name} = select i1 {name}.is, i32 {first + ways.targets.index(target)}, i32 {edge}"
        edge = name
    yield f"  call void @unfork_branch(i32 {edge})"


def native_edges(noted: Noted, name: str, tests: Path, folder: Path, here: Path) -> dict[Path, set[Edge]]:
    """The edges that each test takes in the program, called ``name``; it is built in ``folder`` and runs in ``here``.

    ``here`` must be a folder that a user without rights can reach once it is given to them: no folder above it may be
    closed to others. Raises InputError, before any test runs, where programs cannot be enclosed.
    """
    program = folder / "noted"
    _compile(noted, program, here / "edges", folder)
    binary = NativeBinary(program, name, here, {}, Enclosure.REQUIRED)
    edges = list(noted.numbers)
    taken: dict[Path, set[Edge]] = {}
    for file in sorted(tests.glob("*.json")):
        mark = here / "edges"
        mark.write_bytes(bytes(len(edges) + 1))
        mark.chmod(0o666)
        binary.run(from_json(file.read_text(), str(file)))
        data = mark.read_bytes()
        taken[file] = {edge for number, edge in enumerate(edges) if data[number]}
    return taken


def _compile(noted: Noted, program: Path, marks: Path, folder: Path) -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    context = llvm.create_context()
    module = llvm.parse_assembly(noted.text, context)
    machine = llvm.Target.from_triple("x86_64-unknown-linux-musl").create_target_machine(opt=0, reloc="static")
    (folder / "noted.o").write_bytes(machine.emit_object(module))
    (folder / "runtime.c").write_text(RUNTIME)
    words = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-target",
        "x86_64-linux-musl",
        "-static",
        "-w",
        "-fno-sanitize=all",
    ]
    words += [f"-DEDGES={len(noted.numbers)}", f'-DPLACE="{marks}"', "noted.o", "runtime.c", "-o", str(program)]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
