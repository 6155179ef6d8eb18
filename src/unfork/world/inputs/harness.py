"""A test as C or C++: the inputs as initialised arrays, and the functions that feed them to the program in order."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unfork.engine.state.threads import ENTER, SECTION, ThreadTurn
from unfork.program.c import fuzzers
from unfork.program.c.callbacks import HEAD, text_of_stand_in
from unfork.program.c.escape import c_comment, c_string, escape_text
from unfork.program.c.object_calls import ObjectDriver
from unfork.program.c.suffixes import C_SUFFIXES, COMPILED, flags_for, has_cpp
from unfork.program.llvm.demangle import function_name
from unfork.program.llvm.types import FloatType, FunctionType, IntType, PointerType, Type
from unfork.world.inputs import harness_heap, object_drivers
from unfork.world.inputs.call_sequences import CallPlan, declarations, sequence
from unfork.world.inputs.harness_world import has_world, variables_of, world_of
from unfork.world.inputs.testcase import Error, Exit, TestCase, TestInput, missing
from unfork.world.library.verifier_api import NONDET_TYPES, nondet_ending

_BUILT_IN = {
    "size_t": "unsigned long",
    "loff_t": "long",
    "time_t": "long",
    "clock_t": "long",
}
"""Definitions of header types: the harness includes no header."""
_GOT = {"_i32": "int", "_i64": "long", "f": "float", "d": "double", "l": "long", "ll": "long long"}
_FIXED = {
    "unfork_symbolic": "void unfork_symbolic(void *to, unsigned long size, const char *name) "
    "{ (void)name; unfork_take(to, size); }",
    "klee_make_symbolic": "void klee_make_symbolic(void *to, unsigned long size, const char *name) "
    "{ (void)name; unfork_take(to, size); }",
    "__VERIFIER_nondet_memory": "void __VERIFIER_nondet_memory(void *to, unsigned long size) "
    "{ unfork_take(to, size); }",
    "unfork_input_size": "unsigned long unfork_input_size(void) "
    "{ unsigned long size = 0; unfork_take(&size, sizeof size); return size; }",
    "unfork_input": "extern void *malloc(unsigned long);\n"
    "unsigned char *unfork_input(unsigned long *size) "
    "{ unsigned char *data = (unsigned char *)malloc(*size); unfork_take(data, *size); return data; }",
    "unfork_in_target": "extern int atexit(void (*function)(void));\nstatic int unfork_is_in_target;\n"
    'static void unfork_at_exit(void) { if (unfork_is_in_target) unfork_end("user"); }\n'
    "void unfork_in_target(int is_in_target) "
    "{ if (is_in_target) atexit(unfork_at_exit); unfork_is_in_target = is_in_target; }",
    "klee_int": "int klee_int(const char *name) { int value = 0; (void)name; unfork_take(&value, 4); return value; }",
    "klee_range": "int klee_range(int low, int high, const char *name) "
    "{ int value = low; (void)high; (void)name; unfork_take(&value, 4); return value; }",
    "unfork_length": "unsigned long unfork_length(const void *array) { (void)array; return 0; }",
    "unfork_assume": "void unfork_assume(_Bool holds) { if (!holds) unfork_leave(0); }",
    "klee_assume": "void klee_assume(unsigned long holds) { if (!holds) unfork_leave(0); }",
    "__VERIFIER_assume": "void __VERIFIER_assume(int holds) { if (!holds) unfork_leave(0); }",
    "__CPROVER_assume": "void __CPROVER_assume(_Bool holds) { if (!holds) unfork_leave(0); }",
    **{
        f"__CPROVER_{word}": f"void __CPROVER_{word}(_Bool holds, const char *text) "
        '{ (void)text; if (!holds) unfork_end("assert"); }'
        for word in ("assert", "precondition", "postcondition")
    },
    "unfork_check": 'void unfork_check(_Bool holds) { if (!holds) unfork_end("assert"); }',
    "unfork_ensure": 'void unfork_ensure(_Bool holds) { if (!holds) unfork_end("contract"); }',
    "unfork_invariant": 'void unfork_invariant(_Bool holds) { if (!holds) unfork_end("contract"); }',
    "__VERIFIER_error": 'void __VERIFIER_error(void) { unfork_end("reach-error"); }',
    "reach_error": 'void reach_error(void) { unfork_end("reach-error"); }',
    "klee_abort": '__attribute__((noreturn)) void klee_abort(void) { unfork_end("abort"); }',
    "klee_report_error": "__attribute__((noreturn)) void klee_report_error("
    "const char *file, int line, const char *message, const char *suffix) "
    '{ (void)file; (void)line; (void)message; (void)suffix; unfork_end("user"); }',
    "klee_silent_exit": "__attribute__((noreturn)) void klee_silent_exit(int status) { unfork_leave(status); }",
    "klee_is_symbolic": "unsigned klee_is_symbolic(unsigned long value) { (void)value; return 0; }",
    "klee_is_replay": "unsigned klee_is_replay(void) { return 1; }",
    "klee_get_errno": "extern int *__errno_location(void);\nint klee_get_errno(void) { return *__errno_location(); }",
    **{
        f"klee_get_value{ending}": f"{kind} klee_get_value{ending}({kind} value) {{ return value; }}"
        for ending, kind in _GOT.items()
    },
    "system": "int system(const char *command) { const volatile char *text = command; int status = 0; "
    "while (text && *text) text++; unfork_take(&status, 4); return status; }",
    "popen": "#include <stdio.h>\nFILE *popen(const char *command, const char *mode) "
    "{ const volatile char *text = command; if (*mode != 'r' && *mode != 'w') return 0; "
    'while (*text) text++; return fopen("/dev/null", mode); }',
    "pclose": "#include <stdio.h>\nint pclose(FILE *stream) "
    "{ int status = 0; fclose(stream); unfork_take(&status, 4); return status; }",
    "klee_choose": "unsigned long klee_choose(unsigned long count) "
    "{ unsigned long value = 0; (void)count; unfork_take(&value, sizeof value); return value; }",
}
COMMANDS = ("popen", "pclose")
"""Functions of our C library that run no commands; the native ones must not run any either."""
_IGNORED = {
    "unfork_merge_begin": "void",
    "unfork_merge_end": "void",
    "unfork_merge_block": "const char *how, int number, int line",
    "unfork_cover": "int id",
    "unfork_index": "long index",
    "unfork_print": "long value",
    "unfork_subsume": "int id",
    "klee_open_merge": "void",
    "klee_close_merge": "void",
    "klee_merge": "void",
    "klee_join": "const char *name, ...",
    "klee_prefer_cex": "void *object, unsigned long condition",
    "klee_posix_prefer_cex": "void *object, unsigned long condition",
    "klee_mark_global": "void *object",
    "klee_warning": "const char *message",
    "klee_warning_once": "const char *message",
    "klee_stack_trace": "void",
    "klee_dump_kquery_var": "void",
    "klee_print_range": "const char *name, int value",
    "klee_print_expr": "const char *message, ...",
    "klee_set_forking": "unsigned enable",
    "klee_check_memory_access": "const void *address, unsigned long size",
    "__CPROVER_cover": "_Bool condition",
    "__CPROVER_input": "const char *name, ...",
    "__CPROVER_output": "const char *name, ...",
    "__VERIFIER_atomic_begin": "void",
    "__VERIFIER_atomic_end": "void",
}
_SUPPORT = """
static unsigned unfork_next;
static const struct unfork_input {
    const char *name;
    unsigned long size;
    const unsigned char *bytes;
} unfork_inputs[] = {
%(table)s    {0, 0, 0}
};
extern void _Exit(int) __attribute__((noreturn));
extern void abort(void) __attribute__((noreturn));
extern void perror(const char *);
extern long write(int, const void *, unsigned long);
__attribute__((noreturn)) static void unfork_end(const char *kind) {
    (void)!write(2, "unfork: ", 8);
    perror(kind);
    abort();
}
__attribute__((noreturn)) static void unfork_leave(int status) { _Exit(status); }
static void unfork_take(void *to, unsigned long size) {
    const struct unfork_input *input = &unfork_inputs[unfork_next];
    unsigned long i;
    if (input->name) unfork_next++;
    for (i = 0; i < size; i++) ((unsigned char *)to)[i] = i < input->size ? input->bytes[i] : 0;
}
"""
_FROM_FILE = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void __gcov_dump(void) __attribute__((weak));
static void unfork_keep_coverage(int number) {
    signal(number, SIG_DFL);
    if (__gcov_dump) __gcov_dump();
    raise(number);
}
static unsigned char *unfork_given;
static long unfork_size, unfork_at;
extern char **environ;
/* As on the engine: what is in it was for us, with room for what is in the file. main may be given the same table. */
static void unfork_set_environment(void) {
    unsigned long long size = 0;
    unsigned long i, at = 0, next = 0;
    char **table = environ;
    for (i = 0; i < sizeof size && unfork_at < unfork_size; i++)
        ((unsigned char *)&size)[i] = unfork_given[unfork_at++];
    while (table && at < size) {
        const char *text = (const char *)unfork_given + unfork_at + at;
        char *copy = malloc(strlen(text) + 1);
        table[next++] = strcpy(copy, text);
        at += strlen(text) + 1;
    }
    unfork_at += (long)size;
    if (table) table[next] = 0;
}
__attribute__((constructor(101))) static void unfork_open(void) {
    static const int signals[] = {SIGABRT, SIGFPE, SIGILL, SIGTRAP};
    const char *name = getenv("UNFORK_INPUTS");
    FILE *file = name ? fopen(name, "rb") : 0;
    unsigned i;
    if (file && !fseek(file, 0, SEEK_END) && (unfork_size = ftell(file)) > 0) {
        unfork_given = malloc((unsigned long)unfork_size);
        rewind(file);
        if (fread(unfork_given, 1, (unsigned long)unfork_size, file) != (unsigned long)unfork_size) unfork_size = 0;
    }
    if (file) fclose(file); /* its descriptor is the program's next one */
    for (i = 0; i < 4; i++) signal(signals[i], unfork_keep_coverage);
    unfork_set_environment();
}
__attribute__((noreturn)) static void unfork_leave(int status) {
    if (__gcov_dump) __gcov_dump(); /* what a run did before an assumption did not hold counts as covered */
    _Exit(status);
}
__attribute__((noreturn)) static void unfork_end(const char *kind) { fprintf(stderr, "unfork: %s\\n", kind); abort(); }
static void unfork_take(void *to, unsigned long size) {
    unsigned long long length = 0;
    unsigned long i;
    for (i = 0; i < sizeof length && unfork_at < unfork_size; i++)
        ((unsigned char *)&length)[i] = unfork_given[unfork_at++];
    for (i = 0; i < size || i < length; i++) {
        unsigned char byte = i < length && unfork_at < unfork_size ? unfork_given[unfork_at++] : 0;
        if (i < size) ((unsigned char *)to)[i] = byte;
    }
}
"""
BATON = Path(__file__).with_name("baton.c")
_KINDS = (
    *("access", "section", "lock", "share", "try", "unlock", "take", "give", "wait", "wake", "signal", "arrive"),
    *("leave", "once", "create", "join", "exit", "end of the program"),
)
"""Operations of threads, by their numbers in C; a read in a waiting loop is an access."""
_AS = {"spin": "access", "ask": "section", "enter": "section"}
_SANITIZED = frozenset(
    "out-of-bounds null-dereference use-after-free double-free invalid-free invalid-call read-only "
    "div-by-zero overflow shift unreachable leak".split()
)
"""Kinds of errors that end a program only under sanitizers."""
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
RENAMED = "-Dmain=unfork_program_main"
"""Renames main in the program's other files when a function runs alone."""
_OUR_HEADERS = r"unfork\.h|unfork_objects\.hpp|klee/klee\.h|klee\.h|fuzzer/FuzzedDataProvider\.h"
_HEADER = re.compile(rf'^\s*#\s*include\s*[<"]({_OUR_HEADERS})[>"].*$', re.M)
_QUOTED = re.compile(r'^(\s*#\s*include\s*)"([^"\n]+)"', re.M)
_DECLARED = re.compile(r"^extern [^(;\n]*?\b(\w+)(?=[(;\[])", re.M)
"""What a declaration of ours at the beginning of a line declares."""


