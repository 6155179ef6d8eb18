"""Compiles musl for an architecture of our own, with one bitcode file per C file."""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from collections.abc import Callable, Sequence
from concurrent import futures
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from unfork.errors import InputError
from unfork.llvm import binding, cache, layout
from unfork.llvm.commands import Finished, run
from unfork.llvm.compiler import HEADERS, compiler_home
from unfork.llvm.module import LIBRARY_FOLDER

OURS = Path(__file__).parent / "musl"
"""Our headers (arch) and C files (src)."""
SEEN_AS = LIBRARY_FOLDER.rstrip("/")
"""The folder that debug information names in place of musl's own."""
FIELD = 256
"""The widest field that a symbolic integer is printed to as a whole."""
INDEX, MEMBERS = "index.json", "members.bin"
_FORMAT = "1"
_LEFT_OUT = frozenset(("malloc", "ldso", "crt"))
"""Folders of musl: the heap is the engine's, and nothing is loaded at run time."""
_REPLACED = frozenset(
    (
        *("internal/libc.c", "env/__libc_start_main.c", "env/__init_tls.c", "env/__stack_chk_fail.c"),
        *("exit/_Exit.c", "exit/abort.c", "exit/assert.c", "exit/atexit.c", "exit/exit.c", "string/explicit_bzero.c"),
        *("thread/__unmapself.c", "thread/pthread_create.c", "thread/clone.c", "thread/vfork.c"),
        *("thread/pthread_once.c", "thread/call_once.c"),
        *("fenv/fenv.c", "fenv/fesetround.c", "fenv/fegetexceptflag.c", "fenv/fesetexceptflag.c"),
    )
)
"""Files of musl that make no sense here: start-up, the end, threads and the state of the floating-point unit."""
_READ_WORDS = frozenset(("multibyte/mbsrtowcs.c",))
"""Files outside the folder string that read whole words if the macro below allows it."""
_BESIDE_OURS = {"internal/floatscan.c": ("-D__floatscan=__floatscan_of_musl",)}
"""Files of musl that our files wrap, with flags that rename the functions being wrapped."""
_PRINTER = "size_t unfork_print_integer(char *, size_t, uintmax_t, size_t, int, int, int, int);"
_PRINT_WHOLE = (
    "t = s[-1]; if ((t == 'd' || t == 'i' || t == 'u' || t == 'o' || (t|32) == 'x') && !(xp && p<0)) {"
    " int bits = ps == BARE ? 32 : ps == HPRE ? 16 : ps == HHPRE ? 8 : 64;"
    " i = unfork_print_integer(buf, sizeof buf, arg.i, bits, t, fl, w, xp ? p : -1);"
    " if (i) { out(f, buf, i); l = i; continue; } }"
)
_CHANGED = "changed"
_EDITS = {
    "stdio/stdout.c": ((".lbf = '\\n'", ".lbf = EOF"),),
    "stdio/vfprintf.c": (
        (
            "static int printf_core(",
            f"{_PRINTER} static int printf_core(",
        ),
        ("char buf[sizeof(uintmax_t)*3];", f"char buf[{FIELD}];"),
        ("z = buf + sizeof(buf);", f"{_PRINT_WHOLE} z = buf + sizeof(buf);"),
    ),
}
"""Changes to files of musl, each within a line, of a text that occurs once: standard output is no terminal, which musl
finds out when it is first written to; and a symbolic integer is printed as a whole."""
_FLAGS = (
    *("-c", "-emit-llvm", "-O1", "-gline-tables-only", "-std=c99", "-ffreestanding", "-fno-builtin", "-w"),
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-fno-sanitize=all", "-D_XOPEN_SOURCE=700"),
    *("-nostdinc", "-Qunused-arguments", f"--target={layout.TRIPLE}", "-fdebug-compilation-dir=/"),
)

Report = Callable[[int, int], None]
"""Told of progress: the number of files compiled so far, and of all files."""


