"""The linker of ``unfork cc``: lld links the program, and then its bitcode with the same words.

So order, archives, --gc-sections, --wrap and the rest mean the same for PROGRAM.bc as for PROGRAM. Programs are static,
as musl is here; of a shared library, the bitcode in it is linked.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from unfork.commands.cc import object_files
from unfork.world.libc.kit import Kit

# --- the command line, as far as it matters to us: output, mode, and the files of libraries

TAKES_A_WORD = frozenset(
    (
        *("-m", "-z", "-e", "-entry", "-u", "-undefined", "-T", "-script", "-soname", "-h", "-rpath", "-rpath-link"),
        *("-R", "-Map", "-plugin", "-mllvm", "-dynamic-linker", "-I", "-init", "-fini", "-version-script", "-y", "-F"),
        *("-dynamic-list", "-defsym", "-wrap", "-format", "-b", "-f", "-auxiliary", "-filter", "-exclude-libs", "-a"),
        *("-sysroot", "-A", "-Ttext", "-Tdata", "-Tbss", "-dependency-file", "-retain-symbols-file", "-plugin-opt"),
        "-export-dynamic-symbol",
    )
)
"""Options of lld whose value may be the next word, which must not be taken for a file."""
STATIC = frozenset(("-Bstatic", "-dn", "-non_shared", "-static"))
DYNAMIC = frozenset(("-Bdynamic", "-dy", "-call_shared"))
ONLY_DYNAMIC = frozenset(("-pie", "-static-pie", "-no-dynamic-linker", "-dynamic-linker"))

Words = tuple[str, ...]
"""A file, an option, or an option and the next word, which is its value."""


class LinkTask(NamedTuple):
    """A link; ``kind`` is program, shared or relocatable, and ``words`` are the other words as they were given."""

    kind: str
    output: str
    words: tuple[Words, ...]
    folders: tuple[str, ...]


def one_dash(word: str) -> str:
    """The word as options are listed here: lld takes most of them with two dashes, too."""
    return word[1:] if word.startswith("--") else word


def read_link(given: Sequence[str]) -> LinkTask:
    """The link that a command line asks for, with its response files expanded."""
    kind, output = "program", "a.out"
    words: list[Words] = []
    folders: list[str] = []
    rest = expand(given)
    rest.reverse()
    while rest:
        word = rest.pop()
        option, equals, value = one_dash(word).partition("=")
        if option in ("-shared", "-Bshareable"):
            kind = "shared"
        elif option in ("-r", "-relocatable", "-i"):
            kind = "relocatable"
        if word == "-o" or option == "-output":
            output = value if equals else rest.pop() if rest else output
        elif word.startswith("-o") and not word.startswith(("-omagic", "-oformat")):
            output = word[2:]
        elif word in ("-L", "-l") or option in ("-library", "-library-path"):
            value = value if equals else rest.pop() if rest else ""
            rest.append(("-L" if option in ("-L", "-library-path") else "-l") + value)
        elif one_dash(word) in TAKES_A_WORD and rest:
            words.append((word, rest.pop()))
        else:
            if word.startswith("-L"):
                folders.append(word[2:])
            words.append((word,))
    return LinkTask(kind, output, tuple(words), tuple(folders))


def expand(given: Sequence[str]) -> list[str]:
    """The words with each @file replaced by the words in it; one that cannot be read stays, as with lld."""
    result: list[str] = []
    for word in given:
        try:
            if word.startswith("@"):
                with open(word[1:], encoding="utf-8", errors="surrogateescape") as file:
                    result += expand(shlex.split(file.read()))
                continue
        except OSError:
            pass
        result.append(word)
    return result


def inputs(link: LinkTask) -> list[tuple[Words, str | None]]:
    """The words, each with the file that it names or None for an option. Libraries are looked up as lld does."""
    result: list[tuple[Words, str | None]] = []
    dynamic = True
    pushed: list[bool] = []
    for words in link.words:
        word, option = words[0], one_dash(words[0])
        dynamic = option in DYNAMIC or (dynamic and option not in STATIC)
        if option == "-push-state":
            pushed.append(dynamic)
        elif option == "-pop-state" and pushed:
            dynamic = pushed.pop()
        if word.startswith("-l") and len(word) > len("-l"):
            result.append((words, library(word[2:], link.folders, dynamic)))
        else:
            result.append((words, None if word.startswith("-") else word))
    return result


def library(name: str, folders: Sequence[str], dynamic: bool) -> str | None:
    """The file of -lname; ``dynamic`` if it may be a shared one. None if there is none."""
    names = [name[1:]] if name.startswith(":") else [f"lib{name}.so", f"lib{name}.a"] if dynamic else [f"lib{name}.a"]
    for folder in folders:
        for candidate in names:
            path = os.path.join(folder, candidate)
            if os.path.exists(path):
                return path
    return None


# --- the links


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

    def new(self) -> Words:
        """The files to link for the libraries taken since the last call."""
        new, self._new = tuple(self._new), []
        return new

    def take_needed(self) -> Words:
        """The files that the taken libraries need in turn: from their places then, beside them, or from a -L folder."""
        while self._needs:
            folder, need = self._needs.pop(0)
            paths = [need, *(os.path.join(other, os.path.basename(need)) for other in (folder, *self._folders))]
            next((path for path in paths if self.take(path)), None)
        return self.new()


PASSING = re.compile(r"conftest|cmTC_|\d+-lt-")
"""Names of outputs and inputs that are soon thrown away: configure and cmake make them to try the compiler, libtool to
run a program before it is installed."""
REPORTS = frozenset(("-Map", "-dependency-file"))
"""Options that make lld write a file, which linking the bitcode must not write again."""
ONLY_NATIVE = ("-wrap", "-defsym", "-T", "-script", "-init", "-fini")
"""Options that LLVM carries out in machine code alone."""
BITCODE_OPTION = "--fat-lto-objects"
EMIT = (
    *(BITCODE_OPTION, "--lto-emit-llvm", "--lto-O0", "--save-temps=preopt", "--trace", "--error-limit=5"),
    *("-mllvm", "-compute-dead=false"),  # a function that main does not reach may be an entry for unfork
)
LONGEST = 100_000
"""Characters of a command line beyond which the words go through a response file."""


class LinkTools(NamedTuple):
    """Where the programs and the kit are, and a folder for this link alone."""

    zig: str
    kit: str
    scratch: str


def main(words: Sequence[str]) -> int:
    """Link as clang asks; ``words`` are zig, the kit's folder and clang's words. Returns the exit status of lld."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    zig, kit, *given = words
    link = read_link(given)
    if all(file is None for _, file in inputs(link)):  # --version and the like
        os.execv(zig, [zig, "ld.lld", *given])
    with tempfile.TemporaryDirectory(prefix="unfork-ld-") as scratch:
        status = link_twice(LinkTools(zig, kit, scratch), link)
    if status < 0:
        os.kill(os.getpid(), -status)  # so that clang reports how its linker ended
    return status


