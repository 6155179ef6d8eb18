"""Compiles C and C++ with clang, links it with bitcode and LLVM IR, and returns the Program."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import math
import os
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from unfork.errors import CompileError, InputError, OutOfTime
from unfork.program.c import complaints, contract_reader, cprover_code, fuzzers, installed, libcxx, system_folders
from unfork.program.c.annotations import AnnotatedText, insert_calls
from unfork.program.c.contracts import NO_CONTRACTS, Contracts, merge_contracts
from unfork.program.c.location_calls import END
from unfork.program.c.suffixes import COMPILED, CPP_SUFFIXES, IR_SUFFIXES, UNSUPPORTED, flags_for
from unfork.program.llvm.apart import TooLong
from unfork.program.llvm.compiled import LISTED, CompileSettings, Output, names_in
from unfork.program.llvm.layout import NARROW_TRIPLE, TRIPLE
from unfork.program.llvm.linking import NO_LIBRARIES, Libraries, Linked, LinkInput, link_inputs
from unfork.program.llvm.module import Program
from unfork.program.llvm.reader import read
from unfork.program.llvm.stubs import constants, stubs
from unfork.program.llvm.subprocesses import Finished, TooSlow, run

INCLUDE = Path(__file__).parents[2] / "include"
GLIBC = INCLUDE / "glibc"
"""Headers for functions that only glibc declares."""

FOLDED = re.compile(r"(?:\bi\d+|[\[,]) poison\b")
"""A poison integer: clang folds a constant division by zero into one, and the fault would be lost."""
_WIDTH = 16
"""Characters that may precede a type."""
DEFINED = re.compile(r'\ndefine [^@\n]*@("[^"]*"|[^(]*)\(')
"""The head of a function's definition, with its name."""
FOLDED_DIVISIONS = "-fsanitize=integer-divide-by-zero"
"""Makes clang check each division; used for programs that divide by a constant zero."""
SANITIZERS = {
    "bounds": "array-bounds",
    "memory": "vla-bound",
    "overflow": "signed-integer-overflow",
    "shift": "shift-exponent",
    "shift-base": "shift-base",
}
"""Checks that the compiler inserts, by their names in unfork and in clang."""
WITHOUT = "function,vptr"
"""Checks of --cflags to leave out: their code reads data before functions, or tables of a run-time."""

HEADERS = (
    "include",
    "libc/include/x86_64-linux-musl",
    "libc/include/generic-musl",
    "libc/include/x86-linux-any",
    "libc/include/any-linux-any",
)
"""Where ziglang keeps clang's, musl's and the kernel's headers."""
_SYSTEM = "/usr/"
"""The folder of system headers, for compilers other than the bundled one."""
HEADERS_32 = tuple(name.replace("x86_64-linux-musl", "x86-linux-musl") for name in HEADERS)


NARROW_PROCESSOR = "-march=pentium4"
"""One that computes doubles as such, and not with 80 bits."""

GCC_DIALECT = (
    *("-x", "c", "-undef", "-nostdinc", "-Wno-unused-command-line-argument"),
    *("-D_Float32=float", "-D_Float32x=double", "-D_Float64=double", "-D_Float64x=long double"),
    *("-D_Float128=__float128", "-D__malloc__(...)="),
)
"""For code that gcc preprocessed: its headers use types and an attribute form that clang does not know."""
PREPROCESSED = (
    *("-x", "cpp-output", "-Wno-unused-command-line-argument"),
    "-fno-eliminate-unused-debug-types",
)
"""For text with contracts, which clang preprocessed: types may stand in contracts alone."""
VERIFYING = "-DUNFORK_VERIFY"
"""Tells unfork's headers that contracts are read."""
UNPLACED = "no block of the program follows this annotation: it joins nothing"
CALLS = re.compile(rf"@{END}\(ptr [^,]*, i32 [^,\d]*(\d+),")
"""The call that ends an annotated block in LLVM IR; group 1 is the annotation's number."""
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")
FOR_GCC = re.compile(rb"\b_Float(?:32|64|128)x?\b|\b__malloc__ *\(")


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How C becomes IR. ``compiler`` replaces the bundled clang; ``flags`` go to it unchanged."""

    compiler: str | None = None
    flags: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    checks: frozenset[str] = frozenset()
    optimize: int = 1
    seconds: float = math.inf
    """The time for compiling and linking together; building libraries first does not count."""
    is_ilp32: bool = False
    """Whether int, long and pointers have 32 bits."""
    contracts: bool = False
    """Whether contracts are read, and removed from the compiler's input."""
    instead: str | None = None
    """A text (latin-1) for the compiler in place of a C file's own."""
    more: tuple[tuple[Path, tuple[str, ...]], ...] = ()
    """More flags for single files."""
    after: tuple[tuple[Path, str], ...] = ()
    """Texts (latin-1) appended to those of single files."""


