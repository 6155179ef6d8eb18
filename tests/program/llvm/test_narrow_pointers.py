from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.power import some
from tests.support.runs import explore, written
from tests.support.svcomp_tasks import HEADER
from unfork.errors import InputError
from unfork.program.llvm.compiler import NARROW_PROCESSOR, compiler_home
from unfork.program.llvm.layout import NARROW_DATA_LAYOUT, NARROW_TRIPLE
from unfork.program.llvm.narrow_pointers import with_numbers
from unfork.report.replay import baton

LAYOUTS = Path(__file__).with_name("narrow_layouts.c")
START = 'int main(void); void _start(void) { __asm__ volatile ("int $0x80" :: "a"(1), "b"(main())); }\n'


def natively(source: Path, folder: Path) -> int:
    """The exit status of a program for i386."""
    zig = str(compiler_home() / "zig")
    start = written(START, folder, "start.c")
    words = [f"--target={NARROW_TRIPLE}", NARROW_PROCESSOR, "-nostdinc", "-O0"]
    words += ["-fno-stack-protector", "-fno-sanitize=all"]
    objects = [folder / "program.o", folder / "start.o"]
    for file, made in zip((source, start), objects, strict=True):
        subprocess.run([zig, "clang", *words, "-c", "-w", "-o", str(made), str(file)], check=True)
    program = folder / "program"
    subprocess.run([zig, "ld.lld", "-m", "elf_i386", "-static", "-o", str(program), *map(str, objects)], check=True)
    try:
        return subprocess.run([str(program)], check=False).returncode
    except OSError:
        pytest.skip("this machine does not run programs for i386")


@pytest.mark.parametrize("stop", some([*range(14, 24)], "narrow", 4))
def test_a_program_computes_what_it_computes_natively(stop: int, tmp_path: Path) -> None:
    lines = LAYOUTS.read_text().splitlines(keepends=True)
    assert "return h & 127;" in lines[-2]
    source = written("".join(lines[:stop]) + ("  return h & 127;\n}\n" if stop < len(lines) else ""), tmp_path)
    result = explore(source, tmp_path / "out", data_model="ILP32")
    assert result.verdict == "safe"
    assert f'"status": {natively(source, tmp_path)}' in result.tests[0].read_text()


EMPTY = "int main(void) { return 0; }"
SAID = """define void @f(ptr %p, ptr %q) !dbg !1 {
  %a = load ptr, ptr %p, align 4, !dbg !2
  store ptr getelementptr (i8, ptr @x, i32 4), ptr %a, align 4, !dbg !3
  store volatile ptr %q, ptr getelementptr (i8, ptr @x, i32 8), align 4
  %b = load i32, ptr %p, align 4
"""
READ = """define void @f(ptr %p, ptr %q) !dbg !1 {
  %unfork.loaded.1 = load i32, ptr %p, align 4, !dbg !2
  %a = unspell i32 %unfork.loaded.1 to ptr, !dbg !2
  %unfork.stored.2 = spell ptr getelementptr (i8, ptr @x, i32 4) to i32, !dbg !3
  store i32 %unfork.stored.2, ptr %a, align 4, !dbg !3
  %unfork.stored.3 = spell ptr %q to i32
  store volatile i32 %unfork.stored.3, ptr getelementptr (i8, ptr @x, i32 8), align 4
  %b = load i32, ptr %p, align 4
"""


def test_memory_holds_numbers() -> None:
    assert with_numbers(SAID) == READ


def test_values_have_the_widths_of_their_types(tmp_path: Path) -> None:
    body = "int main() { long x = __VERIFIER_nondet_long(); if (x + 1 < x) reach_error(); return 0; }\n"
    source = written(HEADER + body, tmp_path)
    result = explore(source, tmp_path / "out", data_model="ILP32")
    (error,) = result.errors
    assert error.kind == "reach-error"
    assert '"bytes": "ffffff7f"' in (tmp_path / "out" / error.test).read_text()