_NAME = r'([-\w.$]+|"[^"]*")'
_FUNCTION = re.compile(rf"^(define|declare) ([^@\n]*)@{_NAME}\(", re.M)
_VARIABLE = re.compile(rf"^@{_NAME} = (.*?)\b(?:global|constant|alias|ifunc)\b", re.M)
_LOCAL = frozenset(("internal", "private"))
_OPTIONAL = frozenset(("weak", "weak_odr", "linkonce", "linkonce_odr", "common"))


@dataclass(frozen=True, slots=True)
class Symbols:
    """What a module defines for others, and what it needs from them. A weak reference is not a need."""

    strong: frozenset[str]
    weak: frozenset[str]
    needed: frozenset[str]


def symbols_of(text: str) -> Symbols:
    """The symbols of a module, from its text."""
    strong: set[str] = set()
    weak: set[str] = set()
    needed: set[str] = set()

    def add(name: str, words: Sequence[str], *, declared: bool) -> None:
        """Note a symbol whose line has these ``words``; local names and weak references are left out."""
        name = name.strip('"')
        if name.startswith("llvm.") or not _LOCAL.isdisjoint(words) or "extern_weak" in words:
            return
        kind = needed if declared else weak if not _OPTIONAL.isdisjoint(words) else strong
        kind.add(name)

    for header in _FUNCTION.finditer(text):
        add(header[3], header[2].split(), declared=header[1] == "declare")
    for header in _VARIABLE.finditer(text):
        words = header[2].split()
        add(header[1], words, declared="external" in words)
    return Symbols(frozenset(strong), frozenset(weak), frozenset(needed))


@dataclass(frozen=True, slots=True)
class Source:
    """One C file of the library; ``name`` is that of its member."""

    name: str
    path: Path
    flags: tuple[str, ...] = ()


def key() -> str:
    """A name for what would be built. It changes with the compiler, musl, the flags and our own files."""
    parts: list[bytes | str] = [_FORMAT, _zig_version(), binding.version(), *_FLAGS]
    for file in sorted(OURS.rglob("*.[ch]")):
        parts += [str(file.relative_to(OURS)), file.read_bytes()]
    parts.append(Path(__file__).read_bytes())
    return cache.key("libc", *parts)


def _zig_version() -> str:
    try:
        return metadata.version("ziglang")
    except metadata.PackageNotFoundError:
        about = (compiler_home() / "zig").stat()
        return f"{about.st_size} {about.st_mtime_ns}"


def sources() -> list[Source]:
    """The files to compile, ours first, without code for single processors. Raises InputError if musl is missing."""
    musl = compiler_home() / "lib/libc/musl/src"
    files = [Source(f"unfork/{file.name}", file) for file in sorted(OURS.glob("src/*.c"))]
    for file in sorted(musl.glob("*/*.c")):
        name = f"{file.parent.name}/{file.name}"
        if file.parent.name not in _LEFT_OUT and name not in _REPLACED:
            # Without this macro, string functions do not read whole words, which may end after the string.
            reads_words = file.parent.name == "string" or name in _READ_WORDS
            flags = (*(("-U__GNUC__",) if reads_words else ()), *_BESIDE_OURS.get(name, ()))
            files.append(Source(name, file, flags))
    if len(files) < 1000:
        raise InputError(f"the C library's sources are missing in {musl}: install the package ziglang 0.14.1")
    return files


def file_to_compile(source: Source, folder: Path) -> Path:
    """The file to compile: the source, or a copy below ``folder`` with the edits to it.

    Raises InputError where it does not have the text that is to be changed.
    """
    edits = _EDITS.get(source.name)
    if edits is None:
        return source.path
    text = source.path.read_text()
    for before, after in edits:
        if text.count(before) != 1:
            raise InputError(f"{source.path} is not as expected: install the package ziglang 0.14.1")
        text = text.replace(before, after)
    copy = folder / _CHANGED / source.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    part = copy.with_name(f"{copy.name}-{os.getpid()}")
    part.write_text(text)
    part.rename(copy)
    return copy


