"""Compiles musl for our own architecture, with one bitcode file per C file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from unfork.errors import InputError
from unfork.program.llvm import binding, compilation_cache, layout
from unfork.program.llvm.compiler import HEADERS, HEADERS_32, NARROW_PROCESSOR, compiler_home
from unfork.world.libc.library_build import CHANGED, SEEN_AS, LibrarySource, Recipe, zig_version

OURS = Path(__file__).parent / "musl"
"""Our headers (arch) and C files (src)."""
FIELD = 256
"""The widest field for printing a symbolic integer as a whole."""
_FORMAT = "1"
_LEFT_OUT = frozenset(("malloc", "ldso", "crt"))
"""Folders of musl to leave out: the heap is the engine's, and nothing is loaded at run time."""
_REPLACED = frozenset(
    (
        *("internal/libc.c", "env/__libc_start_main.c", "env/__init_tls.c", "env/__stack_chk_fail.c"),
        *("exit/_Exit.c", "exit/abort.c", "exit/assert.c", "exit/atexit.c", "exit/exit.c", "string/explicit_bzero.c"),
        *("thread/__unmapself.c", "thread/pthread_create.c", "thread/clone.c", "thread/vfork.c"),
        *("thread/pthread_once.c", "thread/call_once.c", "thread/__lock.c"),
        *("stdio/__lockfile.c", "stdio/flockfile.c", "stdio/ftrylockfile.c", "stdio/funlockfile.c"),
        *("process/system.c", "stdio/popen.c", "stdio/pclose.c"),
        *("fenv/fenv.c", "fenv/fesetround.c", "fenv/fegetexceptflag.c", "fenv/fesetexceptflag.c"),
    )
)
"""Files of musl that make no sense here: start-up, exit, threads, commands, floating-point state."""
_READ_WORDS = frozenset(("multibyte/mbsrtowcs.c",))
"""Files outside the folder string that read whole words if the macro below allows it."""
_BESIDE_OURS = {"internal/floatscan.c": ("-D__floatscan=__floatscan_of_musl",)}
"""Files of musl that ours wrap, with flags that rename the wrapped functions."""


def _of_bytes(name: str, arguments: str) -> tuple[tuple[str, str], ...]:
    """Edits to a function for one byte that handles the stream's lock itself: make it take the lock as others do."""
    stream = arguments.rpartition(" ")[2]
    locked = f"UNFORK_LOCKED({stream}, {name}_unlocked({arguments}))"
    return (f'"{name}.h"', '"stdio_impl.h"'), (f"do_{name}({arguments})", locked)