@pytest.mark.parametrize(
    "body",
    [
        "int f(); int main() { int x = 3; want(f(&x) == 3); return 0; } int f(y) int y; { return *(int *)y; }",
        "int f(int y) { return *(int *)y; } int main() { int x = 3; want(((int (*)(int *))f)(&x) == 3); return 0; }",
        "int main() { int *p = (int *)(int (*)(int))malloc; want(p != 0); return 0; }",
        "int calloc(); int main() { int *p = (int *)calloc(2, 4); want(p && !*p); free(p); return 0; }",
    ],
)
def test_a_pointer_is_passed_as_a_number(body: str, tmp_path: Path) -> None:
    source = written(f"{HEADER}void want(int it) {{ if (!it) reach_error(); }}\n{body}", tmp_path)
    result = explore(source, tmp_path / "out", data_model="ILP32", cflags="-w")
    assert result.verdict == "safe"


def test_bitcode_for_i386_is_read_as_its_source_is(tmp_path: Path) -> None:
    source = written("char *p, *q = (char *)&p; int main(void) { p = q; return p[1] != q[1]; }\n", tmp_path)
    bitcode = tmp_path / "a.bc"
    zig = str(compiler_home() / "zig")
    flags = [f"--target={NARROW_TRIPLE}", "-nostdinc", "-g", "-O0", "-emit-llvm", "-c"]
    subprocess.run([zig, "clang", *flags, "-o", str(bitcode), str(source)], check=True)
    for number, choices in enumerate(({}, {"data_model": "ILP32"})):
        assert explore(bitcode, tmp_path / f"out{number}", **choices).verdict == "safe"
    other = written("int main(void) { return 0; }\n", tmp_path, "b.c")
    with pytest.raises(InputError, match="has pointers of another width"):
        explore([other, bitcode], tmp_path / "mixed")


EXCHANGED = """@a = global i32 1
@b = global i32 2
@p = global ptr @a
define i32 @main() {
  %1 = cmpxchg ptr @p, ptr @a, ptr @b seq_cst seq_cst
  %2 = extractvalue { ptr, i1 } %1, 0
  %3 = load i32, ptr %2
  %4 = atomicrmw xchg ptr @p, ptr null seq_cst
  %5 = load i32, ptr %4
  %6 = add i32 %3, %5
  %7 = icmp eq i32 %6, 3
  %8 = zext i1 %7 to i32
  %9 = udiv i32 1, %8
  ret i32 %9
}
"""


def test_a_pointer_is_exchanged_in_one_operation(tmp_path: Path) -> None:
    head = f'target datalayout = "{NARROW_DATA_LAYOUT}"\ntarget triple = "{NARROW_TRIPLE}"\n'
    result = explore(written(head + EXCHANGED, tmp_path, "a.ll"), tmp_path / "out")
    assert result.verdict == "safe"


def test_threads_are_not_replayed_natively(tmp_path: Path) -> None:
    result = explore(Path(__file__).parents[2] / "programs/threads/counter_bug.c", tmp_path, data_model="ILP32")
    with pytest.raises(InputError, match="threads and pointers of 32 bits are replayed on the engine alone"):
        baton.object_file(result.program)


@pytest.mark.parametrize(("flags", "choices"), [("-m64 -march=x86-64", {"data_model": "ILP32"}), ("-m32", {})])
def test_a_compiler_that_is_told_to_take_another_target_is_refused(
    flags: str, choices: dict[str, str], tmp_path: Path
) -> None:
    source = written("int main(void) { return 0; }\n", tmp_path)
    with pytest.raises(InputError, match="not as --data-model says"):
        explore(source, tmp_path / "out", cflags=flags, **choices)


@pytest.mark.parametrize(
    ("program", "words", "reason"),
    [
        (
            EMPTY,
            ("--prune", "subsume", "--abstract", "list"),
            "--abstract list: not for programs with pointers of 32",
        ),
    ],
)
def test_what_is_not_supported_is_refused(program: str, words: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=reason):
        explore(written(program + "\n", tmp_path), tmp_path / "out", *words, data_model="ILP32")