def _command(folder: Path) -> list[str]:
    home = compiler_home()
    musl = home / "lib/libc/musl"
    own = [OURS / "arch", *(musl / part for part in ("arch/x86_64", "arch/generic", "src/include", "src/internal"))]
    # clang's own headers come last: its limits.h hides musl's.
    system = [musl / "include", *(home / "lib" / folder for folder in (*HEADERS[1:], HEADERS[0]))]
    words = [str(home / "zig"), "clang", *_FLAGS]
    words += [f"-ffile-prefix-map={OURS}={SEEN_AS}/unfork", f"-ffile-prefix-map={home / 'lib/libc/musl'}={SEEN_AS}"]
    words += [f"-ffile-prefix-map={folder / _CHANGED}={SEEN_AS}/src"]
    for path in own:
        words += ["-I", str(path)]
    for path in system:
        words += ["-isystem", str(path)]
    return words


def build(folder: Path, report: Report) -> None:
    """Compile everything into ``folder``: the members in one file, and an index of them.

    Each file that was compiled is kept there until all are, so that a build which is broken off, however that happens,
    goes on where it was. Raises InputError if a file does not compile, and OSError if the folder cannot be written to.
    """
    todo = sources()
    (folder / _CHANGED).mkdir(exist_ok=True)
    command = _command(folder)

    def compile_file(number: int) -> Finished:
        source, output = todo[number], folder / f"{number}.bc"
        if output.exists():
            return Finished(0, b"", b"")
        part = folder / f"{number}-{os.getpid()}.part"
        done = run([*command, *source.flags, "-o", str(part), str(file_to_compile(source, folder))])
        if not done.status and part.exists():
            part.rename(output)
        return done

    pool = futures.ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0)))
    try:
        for number, done in enumerate(pool.map(compile_file, range(len(todo)))):
            report(number, len(todo))
            if done.status or not (folder / f"{number}.bc").exists():
                raise _failure(todo[number], done, folder)
            _describe(folder, number)
    finally:
        pool.shutdown(cancel_futures=True)
    _join(folder, [source.name for source in todo])
    report(len(todo), len(todo))


def _describe(folder: Path, number: int) -> None:
    """Note the symbols of a file that was compiled, unless that was done before."""
    note = folder / f"{number}.json"
    if note.exists():
        return
    data = (folder / f"{number}.bc").read_bytes()
    symbols = symbols_of(str(binding.parse(data)))
    kinds = {"strong": symbols.strong, "weak": symbols.weak, "needed": symbols.needed}
    words = {"size": len(data), "check": zlib.crc32(data), **{kind: sorted(names) for kind, names in kinds.items()}}
    part = folder / f"{number}-{os.getpid()}.part"
    part.write_text(json.dumps(words, separators=(",", ":")))
    part.rename(note)


def _join(folder: Path, names: Sequence[str]) -> None:
    """Put all files into one, with an index, and remove them."""
    index = []
    with open(folder / MEMBERS, "wb") as members:
        for number, name in enumerate(names):
            words, data = (folder / f"{number}.json").read_text(), (folder / f"{number}.bc").read_bytes()
            described = json.loads(words) if words else None
            if described is None or (len(data), zlib.crc32(data)) != (described["size"], described["check"]):
                raise InputError(
                    f"what was built of the C library in {folder} is damaged, and was removed: begin again"
                )
            index.append({"name": name, "start": members.tell(), **described})
            members.write(data)
    (folder / INDEX).write_text(json.dumps(index, separators=(",", ":")))
    shutil.rmtree(folder / _CHANGED)
    for pattern in ("*.bc", "[0-9]*.json", "*.part"):
        for left in folder.glob(pattern):
            left.unlink()


def _failure(source: Source, done: Finished, folder: Path) -> Exception:
    """The error for a file that does not compile. If the compiler could not write, the disk is probably full."""
    printed = " ".join(done.complaint.split())[:300]
    if "No space left" in printed or (done.status < 0 and not printed):
        return OSError(28, "No space left on device", str(folder))
    return InputError(f"the C library does not compile ({source.name}): {printed or f'status {done.status}'}")
