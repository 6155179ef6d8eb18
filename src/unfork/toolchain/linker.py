"""The linker of ``unfork cc``: lld links the program, and then its bitcode with the same words.

So order, archives, --gc-sections, --wrap and the rest mean for PROGRAM.bc what they mean for PROGRAM. Programs are
static, as musl is here: of a shared library, the bitcode that it carries is linked.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from unfork.toolchain import object_files
from unfork.toolchain.link_line import DYNAMIC, ONLY_DYNAMIC, STATIC, TAKES_A_WORD, Link, inputs, read


class Twins:
    """The shared libraries of one link. Mutable: it grows as they are taken."""

    def __init__(self, scratch: str, folders: Sequence[str]) -> None:
        """Bitcode is written to ``scratch``; ``folders`` are those of -L."""
        self.files: dict[str, str] = {}
        self._scratch = scratch
        self._folders = folders
        self._new: list[str] = []
        self._needs: list[tuple[str, str]] = []

    def take(self, library: str) -> bool:
        """Take a shared library, once even if it is named again. False if it is none, or carries no bitcode."""
        path = os.path.realpath(library)
        if path in self.files:
            return True
        contents = object_files.of_library(path)
        if contents is None:
            return False
        bitcode, needs = contents
        twin = os.path.join(self._scratch, f"{len(self.files)}-{os.path.basename(path)}.bc")
        with open(twin, "wb") as file:
            file.write(bitcode)
        self.files[path] = twin
        self._new.append(twin)
        self._needs += ((os.path.dirname(path), need) for need in needs)
        return True

    def new(self) -> list[str]:
        """The files to link for what was taken since the last time."""
        new, self._new = self._new, []
        return new

    def needed(self) -> list[str]:
        """The files of all that the taken libraries need in turn: from where it was, beside them, or a folder of -L."""
        while self._needs:
            folder, need = self._needs.pop(0)
            places = [need, *(os.path.join(other, os.path.basename(need)) for other in (folder, *self._folders))]
            next((place for place in places if self.take(place)), None)
        return self.new()


PASSING = re.compile(r"conftest|cmTC_|\d+-lt-")
"""Names of outputs and inputs that are soon thrown away: configure and cmake make them to try the compiler, libtool to
run a program before it is installed."""
REPORTS = frozenset(("-Map", "--Map", "--dependency-file"))
"""Options that make lld write a file; linking the bitcode must not write it again."""
ONLY_NATIVE = ("--wrap", "-wrap", "--defsym", "-defsym", "-T", "--script", "-init", "--init", "-fini", "--fini")
"""Options that LLVM carries out in machine code alone."""
BITCODE_OPTION = "--fat-lto-objects"
EMIT = (
    *(BITCODE_OPTION, "--lto-emit-llvm", "--lto-O0", "--save-temps=preopt", "--trace", "--error-limit=5"),
    *("-mllvm", "-compute-dead=false"),  # a function that main does not reach may be an entry for unfork
)
LONGEST = 100_000
"""Characters of a command line beyond which the words go through a response file."""


class Place(NamedTuple):
    """Where the programs and the kit are, and a folder for this link alone."""

    zig: str
    kit: str
    scratch: str


def main(words: Sequence[str]) -> int:
    """Link as clang asks; ``words`` are zig, the kit's folder and clang's words. Returns the exit status of lld."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    zig, kit, *given = words
    link = read(given)
    if all(file is None for _, file in inputs(link)):  # --version and the like
        os.execv(zig, [zig, "ld.lld", *given])
    with tempfile.TemporaryDirectory(prefix="unfork-ld-") as scratch:
        status = link_twice(Place(zig, kit, scratch), link)
    if status < 0:
        os.kill(os.getpid(), -status)  # so that clang reports how its linker ended
    return status