@dataclass(frozen=True, slots=True)
class Harness:
    """Writes tests as source for one program. ``declarations``: functions that the program calls but does not
    define.
    """

    sources: tuple[str, ...]
    declarations: Mapping[str, FunctionType]
    include: Path
    entry: str = ""
    """C that calls the tests' entry, if that is not main."""
    source_of_entry: str = ""
    """The file that defines the entry, if the entry needs a heap."""
    known: frozenset[str] = frozenset()
    """The complete types in that file."""
    returns_integer: bool = False
    result_size: int = 0
    """Bytes of a result that the entry returns through memory."""
    may_throw: bool = False
    """Whether the main must catch exceptions of the entry."""
    flags: tuple[str, ...] = ()
    unwatched: tuple[str, ...] = ()
    """Flags that turn off sanitizer checks which the run did not make."""
    has_main: bool = False
    driver: str = ""
    """C++ that follows that file and defines the entry: it makes the objects that tests begin with."""
    objects: ObjectDriver | None = None
    """What makes the objects that tests begin with, by calls which tests then make themselves."""
    calls: CallPlan | None = None
    has_threads: bool = False
    """Whether the program may create threads; they then follow the tests' schedules (baton.c)."""
    frameworks: tuple[tuple[Path, tuple[str, ...]], ...] = ()
    """Sources of linked test frameworks, with their flags."""
    stand_ins: tuple[str, ...] = ()
    """The functions that stand for undefined ones (program/c/callbacks.py)."""
    assembly: str = ""
    """The program as assembly with a stop before each visible operation; a standalone C file of a threaded test
    needs it.
    """

    def support(self, test: TestCase) -> str:
        """The inputs and the functions that feed them: a translation unit to link with the program."""
        arrays = []
        rows = []
        for number, test_input in enumerate(self._given(test)):
            data = ", ".join(f"0x{byte:02x}" for byte in test_input.data) or "0"
            arrays.append(
                f"static const unsigned char unfork_bytes_{number}[] = {{{data}}}; /* {c_comment(test_input.name)} */"
            )
            rows.append(f"    {{{c_string(test_input.name)}, {len(test_input.data)}, unfork_bytes_{number}}},\n")
        support = _SUPPORT % {"table": "".join(rows)}
        return "\n".join(arrays) + support + self._functions()

    def from_file(self) -> str:
        """The same for any test: it reads the inputs from the file that UNFORK_INPUTS names (see input_file)."""
        return _FROM_FILE + self._functions()

    def input_file(self, test: TestCase) -> bytes:
        """The inputs in the form that the linked code reads: the length of each (8 bytes, little-endian), then its
        bytes.

        The environment comes first.
        """
        variables = b"".join([each + b"\0" for each in test.variables()])
        given = [variables, *[each.data for each in self._given(test)]]
        return b"".join([len(data).to_bytes(8, "little") + data for data in given])

    def _given(self, test: TestCase) -> list[TestInput]:
        requested = [test_input for test_input in test.inputs if test_input.kind in ("symbolic", "nondet")]
        if not self.has_threads:
            return requested
        chosen = _native_turns(test.schedule)
        turns = b"".join(
            struct.pack("<ii", turn.thread, _KINDS.index(_AS.get(turn.does, turn.does))) for turn in chosen
        )
        count = struct.pack("<q", len(chosen))
        return [TestInput("turns", "nondet", "long", count), TestInput("schedule", "nondet", None, turns), *requested]

    def _functions(self) -> str:
        texts = [text_of_stand_in(name, is_beside_declaration=True) for name in self.stand_ins]
        ours = [*self._definitions(), *([HEAD, *texts] if texts else [])]
        return "\n".join(ours) + "\n" + (BATON.read_text("utf-8") if self.has_threads else "")

    @property
    def suffix(self) -> str:
        is_cpp = has_cpp([self.source_of_entry] if self.source_of_entry else self.sources)
        return ".cpp" if is_cpp and not self.has_threads else ".c"

    def alone(self, test: TestCase) -> str:
        """A file that runs the test; it includes the entry's source if that is one file."""
        heap = test.command.heap
        if self.has_threads:
            return self._threaded(test)
        text, needed, world = self._beside_main(), "", ""
        if heap is not None:
            # the source is part of the file, since the function may be static
            name = function_name(heap.function, heap.function)
            remark = f"calls {name} on the heap below" if text else f"IS NOT WHOLE: it needs the source of {name}"
            is_cpp, returns_integer = self.suffix == ".cpp", self.returns_integer
            needs_length = "unfork_length" in self.declarations
            heap = heap if self.objects is None else harness_heap.without_unused(heap, self.objects)
            is_read = bool(test.stdin or test.files) and not missing(test)
            around = world_of(test) if is_read else variables_of(test)
            needed = around + harness_heap.support_of(heap, is_cpp=is_cpp, needs_length=needs_length)
            if self.objects is not None:
                remark = "makes the calls below"
                code = harness_heap.c_main_of_calls(heap, self.known, self.objects)
            elif is_cpp:
                code = harness_heap.cpp_main_of(
                    heap, self.result_size, may_throw=self.may_throw, returns_integer=returns_integer
                )
            else:
                code = harness_heap.c_main_of(heap, self.known, returns_integer=returns_integer)
        elif self.calls is not None:
            remark = "makes the calls below"
            needed = "\n".join(declarations(self.calls) if text is None else []) + "\n"
            code = "\n    ".join(["int main(void) {", *sequence(self.calls, test.inputs), "return 0;"]) + "\n}\n"
        else:
            order = "; its threads go on as they like" if test.schedule else ""
            remark, code = f"runs the program on the inputs below{order}", self.entry
            world = world_of(test) if has_world(test) and not missing(test) else ""
        if heap and not self.objects and test.expects_leak():
            code = harness_heap.forgetting(code)
        head = _head(test, f"{self._command(test, text)} && ./a.out    {remark}.")
        main = "#undef main\n" if self.has_main else ""
        ours = self.support(test) + world + needed
        freed = _without_macros(ours) if text else ""
        return f"{head}{text or ''}{freed}{self._linkage(ours)}{main}{code}"

    def _linkage(self, code: str) -> str:
        return code if self.suffix == ".c" else f'extern "C" {{\n#define _Bool bool\n{code}}}\n'

    def _command(self, test: TestCase, text: str | None) -> str:
        others = [file for file in self.sources if text is None or file != self._source()]
        files = [f"FILE{self.suffix}", *others]
        is_watched = isinstance(test.expect, Error) and test.expect.kind in _SANITIZED
        options = (*(("-g", *SANITIZERS, *self.unwatched) if is_watched else ()), *self.flags)
        options = (*options, RENAMED) if self.has_main and others else options
        cpp = [file for file in files if Path(file).suffix not in C_SUFFIXES]
        plain = [file for file in files if Path(file).suffix in C_SUFFIXES]
        if not has_cpp(cpp):
            return " ".join(map(escape_text, ["cc", *flags_for(".c", options), *files]))
        objects = [f"{Path(file).stem}.o" for file in plain]
        first = ["cc", "-c", *flags_for(".c", options), *plain, "&&"] if plain else []
        return " ".join(map(escape_text, [*first, "c++", *flags_for(".cpp", options), *cpp, *objects]))

    def _threaded(self, test: TestCase) -> str:
        """A C file with the program as assembly, because C does not show where a thread stops."""
        program = " ".join(escape_text(name) for name in self.sources)
        how = f"cc FILE.c -pthread -lm && ./a.out    runs {program} as below."
        turns = [f"{turn.thread} {turn.does}{f' ({turn.line})' if turn.line else ''}" for turn in test.schedule]
        schedule = c_comment("Who goes on, with what (in which line): " + ", ".join(turns))
        world = world_of(test) if has_world(test) and not missing(test) else ""
        text = self._beside_main()
        source = f"#if 0 /* what the assembly at the end was made of */\n{text}#endif\n" if text else ""
        lines = "\n".join([c_string(f"{line}\n") for line in self.assembly.expandtabs(4).splitlines()])
        head = _head(test, how)
        return f"{head}/* {schedule} */\n{source}{self.support(test)}{world}__asm__(\n{lines}\n);\n"

    def _source(self) -> str:
        is_whole = self.calls is None and len(self.sources) == 1
        return self.source_of_entry or (self.sources[0] if is_whole else "")

    def _beside_main(self) -> str | None:
        text = self._source_text(self._source())
        if text is None:
            return None
        if self.driver:
            name = object_drivers.FILE
            text += f'#line 1 "{name}"\n{self._with_headers(self.driver, name)}\n#line 1 "unfork"\n'
        return f"#define main unfork_program_main\n{text}" if self.has_main else text

    def _source_text(self, source: str) -> str | None:
        path = Path(source)
        if path.suffix not in COMPILED:
            return None
        try:
            text = path.read_text("utf-8", "surrogateescape")
        except OSError:
            return None
        text = self._with_headers(text, str(path))
        text = _QUOTED.sub(lambda include: _absolute(include, path.parent), text)
        macros = fuzzers.macros(text)
        return f'{macros}#line 1 {c_string(str(path))}\n{text}\n#line 1 "unfork"\n'

    def _with_headers(self, text: str, file: str) -> str:
        """A file with our headers in place of their includes; other lines keep their numbers."""

        def header(include: re.Match[str]) -> str:
            body = _HEADER.sub(self._header, self._header(include))
            line = include.string.count("\n", 0, include.start()) + 2
            return f"{body}\n#line {line} {c_string(file)}"

        return _HEADER.sub(header, text)

    def _header(self, include: re.Match[str]) -> str:
        name = "klee/klee.h" if include[1].startswith("klee") else include[1]
        try:
            return (self.include / name).read_text("utf-8").rstrip()
        except OSError:
            return include[0]

    def _definitions(self) -> Sequence[str]:
        out = []
        for name in sorted(self.declarations):
            if name == "unfork_length" and self.source_of_entry:
                continue
            if name in _FIXED:
                out.append(_FIXED[name])
            elif name in _IGNORED:
                out.append(_empty_function(name, _IGNORED[name]))
            elif (ending := nondet_ending(name)) is not None:
                kind = NONDET_TYPES.get(ending) or _c_type(self.declarations[name].result)
                if kind is not None:
                    kind = _BUILT_IN.get(kind, kind)
                    out.append(
                        f"{kind} {name}(void) {{ {kind} value; unfork_take(&value, sizeof value); return value; }}"
                    )
        return out