def build(
    files: Sequence[Path],
    options: CompileOptions,
    sources: Sequence[Path] = (),
    libraries: Libraries = NO_LIBRARIES,
) -> Program:
    """Compile and link C, bitcode and IR files. Raises InputError for other files, and OutOfTime.

    Positions name files as ``files`` and ``sources`` do; ``sources`` are those that ``files`` were compiled from.
    """
    if not files:
        raise InputError("no input file")
    deadline = time.monotonic() + options.seconds
    names = {os.path.abspath(file): str(file) for file in (*sources, *files)}

    def load(options: CompileOptions) -> tuple[_Inputs, Linked, Program]:
        nonlocal deadline
        inputs = _Inputs(files, options, deadline)
        module = link_inputs(inputs.read, libraries, deadline - time.monotonic(), options.optimize)
        deadline += module.waited
        return inputs, module, read(module.text, module.bitcode, names, options.optimize)

    try:
        inputs, module, program = load(options)
        if "div" in options.checks and inputs.are_compiled and _is_folded(module.text, program.library):
            inputs, module, program = load(replace(options, flags=(FOLDED_DIVISIONS, *options.flags)))
    except (TooSlow, TooLong):
        raise OutOfTime(f"--max-time: {options.seconds:g} s were over before the program was loaded") from None
    if program.is_narrow != options.is_ilp32 and (inputs.are_compiled or options.is_ilp32):
        widths = "32" if program.is_narrow else "64"
        raise InputError(f"{files[0]}: is compiled with pointers of {widths} bits, not as --data-model says")
    placed = {int(number) for number in CALLS.findall(module.text)} if inputs.annotations else set()
    unplaced = [
        *inputs.misplaced,
        *(location for number, location in inputs.annotations.items() if number not in placed),
    ]
    program.warnings = inputs.warnings
    if inputs.contracts:
        program.contracts = merge_contracts(*inputs.contracts)
    program.stubs, problems = stubs(program)
    program.contracts = replace(program.contracts, unread={**program.contracts.unread, **problems})
    program.notes = (*module.assumed, *inputs.taken, *[f"{location}: {UNPLACED}" for location in unplaced])
    return program


def _is_folded(text: str, library: frozenset[str]) -> bool:
    """Whether a function or variable outside of libraries has a poison integer."""
    at = text.find(" poison")
    while at >= 0:
        if FOLDED.search(text, max(at - _WIDTH, 0), at + len(" poison") + 1):
            name = DEFINED.match(text, max(text.rfind("\ndefine ", 0, at), 0))
            if name is None or name[1].strip('"') not in library:
                return True
        at = text.find(" poison", at + 1)
    return False