def link_twice(place: Place, link: Link) -> int:
    """Link the program, then its bitcode. Returns the exit status of the program's link, or minus its signal."""
    target = link.output + ".bc"
    names = [link.output, *(file for _, file in inputs(link) if file is not None)]
    wanted = not any(PASSING.match(os.path.basename(name)) for name in names)
    if wanted and link.kind != "relocatable" and os.path.isfile(target):
        os.unlink(target)  # so that it never belongs to another program than the one beside it
    line = native(place, link)
    status = run(place, [*line, "-o", link.output])
    if status or not wanted or not os.path.isfile(link.output):
        return status
    bitcode = linked_bitcode(place, link, line)
    if bitcode is None:
        return 0
    if link.kind != "program":
        needs = [
            os.path.realpath(file) for _, file in inputs(link) if file is not None and object_files.of_library(file)
        ]
        object_files.put(link.output, bitcode, needs)
    if link.kind != "relocatable":
        temporary = f"{target}.{os.getpid()}"
        with open(temporary, "wb") as file:
            file.write(bitcode)
        os.replace(temporary, target)
    return 0


def native(place: Place, link: Link) -> list[str]:
    """The words for lld to link machine code alone; programs are static."""
    words = tuple(word for word in link.words if word != BITCODE_OPTION)
    if link.kind == "relocatable":
        return list(words)
    if link.kind == "shared":
        # A version script may name what is not there, as with other linkers.
        return [f"-L{place.kit}/sysroot/shared", "--undefined-version", *words]
    result = ["-static"]
    twins = Twins(place.scratch, link.folders)
    rest = list(reversed(inputs(link._replace(words=words))))
    while rest:
        word, file = rest.pop()
        if word in ("-dynamic-linker", "--dynamic-linker"):
            rest.pop()
        elif word in TAKES_A_WORD:
            result.append(word)
            if rest:
                result.append(rest.pop()[0])
        elif file is not None and twins.take(file):
            result += twins.new()
        elif word not in ONLY_DYNAMIC | STATIC | DYNAMIC and not word.startswith("--dynamic-linker="):
            result.append(word)
    # A program may define anew what a shared library defines, and two libraries may have the same code in them.
    return [*(("-z", "muldefs") if twins.files else ()), *result, *twins.needed()]


def linked_bitcode(place: Place, link: Link, line: Sequence[str]) -> bytes | None:
    """The bitcode of what was just linked, with a warning about inputs that have none. None if nothing can be kept."""
    output = os.path.join(place.scratch, "out")
    log = os.path.join(place.scratch, "log")
    status = run(place, [*without_reports(line), *EMIT, "-o", output], log)
    with open(log, "rb") as file:
        said = file.read().decode("utf-8", "surrogateescape")
    # In a program every function keeps its name; what a shared library hides must stay hidden from the program.
    product = f"{output}.0.0.preopt.bc" if link.kind == "program" else output
    missing = object_files.without_bitcode(said.splitlines(), (place.kit, place.scratch))
    if status:
        complain(f"the bitcode of {link.output} could not be linked: {said.strip()}")
        return None
    if missing:
        complain(f"the bitcode of {link.output} lacks what was given without bitcode: {', '.join(missing)}")
    if not os.path.isfile(product):
        return None
    if unknown := [word for word in link.words if word.partition("=")[0] in ONLY_NATIVE]:
        complain(f"the bitcode of {link.output} does not know of {', '.join(dict.fromkeys(unknown))}")
    with open(product, "rb") as file:
        return file.read()


def without_reports(line: Sequence[str]) -> list[str]:
    """The words without options that make lld write other files than its output."""
    result: list[str] = []
    rest = list(reversed(line))
    while rest:
        word = rest.pop()
        if word in REPORTS:
            rest.pop()
        elif not word.startswith(("-Map=", "--Map=", "--dependency-file=", "--reproduce", "--time-trace")):
            result.append(word)
    return result


def run(place: Place, words: Sequence[str], log: str | None = None) -> int:
    """Run lld; its exit status, or minus the signal that ended it. What it says goes to the file ``log`` if given."""
    if sum(map(len, words)) > LONGEST:
        response = os.path.join(place.scratch, "words")
        with open(response, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write("\n".join(map(shlex.quote, words)))
        words = [f"@{response}"]
    actions: list[tuple[object, ...]] = []
    if log is not None:
        actions.append((os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        actions.append((os.POSIX_SPAWN_DUP2, 1, 2))
    child = os.posix_spawn(place.zig, [place.zig, "ld.lld", *words], os.environ, file_actions=actions)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def complain(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"unfork cc: {text}\n")