def _native_turns(schedule: Sequence[ThreadTurn]) -> list[ThreadTurn]:
    """The turns of a native run: a call that waits for a lock of the C library begins once that is free."""
    turns: list[ThreadTurn] = []
    following: dict[int, str] = {}
    for turn in reversed(schedule):
        if turn.does not in (SECTION, ENTER) or following.get(turn.thread) != ENTER:
            turns.append(turn)
        following[turn.thread] = turn.does
    return turns[::-1]


def entry(function: str, result: Type, *, is_cpp: bool) -> str:
    """A main that calls ``function``, without arguments, and ends as a run of it does."""
    kind, call = ("int", "return (int)") if isinstance(result, IntType) else ("void", "")
    declared, name = "", function
    if is_cpp:
        declared, name = f'extern "C" {kind} unfork_called(void) __asm__({c_string(function)});\n', "unfork_called"
    return f"{declared}int main(void) {{ {call}{name}();{'' if call else ' return 0;'} }}\n"


def _empty_function(name: str, parameters: str) -> str:
    named = [parameter for parameter in parameters.split(",") if parameter != "void" and "..." not in parameter]
    uses = " ".join(f"(void){parameter.split()[-1].strip('*')};" for parameter in named)
    return f"void {name}({parameters}) {{ {uses} }}"