_PRINTER = "size_t unfork_print_integer(char *, size_t, uintmax_t, size_t, int, int, int, int);"
_PRINT_WHOLE = (
    "t = s[-1]; if ((t == 'd' || t == 'i' || t == 'u' || t == 'o' || (t|32) == 'x') && !(xp && p<0)) {"
    " int bits = ps == BARE ? 32 : ps == HPRE ? 16 : ps == HHPRE ? 8 : 64;"
    " i = unfork_print_integer(buf, sizeof buf, arg.i, bits, t, fl, w, xp ? p : -1);"
    " if (i) { out(f, buf, i); l = i; continue; } }"
)
_ASK = "void unfork_lacks_variable(const char *); char *unfork_variable(const char *, char **);"
_ASKED = "char *found = unfork_variable(name, __environ); if (found != (char *)-1) return found;"
_PRINT_KNOWN = "int unfork_print_known(char *, size_t, const char *, va_list);"
_COPY_KNOWN = "int unfork_copy_known(char *, size_t, const char *);"
_REST = "__attribute__((noinline))"
_VFPRINTF, _VSNPRINTF = (
    f"int vfprintf({(file := 'FILE *restrict f, const char *restrict fmt, va_list ap')})",
    f"int vsnprintf({(text := 'char *restrict s, size_t n, const char *restrict fmt, va_list ap')})",
)
_VFPRINTF_AT_ONCE = (
    f"{_PRINT_KNOWN} static int vfprintf_of_musl({file}); {_VFPRINTF} {{"
    " if (!unfork_has_threads && f->lbf < 0 && f->wend && !ferror(f)) {"
    " int known = unfork_print_known((char *)f->wpos, f->wend - f->wpos, fmt, ap);"
    " if (known >= 0) { f->wpos += known; return known; } }"
    f" return vfprintf_of_musl(f, fmt, ap); }} static {_REST} int vfprintf_of_musl({file})"
)
_VSNPRINTF_AT_ONCE = (
    f"{_PRINT_KNOWN} static int vsnprintf_of_musl({text}); {_VSNPRINTF} {{"
    " if (s || !n) {"
    " int known = unfork_print_known(n ? s : 0, n ? n - 1 : INT_MAX, fmt, ap);"
    " if (known >= 0) { if (n) s[known] = 0; return known; } }"
    f" return vsnprintf_of_musl(s, n, fmt, ap); }} static {_REST} int vsnprintf_of_musl({text})"
)
_PUTS_AT_ONCE = (
    "FILE *f = stdout; if (!unfork_has_threads && f->lbf < 0 && f->wpos != f->wend) {"
    " int known = unfork_copy_known((char *)f->wpos, f->wend - f->wpos - 1, s);"
    " if (known >= 0) { f->wpos[known] = '\\n'; f->wpos += known + 1; return 0; } } int r;"
)
_FPUTS_AT_ONCE = (
    "if (!unfork_has_threads && f->lbf < 0 && f->wend) {"
    " int known = unfork_copy_known((char *)f->wpos, f->wend - f->wpos, s);"
    " if (known >= 0) { f->wpos += known; return 0; } } size_t l = strlen(s);"
)
_HEAD = "self->robust_list.head"
_EDITS = {
    "env/getenv.c": (
        ("char *getenv(", f"{_ASK} char *getenv("),
        ("size_t l =", f"{_ASKED} size_t l ="),
        ("return 0;", "unfork_lacks_variable(name); return 0;"),
    ),
    **{f"stdio/{name}.c": _of_bytes("putc", "c, f") for name in ("fputc", "putc")},
    "stdio/putchar.c": _of_bytes("putc", "c, stdout"),
    **{f"stdio/{name}.c": _of_bytes("getc", "f") for name in ("fgetc", "getc")},
    "stdio/getchar.c": _of_bytes("getc", "stdin"),
    "stdio/fputs.c": (("int fputs(", f"{_COPY_KNOWN} int fputs("), ("size_t l = strlen(s);", _FPUTS_AT_ONCE)),
    "stdio/puts.c": (("int puts(", f"{_COPY_KNOWN} int puts("), ("int r;", _PUTS_AT_ONCE)),
    "thread/pthread_key_create.c": (("td=self;", "td=self; if (!td->next) td->next = td;"),),
    "linux/membarrier.c": (
        ("self=__pthread_self(), td;", "self=__pthread_self(), td; if (!self->next) self->next = self;"),
    ),
    "thread/pthread_mutex_trylock.c": (
        ("next = self->robust_list.head;", f"next = {_HEAD} ? {_HEAD} : ({_HEAD} = &{_HEAD});"),
    ),
    "stdio/stdout.c": ((".lbf = '\\n'", ".lbf = EOF"),),
    "stdio/vfprintf.c": (
        (
            "static int printf_core(",
            f"{_PRINTER} static int printf_core(",
        ),
        ("char buf[sizeof(uintmax_t)*3];", f"char buf[{FIELD}];"),
        ("z = buf + sizeof(buf);", f"{_PRINT_WHOLE} z = buf + sizeof(buf);"),
        (_VFPRINTF, _VFPRINTF_AT_ONCE),
    ),
    "stdio/vsnprintf.c": ((_VSNPRINTF, _VSNPRINTF_AT_ONCE),),
}
"""Edits to files of musl: replacements of text that occurs once, within a line. Standard output is no terminal,
which musl checks at the first write; symbolic integers, and text that is all known, are printed as a whole; all
locks of streams are alike; a thread's lists of mutexes and threads begin on first use; a variable of the environment
that the program has not changed is found at once; the run notes variables that it lacks.
"""
_NARROW_LEFT_OUT = frozenset(
    (
        *("linux/brk.c", "misc/syscall.c", "signal/restore.c"),
        *(f"time32/{name}.c" for name in ("__xstat", "stat_time32", "fstat_time32", "fstatat_time32", "lstat_time32")),
    )
)
"""Files to leave out where pointers have 32 bits: a program's own system calls have i386's numbers, and what glibc's
headers call a struct stat is not musl's.
"""
_FLAGS = (
    *("-c", "-emit-llvm", "-O1", "-gline-tables-only", "-std=c99", "-ffreestanding", "-fno-builtin", "-w"),
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-fno-sanitize=all", "-D_XOPEN_SOURCE=700"),
    *("-nostdinc", "-Qunused-arguments", "-fdebug-compilation-dir=/"),
)