class _Inputs:
    """The bitcode or IR text of all input files, C compiled, and the messages about them."""

    def __init__(self, files: Sequence[Path], options: CompileOptions, deadline: float) -> None:
        self.read: list[LinkInput] = []
        self.warnings = ""
        self.annotations: dict[int, str] = {}
        self.misplaced: list[str] = []
        self.contracts: list[Contracts] = []
        self.taken: list[str] = []
        for file in files:
            data = contents(file)
            if file.suffix in COMPILED:
                data = self._compile(file, data, options, deadline)
            self.read.append(LinkInput(file, data, file.suffix in COMPILED))

    @property
    def are_compiled(self) -> bool:
        """Whether any input is C or C++."""
        return any(each.is_ours for each in self.read)

    def _compile(self, file: Path, text: bytes, options: CompileOptions, deadline: float) -> bytes:
        more_flags = (*dict(options.more).get(file, ()), *fuzzers.macro_flags(text))
        options = replace(options, flags=(*options.flags, *more_flags))
        compilation = _Compilation(file, options, GCC_DIALECT if is_from_gcc(file, text) else (), deadline)
        plain = options.instead
        if (more := dict(options.after).get(file)) is not None:
            plain = text.decode("latin-1") + more
        if options.contracts:
            contract_reader.refuse_lost(str(file), text.decode("latin-1"))
            whole = compilation.preprocess()
            try:
                contracts, cut = contract_reader.read_contracts(str(file), whole)
            except InputError:
                if not contract_reader.has_clauses(whole):
                    compilation.compile(plain)  # report errors in the C first
                raise
            if contracts != NO_CONTRACTS:
                self.contracts.append(contracts)
                plain = cut + constants({**contracts.functions, **contracts.unread}, len(self.read))
                compilation = replace(compilation, dialect=PREPROCESSED)
        source = insert_calls(str(file), text.decode("latin-1") if plain is None else plain, len(self.annotations))
        data, said = compilation.compile_annotated(source, plain)
        self.warnings += said
        self.taken += compilation.taken[:1]
        if source is not None:
            self.annotations.update((number, f"{file}:{line}") for number, line in source.lines.items())
            self.misplaced += [f"{file}:{line}" for line in source.misplaced]
        return data