def link_twice(tools: LinkTools, link: LinkTask) -> int:
    """Link the program, then its bitcode. Returns the exit status of the program's link, or minus its signal."""
    target = link.output + ".bc"
    names = [link.output, *(file for _, file in inputs(link) if file is not None)]
    wanted = not any(PASSING.match(os.path.basename(name)) for name in names)
    if wanted and link.kind != "relocatable" and os.path.isfile(target):
        os.unlink(target)  # else it would stand beside another program
    line = native(tools, link)
    status = run(tools, [*line, ("-o", link.output)])
    if status or not wanted or not os.path.isfile(link.output):
        return status
    bitcode = linked_bitcode(tools, link, line)
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


def native(tools: LinkTools, link: LinkTask) -> list[Words]:
    """The words for lld to link machine code alone; programs are static."""
    link = link._replace(words=tuple([words for words in link.words if words != (BITCODE_OPTION,)]))
    if link.kind == "relocatable":
        return list(link.words)
    if link.kind == "shared":
        # A version script may name what is not there, as with other linkers.
        return [(f"-L{tools.kit}/sysroot/shared", "--undefined-version"), *link.words]
    result: list[Words] = [("-static",)]
    twins = Twins(tools.scratch, link.folders)
    for words, file in inputs(link):
        if file is not None and twins.take(file):
            result.append(twins.new())
        elif one_dash(words[0]).partition("=")[0] not in ONLY_DYNAMIC | STATIC | DYNAMIC:
            result.append(words)
    # A program may define anew what a shared library defines, and two libraries may have the same code in them.
    of_afl = Kit(tools.zig, tools.kit).archive("afl")  # taken only if the program names AFL++'s macros
    return [("-z", "muldefs") if twins.files else (), *result, twins.take_needed(), (of_afl,)]


def linked_bitcode(tools: LinkTools, link: LinkTask, line: Sequence[Words]) -> bytes | None:
    """The bitcode of the last link, with a warning about inputs without any. None if nothing can be kept."""
    output = os.path.join(tools.scratch, "out")
    log = os.path.join(tools.scratch, "log")
    status = run(tools, [*filter(writes_no_report, line), EMIT, ("-o", output)], log)
    with open(log, "rb") as file:
        printed = file.read().decode("utf-8", "surrogateescape")
    # In a program every function keeps its name; what a shared library hides must stay hidden from the program.
    product = f"{output}.0.0.preopt.bc" if link.kind == "program" else output
    missing = object_files.without_bitcode(printed.splitlines(), (tools.kit, tools.scratch))
    if status:
        said = printed.strip().replace(os.path.join(tools.scratch, ""), "")  # that folder is gone when it is read
        complain(f"the bitcode of {link.output} could not be linked: {said}")
        return None
    if missing:
        complain(f"the bitcode of {link.output} lacks what was given without bitcode: {', '.join(missing)}")
    if not os.path.isfile(product):
        return None
    if unknown := [word for word, *_ in link.words if one_dash(word).partition("=")[0] in ONLY_NATIVE]:
        complain(f"the bitcode of {link.output} does not know of {', '.join(dict.fromkeys(unknown))}")
    with open(product, "rb") as file:
        return file.read()


def writes_no_report(words: Words) -> bool:
    """Whether the option makes lld write no file besides its output."""
    option = one_dash(words[0]).partition("=")[0] if words else ""
    return option not in REPORTS and not option.startswith(("-reproduce", "-time-trace"))


def run(tools: LinkTools, line: Iterable[Words], log: str | None = None) -> int:
    """Run lld; its exit status, or minus the signal that ended it. Its messages go to the file ``log`` if given."""
    words = [word for words in line for word in words]
    if sum(map(len, words)) > LONGEST:
        response = os.path.join(tools.scratch, "words")
        with open(response, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write("\n".join(map(shlex.quote, words)))
        words = [f"@{response}"]
    actions: list[tuple[object, ...]] = []
    if log is not None:
        actions.append((os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        actions.append((os.POSIX_SPAWN_DUP2, 1, 2))
    child = os.posix_spawn(tools.zig, [tools.zig, "ld.lld", *words], os.environ, file_actions=actions)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def complain(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"unfork cc: {text}\n")