@dataclass(frozen=True, slots=True)
class MuslTarget:
    """What musl is compiled for: flags, the folder of musl's own headers, those of ours, and the kit's headers."""

    flags: tuple[str, ...]
    arch: str
    ours: tuple[str, ...]
    headers: tuple[str, ...]
    beside: tuple[str, ...] = ()
    """More folders of headers, with those of other targets below."""
    left_out: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ("src/*",)
    """Patterns of musl's folders with the files to compile."""


_OF_64 = MuslTarget((f"--target={layout.TRIPLE}",), "arch/x86_64", ("arch",), HEADERS)
_OF_32 = MuslTarget(
    (f"--target={layout.NARROW_TRIPLE}", NARROW_PROCESSOR),
    "arch/i386",
    ("arch32", "arch"),
    HEADERS_32,
    ("lib/libc/include",),
    _NARROW_LEFT_OUT,
    ("src/*", "compat/time32"),  # the second for programs whose headers have times of 32 bits, like glibc's
)


@cache
def _key(target: MuslTarget) -> str:
    """The build's cache key: compiler, musl, flags and our own files."""
    parts: list[bytes | str] = [_FORMAT, zig_version(), binding.version(), *_FLAGS, *target.flags]
    for file in sorted(OURS.rglob("*.[ch]")):
        parts += [str(file.relative_to(OURS)), file.read_bytes()]
    parts.append(Path(__file__).read_bytes())
    return compilation_cache.key("libc", *parts)


def _sources(target: MuslTarget) -> list[LibrarySource]:
    """The files to compile, ours first, without code for single processors. Raises InputError if musl is missing."""
    musl = compiler_home() / "lib/libc/musl"
    files = [LibrarySource(f"unfork/{file.name}", file) for file in sorted(OURS.glob("src/*.c"))]
    for file in sorted(file for folder in target.sources for file in musl.glob(f"{folder}/*.c")):
        name = f"{file.parent.name}/{file.name}"
        if file.parent.name not in _LEFT_OUT and name not in _REPLACED | target.left_out:
            # Without this macro, string functions do not read whole words, which may end after the string.
            reads_words = file.parent.name == "string" or name in _READ_WORDS
            flags = (*(("-U__GNUC__",) if reads_words else ()), *_BESIDE_OURS.get(name, ()))
            files.append(LibrarySource(name, file, flags))
    if len(files) < 1000:
        raise InputError(f"the C library's sources are missing in {musl}: install the package ziglang 0.14.1")
    return files


def file_to_compile(source: LibrarySource, folder: Path) -> Path:
    """The source, or its edited copy below ``folder``.

    Raises InputError if the text to edit is not there.
    """
    edits = _EDITS.get(source.name)
    if edits is None:
        return source.path
    text = source.path.read_text()
    for before, after in edits:
        if text.count(before) != 1:
            raise InputError(f"{source.path} is not as expected: install the package ziglang 0.14.1")
        text = text.replace(before, after)
    copy = folder / CHANGED / source.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    part = copy.with_name(f"{copy.name}-{os.getpid()}")
    part.write_text(text)
    part.rename(copy)
    return copy


def _command(target: MuslTarget, folder: Path) -> list[str]:
    home = compiler_home()
    musl = home / "lib/libc/musl"
    theirs = (target.arch, "arch/generic", "src/include", "src/internal")
    own = [*(OURS / part for part in target.ours), *(musl / part for part in theirs)]
    own += [home / part for part in target.beside]
    # clang's own headers come last: its limits.h hides musl's.
    system = [musl / "include", *(home / "lib" / folder for folder in (*target.headers[1:], target.headers[0]))]
    words = [str(home / "zig"), "clang", *_FLAGS, *target.flags]
    words += [f"-ffile-prefix-map={OURS}={SEEN_AS}/unfork", f"-ffile-prefix-map={home / 'lib/libc/musl'}={SEEN_AS}"]
    words += [f"-ffile-prefix-map={folder / CHANGED}={SEEN_AS}/src"]
    for path in own:
        words += ["-I", str(path)]
    for path in system:
        words += ["-isystem", str(path)]
    return words


def _recipe(name: str, target: MuslTarget) -> Recipe:
    return Recipe(name, partial(_key, target), partial(_sources, target), partial(_command, target), file_to_compile)


MUSL = _recipe("the C library", _OF_64)
NARROW_MUSL = _recipe("the C library for 32 bits", _OF_32)