@dataclass(frozen=True, slots=True)
class _Compilation:
    """How one C file is compiled; ``dialect`` has flags for its kind of C. Texts are latin-1; None is the file's
    own.

    Compiling raises CompileError with the compiler's output, and TooSlow when the time is over.
    """

    file: Path
    options: CompileOptions
    dialect: Sequence[str]
    deadline: float
    taken: list[str] = field(default_factory=list)
    """Grows: lines on headers from the system."""

    def compile_annotated(self, source: AnnotatedText | None, plain: str | None) -> tuple[bytes, str]:
        """As ``compile`` with calls in place of annotations; ``plain`` without them, if the compiler rejects these."""
        if source is not None and source.lines:
            with contextlib.suppress(CompileError):
                return self.compile(source.text)
        return self.compile(plain)

    def compile(self, text: str | None) -> tuple[bytes, str]:
        """The bitcode or LLVM text for the requested data model, and the compiler's warnings.

        If the compiler does not know CBMC's words, these are declared, and quantifiers in code become loops.
        """
        try:
            return self._compile(text)
        except CompileError as error:
            if contract_reader.PREFIX not in str(error):
                raise
        is_expanded = self.dialect == PREPROCESSED or (not self.dialect and self.file.suffix == ".i")
        dialect = ("-x", "c", "-undef") if is_expanded else self.dialect
        words = ["-E", "-include", str(INCLUDE / "cprover.h"), *([VERIFYING] if self.options.contracts else [])]
        expanded = replace(self, dialect=dialect)._preprocess(text, words)
        return replace(self, dialect=PREPROCESSED)._compile(cprover_code.as_c(str(self.file), expanded))

    def _compile(self, text: str | None) -> tuple[bytes, str]:
        if self.options.compiler is None:
            data, said, taken = self._manner(text).output(lambda: self._compile_anew(text))
        else:
            data, said, taken = self._compile_anew(text)[0]
        self.taken.extend([taken] if taken else [])
        return data, said

    def _manner(self, text: str | None) -> CompileSettings:
        """The settings for the file, or ``text`` in its place, with the bundled compiler."""
        words = self._command([])
        theirs = [folder for word, folder in itertools.pairwise(words) if word in ("-isystem", "-idirafter")]
        folders = (os.path.dirname(self.file), *self.options.include)
        said = [] if text is None else ["text", text]
        return CompileSettings([*words, *said], self.options.flags, folders, compiler_home(), theirs)

    def _compile_anew(self, text: str | None) -> tuple[Output, str]:
        """The compiler's output, and the list of the files that it read."""
        with tempfile.TemporaryDirectory(prefix="unfork-") as folder:
            listed = Path(folder, "read")
            words = [*self._remapped(text, folder), *LISTED, str(listed)]
            data, said, missing = self._run(words, Path(folder, "out.bc"), "bitcode")
            read = os.fsdecode(listed.read_bytes()) if listed.exists() else ""
            taken = installed.taken(str(self.file), missing, names_in(read)) if missing else ""
            return Output(data, said, taken), read

    def preprocess(self) -> str:
        """The preprocessed text, with comments and the definitions of macros."""
        return self._preprocess(None, ["-E", "-C", "-dD", VERIFYING])

    def _preprocess(self, text: str | None, words: Sequence[str]) -> str:
        with tempfile.TemporaryDirectory(prefix="unfork-") as folder:
            words = [*words, *self._remapped(text, folder)]
            data, _, missing = self._run(words, Path(folder, "out.i"), "text")
            self.taken.extend([installed.taken(str(self.file), missing, ())] if missing else [])
            return data.decode("latin-1")

    def _remapped(self, text: str | None, folder: str) -> list[str]:
        """Flags that make the compiler read ``text`` for the file."""
        if text is None:
            return []
        Path(folder, "text.c").write_bytes(text.encode("latin-1"))
        return ["-Xclang", "-remap-file", "-Xclang", f"{_word_of(self.file)};{Path(folder, 'text.c')}"]

    def _command(self, words: Sequence[str]) -> list[str]:
        """The compiler's command line, with ``words`` before the file."""
        options, suffix = self.options, self.file.suffix
        return [*compiler(options, suffix), *self.dialect, *flags(options, suffix), *words, _word_of(self.file)]

    def _run(self, words: Sequence[str], output: Path, kind: str) -> tuple[bytes, str, str | None]:
        """The compiler's ``output`` of this ``kind``, its messages, and the first header from the system: if musl
        has none of a name, the compiler runs again with the system's folders.
        """
        done, taken, clashing = self._ran([*words, "-o", str(output)]), None, None
        missing = installed.missing(done.complaint) if done.status and self.options.compiler is None else None
        if missing is not None and installed.is_there(missing):
            again = self._ran([*words, *installed.searched(), "-o", str(output)])
            clashing = installed.clash(again.complaint, f"{compiler_home() / 'lib'}/") if again.status else None
            done, taken = (again, missing) if clashing is None else (done, None)
        if done.status:
            raise self._refusal(done, clashing)
        if not output.exists():
            raise CompileError(done.complaint.rstrip("\n") or f"{self.file}: the compiler wrote no {kind}")
        return output.read_bytes(), done.complaint, taken

    def _ran(self, words: Sequence[str]) -> Finished:
        """The compiler's end, with ``words`` before the file."""
        command = self._command(words)
        left = max(self.deadline - time.monotonic(), 0.0)
        try:
            return run(command, seconds=None if math.isinf(left) else left)
        except OSError as error:
            raise InputError(f"the C compiler {command[0]} cannot be run ({error.strerror})") from None

    def _refusal(self, done: Finished, clashing: str | None) -> CompileError:
        """The error for a rejected file: the compiler's messages, and flags that may help."""
        printed = done.complaint
        if self.file.suffix in CPP_SUFFIXES:
            printed = complaints.of_program(
                printed, _SYSTEM if self.options.compiler else f"{compiler_home() / 'lib'}/"
            )
        printed = printed.rstrip("\n") or f"{self.file}: the compiler ended with status {done.status}"
        more = [] if self.options.compiler else installed.advice(done.complaint, clashing)
        return CompileError("\n".join((printed, *[f"unfork: {line}" for line in more])), more)


def _word_of(file: Path) -> str:
    """The file for the command line: a path that begins with a dash must not look like a flag."""
    return str(file) if not str(file).startswith("-") else os.path.join(".", file)


def contents(file: Path) -> bytes:
    """The bytes of an input file. Raises InputError if it is not a readable C, bitcode or IR file."""
    if file.is_dir():
        raise InputError(f"{file}: is a directory")
    if file.suffix not in COMPILED and file.suffix not in IR_SUFFIXES:
        if file.suffix in UNSUPPORTED:
            raise InputError(f"{file}: {UNSUPPORTED[file.suffix]} is not supported (expected C or C++, .bc or .ll)")
        kept = Path(f"{file}.bc")
        hint = f"; did you mean {kept}?" if kept.is_file() else ""
        raise InputError(f"{file}: unknown kind of file (expected .c, .i, .cpp, .bc or .ll){hint}")
    try:
        if not file.is_file():
            raise InputError(f"{file}: {'is not a regular file' if file.exists() else 'no such file'}")
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror})") from None
    if not data.strip():
        raise InputError(f"{file}: is empty")
    if file.suffix in COMPILED and is_binary(data):
        raise InputError(f"{file}: is no C{'++' * (file.suffix in CPP_SUFFIXES)} source: it holds binary data")
    return data


