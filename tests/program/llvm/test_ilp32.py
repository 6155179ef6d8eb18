from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.runs import explore, written
from tests.support.svcomp_tasks import HEADER
from unfork.errors import InputError
from unfork.program.llvm.compiler import compiler_home
from unfork.program.llvm.ilp32 import FLAGS_32, TRIPLE_32, NotThe64BitProgram, as_64_bit

LAYOUTS = Path(__file__).with_name("ilp32_layouts.c")
START = 'int main(void); void _start(void) { __asm__ volatile ("int $0x80" :: "a"(1), "b"(main())); }\n'


def natively(source: Path, folder: Path) -> int:
    """The exit status of a program for i386."""
    zig = str(compiler_home() / "zig")
    start = written(START, folder, "start.c")
    words = [f"--target={TRIPLE_32}", "-nostdinc", "-O0", "-fno-stack-protector", "-fno-sanitize=all", FLAGS_32[0]]
    objects = [folder / "program.o", folder / "start.o"]
    for file, made in zip((source, start), objects, strict=True):
        subprocess.run([zig, "clang", *words, "-c", "-w", "-o", str(made), str(file)], check=True)
    program = folder / "program"
    subprocess.run([zig, "ld.lld", "-m", "elf_i386", "-static", "-o", str(program), *map(str, objects)], check=True)
    try:
        return subprocess.run([str(program)], check=False).returncode
    except OSError:
        pytest.skip("this machine does not run programs for i386")


@pytest.mark.parametrize("stop", range(14, 24))
def test_a_program_computes_what_it_computes_natively(stop: int, tmp_path: Path) -> None:
    lines = LAYOUTS.read_text().splitlines(keepends=True)
    assert "return h & 127;" in lines[-2]
    source = written("".join(lines[:stop]) + ("  return h & 127;\n}\n" if stop < len(lines) else ""), tmp_path)
    result = explore(source, tmp_path / "out", data_model="ILP32")
    assert result.verdict == "safe"
    assert f'"status": {natively(source, tmp_path)}' in result.tests[0].read_text()


STRUCT = "struct s { int a; long long b; }; "
REFUSED = {
    "a struct with a pointer or a member of 64 bits": (
        STRUCT + "struct s v; int main(void) { return v.a; }",
        "struct n { struct n *next; }; struct n v; int main(void) { return v.next != 0; }",
        "struct { double d; } v; int main(void) { return v.d > 0; }",
        "union { int *p; int i; } v; int main(void) { return v.i; }",
        "struct { int i; struct { long long x[2]; } in[2]; } v; int main(void) { return v.i; }",
    ),
    "an array of pointers": ("int *v[3]; int main(void) { return v[1] != 0; }",),
    "a pointer as a number": (
        "int a[3]; int main(void) { int *p = a; return (int)p; }",
        "int a[3]; int main(void) { int *p = a; return p - a; }",
        "int a; unsigned long v = (unsigned long)&a; int main(void) { return v; }",
        "void __VERIFIER_assume(); int a; int main(void) { __VERIFIER_assume(&a); return 0; }",
    ),
    "a number as a pointer": ("int main(void) { return *(int *)4; }",),
    "the address of a pointer": (
        "int f(int **p); int f(int **p) { return p != 0; } int main(void) { int a = 1, *p = &a; return f(&p); }",
        "int *p; int **q = &p; int main(void) { return q != 0; }",
        "int *p; int main(void) { return *(int *)&p; }",
        "int *p; int main(void) { return *(char *)&p; }",
    ),
    "a pointer in memory": ("int f(int **p) { return **p; } int main(void) { return f(0); }",),
    "arithmetic on pointers to pointers": ("int main(int n, char **words) { return words[0][0]; }",),
    "a type of more than 64 bits": ("long double d; int main(void) { return d > 0; }",),
    "an array of variable length": ("int main(int n, char **words) { int a[n]; a[0] = 1; return a[0]; }",),
    "a function with varargs": ("int f(int n, ...) { return n; } int main(void) { return f(1); }",),
    "inline assembly": ('int main(void) { __asm__ volatile ("nop"); return 0; }',),
    "a vector": ("typedef int v __attribute__((vector_size(16))); v a; int main(void) { return a[0]; }",),
    "a call of malloc": ("void *malloc(unsigned long); int main(void) { int *p = malloc(4); return p != 0; }",),
    "a call of printf": ('int printf(const char *, ...); int main(void) { return printf("x"); }',),
    "a call of __VERIFIER_nondet_pointer": (
        "void *__VERIFIER_nondet_pointer(void); int main(void) { return __VERIFIER_nondet_pointer() != 0; }",
    ),
    "a name that is no plain word": (
        "int a, *\u00e9 = &a; int main(void) { ((char *)&\u00e9)[5] = 1; return 0; }",
        'int a, *p __asm__("a b") = &a; int main(void) { ((char *)&p)[5] = 1; return 0; }',
    ),
    "a variable that is defined elsewhere": ("extern int v; int main(void) { return v; }",),
}


@pytest.mark.parametrize(("reason", "program"), [(key, each) for key, several in REFUSED.items() for each in several])
def test_what_may_depend_on_the_width_of_pointers_is_refused(reason: str, program: str, tmp_path: Path) -> None:
    with pytest.raises(NotThe64BitProgram, match="ILP32 is not supported with") as refused:
        explore(written(program + "\n", tmp_path), tmp_path / "out", data_model="ILP32")
    assert f"with {reason} (" in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_debug_information_and_texts_are_not_read_as_code() -> None:
    text = '@s = constant [9 x i8] c"x ptr] {ptr}"\n    #dbg_declare(ptr %p, !1)\n!1 = !{!"asm ptrtoint"}\n; inttoptr\n'
    assert as_64_bit(text, "a.c") == text


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
        "int f(); int main() { int x; return f(&x) == 0; } int f(y) int y; { return y; }",
        "int f(int y) { return y; } int main() { int x, (*g)(int *) = (int (*)(int *))f; return g(&x) == 0; }",
        "int f(void) { return 8; } int main() { int *(*g)(void) = (int *(*)(void))f; return *g(); }",
    ],
)
def test_a_pointer_is_passed_to_what_takes_pointers(body: str, tmp_path: Path) -> None:
    result = explore(written(HEADER + body, tmp_path), tmp_path / "out", data_model="ILP32")
    assert result.verdict == "unknown"
    assert "ILP32: caller and function differ in what is a pointer" in str(result.summary["given_up"])


def test_a_compiler_that_is_told_to_take_another_target_is_refused(tmp_path: Path) -> None:
    source, flags = written("int main(void) { return 0; }\n", tmp_path), "-m64 -march=x86-64"
    with pytest.raises(NotThe64BitProgram, match="told to take another target"):
        explore(source, tmp_path / "out", data_model="ILP32", cflags=flags)


def test_bitcode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bitcode has its own"):
        explore(written("", tmp_path, "a.ll"), tmp_path / "out", data_model="ILP32")