def _c_type(kind: Type) -> str | None:
    match kind:
        case IntType(width=width):
            names = {1: "_Bool", 8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long"}
            return names.get(width)
        case FloatType(name=name):
            return {"float": "float", "double": "double", "x86_fp80": "long double"}.get(name)
        case PointerType():
            return "void *"
        case _:
            return None


def _absolute(include: re.Match[str], folder: Path) -> str:
    path = folder / include[2]
    return f'{include[1]}"{path.resolve()}"' if path.is_file() else include[0]


def _without_macros(ours: str) -> str:
    """Lines that end the program's macros for what our code declares: many libraries redefine calloc or write."""
    return "".join(f"#undef {name}\n" for name in dict.fromkeys(_DECLARED.findall(ours)))


def _head(test: TestCase, how: str) -> str:
    return f"/* {c_comment(how)}\n   Expected: {c_comment(_expectation(test))}.{_warning(test)} */\n"


def _expectation(test: TestCase) -> str:
    match test.expect:
        case Exit(None):
            return "abort()"
        case Exit(status):
            return f"exit status {status}"
        case Error() as error:
            return error.words()
        case None:
            return "nothing in particular (the path was cut)"


def _warning(test: TestCase) -> str:
    if test.needs_engine():
        causes = "uninitialised bytes or failing calls"
        return f"\n   The path may depend on {causes}, which C cannot choose: the engine replays it."
    if (reason := missing(test)) is not None:
        return f"\n   THE TEST IS NOT SET UP HERE: {c_comment(reason)}. Only the engine replays it."
    return ""