def is_binary(data: bytes) -> bool:
    """Whether the data cannot be C: it has a null byte, or one byte in 20 is another control character."""
    return b"\0" in data or len(_CONTROL.findall(data)) * 20 > len(data)


def is_from_gcc(file: Path, text: bytes) -> bool:
    """Whether gcc preprocessed the text: it uses gcc's types, which headers define when clang preprocesses."""
    return file.suffix == ".i" and FOR_GCC.search(text) is not None and b"typedef float _Float32;" not in text


def compiler(options: CompileOptions, suffix: str = ".c") -> list[str]:
    """The start of the compiler's command line for files with a ``suffix``, with the paths of its headers."""
    if options.compiler is not None:
        program = shutil.which(options.compiler)
        if program is None:
            raise InputError(f"--cc {options.compiler}: no such program")
        return [program, *((f"--target={NARROW_TRIPLE}",) if options.is_ilp32 else ())]
    home = compiler_home()
    # `zig clang` runs the same clang as `zig cc`, but does not use zig's cache.
    words = [str(home / "zig"), "clang", f"--target={NARROW_TRIPLE if options.is_ilp32 else TRIPLE}"]
    words += ["-nostdinc", "-Qunused-arguments"]
    headers = HEADERS_32 if options.is_ilp32 else HEADERS
    if suffix in CPP_SUFFIXES:
        words += ["-nostdinc++", *libcxx.FOR_PROGRAMS, f"-fdebug-prefix-map={home / 'lib'}={libcxx.SEEN_AS}"]
        headers = (*libcxx.HEADERS, *headers)
        waiting = INCLUDE / libcxx.WAITING
        words += ["-isystem", str(waiting), f"-fdebug-prefix-map={waiting}={libcxx.SEEN_AS}/{libcxx.WAITING}"]
        if libcxx.HARDENING in options.checks:
            words += [*libcxx.ASSERTIONS, *libcxx.BOUNDED_ITERATORS, "-isystem", str(INCLUDE / libcxx.HARDENING)]
    for folder in (GLIBC, *(home / "lib" / name for name in headers)):
        words += ["-isystem", str(folder)]
    return words


def compiler_home() -> Path:
    """The folder of the package ziglang."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("the C compiler is missing: install the package ziglang, or use --cc")
    return Path(next(iter(spec.submodule_search_locations)))


def flags(options: CompileOptions, suffix: str) -> list[str]:
    """Flags for debug information, no optimisation and only the requested checks; the user's own flags come last."""
    words = ["-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-sanitize=all"]
    words += ["-fno-vectorize", "-fno-slp-vectorize", "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fmath-errno"]
    # This only makes clang mark the lifetimes of locals, which it skips at -O0.
    words += ["-fdebug-compilation-dir=.", "-Xclang", "-fsanitize-address-use-after-scope"]
    if suffix in CPP_SUFFIXES:  # otherwise it leaves out the contents of classes whose constructors are elsewhere
        words.append("-fstandalone-debug")
    sanitizers = [SANITIZERS[check] for check in sorted(options.checks) if check in SANITIZERS]
    if sanitizers:
        words.append("-fsanitize=" + ",".join(sanitizers))
    if options.is_ilp32:
        words.append(NARROW_PROCESSOR)
    if "bounds" in options.checks:
        # Of the arrays at the end of a struct, only those of zero or one element may be longer than declared.
        words.append("-fstrict-flex-arrays=1")
    given = [*[f"-I{folder}" for folder in options.include], *[f"-D{name}" for name in options.define]]
    given += flags_for(suffix, options.flags)
    words += given if options.compiler else system_folders.without(given)[0]
    if suffix in CPP_SUFFIXES and options.compiler is None:
        words += libcxx.INSTALLED
    return [*words, f"-fno-sanitize={WITHOUT}", "-idirafter", str(INCLUDE)]


def syntax_check(options: CompileOptions, file: Path) -> list[str]:
    """The command line that only reports the errors of a C or C++ file."""
    words = [*compiler(options, file.suffix), *flags(options, file.suffix)]
    return [*words, "-fsyntax-only", "-fno-color-diagnostics", _word_of(file)]
