"""Compiling, linking, and what is refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from unfork.errors import CompileError, InputError
from unfork.program.llvm.compiler import CompileOptions, build, compiler
from unfork.program.llvm.ir import Call, GlobalAddress

PLAIN = CompileOptions()


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def bitcode(source: Path, *flags: str) -> Path:
    output = source.with_suffix(".bc")
    subprocess.run([*compiler(PLAIN), *flags, "-c", "-emit-llvm", str(source), "-o", str(output)], check=True)
    return output


def test_several_files_link(tmp_path: Path) -> None:
    first = write(tmp_path / "a.c", "int g(int); static int h(void) { return 1; } int main(void) { return g(h()); }")
    second = write(tmp_path / "b.c", "static int h(int x) { return x; } int g(int x) { return h(x); }")
    third = bitcode(write(tmp_path / "c.c", "int unrelated = 7;"))
    program = build([first, second, third], PLAIN)
    assert {"main", "g"} <= set(program.defined)
    assert len(program.defined) == 4
    assert "unrelated" in program.globals
    assert program.sources == (str(first), str(second))
    assert not program.declarations.keys() & set(program.defined)


def test_files_are_named_as_the_user_named_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dir").mkdir()
    write(tmp_path / "dir" / "h.h", "static int h(int x) { return x; }")
    write(tmp_path / "dir" / "a.c", '#include "h.h"\nint f(int x) {\n  return h(x) + 1;\n}\n')
    monkeypatch.chdir(tmp_path)
    for name in ("dir/a.c", str(tmp_path / "dir" / "a.c"), "./dir/a.c"):
        program = build([Path(name)], PLAIN)
        position = program.function("f").blocks[0].body[-1].position
        assert position is not None
        assert (position.file, position.line, position.function) == (str(Path(name)), 3, "f")
        header = program.function("h").position
        assert header is not None
        assert header.file == str(Path(name).parent / "h.h")


def test_a_changed_file_is_compiled_again(tmp_path: Path) -> None:
    file = write(tmp_path / "a.c", "int first;")
    assert "first" in build([file], PLAIN).globals
    write(file, "int other;")
    assert "other" in build([file], PLAIN).globals


def test_options_reach_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    write(tmp_path / "inc" / "v.h", "#define V 5")
    file = write(tmp_path / "a.c", "#include <v.h>\n#if V + W + U != 18\n#error no\n#endif\nint f;")
    options = CompileOptions(include=(str(tmp_path / "inc"),), define=("W=6",), flags=("-DU=7",))
    assert "f" in build([file], options).globals


def test_checks_become_calls_of_handlers(tmp_path: Path) -> None:
    file = write(tmp_path / "a.c", "int f(int a, int b) { return (a + b) << b; }")

    def handlers(checks: frozenset[str]) -> set[str]:
        program = build([file], CompileOptions(checks=checks))
        called = [it.callee for block in program.function("f").blocks for it in block.body if isinstance(it, Call)]
        names = {callee.name for callee in called if isinstance(callee, GlobalAddress)}
        return {name for name in names if name.startswith("__ubsan")}

    assert handlers(frozenset()) == set()
    assert handlers(frozenset(("shift",))) == {"__ubsan_handle_shift_out_of_bounds"}
    assert handlers(frozenset(("shift-base",))) == {"__ubsan_handle_shift_out_of_bounds"}
    assert handlers(frozenset(("overflow", "memory"))) == {"__ubsan_handle_add_overflow"}


def test_errors_of_the_compiler_come_through(tmp_path: Path) -> None:
    file = write(tmp_path / "a.c", "int f(void) { return x; }\n")
    with pytest.raises(CompileError) as caught:
        build([file], PLAIN)
    message = str(caught.value)
    assert message.startswith(f"{file}:1:22: error: use of undeclared identifier 'x'\n")
    assert message.endswith("1 error generated.")


def test_warnings_of_the_compiler_are_kept(tmp_path: Path) -> None:
    program = build([write(tmp_path / "a.c", "int f(void) { }\n")], PLAIN)
    assert "warning: non-void function does not return a value" in program.warnings


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("missing.c", None, "no such file"),
        ("text.txt", b"hello", "unknown kind of file"),
        ("none", b"hello", "unknown kind of file"),
        ("empty.c", b"", "is empty"),
        ("null.c", b"int main(void) { return 0; } /* \0 */\n", "is no C source: it holds binary data"),
        ("wide.c", "int main(void) { return 0; }\n".encode("utf-16"), "is no C source: it holds binary data"),
        ("junk.c", bytes(range(1, 256)), "is no C source: it holds binary data"),
        ("empty.bc", b"", "is empty"),
        ("empty.ll", b"\n", "is empty"),
        ("text.bc", b"int main(void) { return 0; }", "is not LLVM bitcode"),
        ("broken.bc", b"BC\xc0\xde" + bytes(range(200)), "LLVM cannot read"),
        ("broken.ll", b"define i32 @f( {\n", "LLVM cannot read"),
        ("wrong.ll", b"define i32 @f() {\n  ret i64 0\n}\n", "LLVM cannot read"),
        ("binary.ll", b"\xff\xfe\x00", "LLVM cannot read"),
        ("arm.ll", b'target triple = "aarch64-linux-gnu"\n@x = global i32 0\n', "aarch64"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, name: str, data: bytes | None, reason: str) -> None:
    file = tmp_path / name
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        build([file], PLAIN)
    assert str(caught.value).startswith(f"{file}: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_truncated_bitcode_is_refused(tmp_path: Path) -> None:
    file = bitcode(write(tmp_path / "a.c", "int f(int x) { return x; }"), "-g")
    data = file.read_bytes()
    for size in (40, len(data) // 2, len(data) - 8):
        file.write_bytes(data[:size])
        with pytest.raises(InputError):
            build([file], PLAIN)


def test_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dir.c").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        build([tmp_path / "dir.c"], PLAIN)


def test_no_file_and_no_compiler(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        build([], PLAIN)
    with pytest.raises(InputError, match="no such program"):
        build([write(tmp_path / "a.c", "int x;")], CompileOptions(compiler="no-such-clang"))


def test_another_target_is_refused(tmp_path: Path) -> None:
    file = bitcode(write(tmp_path / "a.c", "long f(long x) { return x; }"), "--target=aarch64-linux-musl")
    with pytest.raises(InputError, match="only x86-64 and i386 Linux"):
        build([file], PLAIN)
    other = bitcode(tmp_path / "a.c", "--target=i386-pc-freebsd")
    with pytest.raises(InputError, match="of 32 bits, only i386 Linux"):
        build([other], PLAIN)
    with pytest.raises(InputError, match="not as --data-model says"):
        build([tmp_path / "a.c"], CompileOptions(flags=("-m32",)))


def test_a_symbol_defined_twice_is_refused_in_one_line(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.c", "int twice(void) { return 1; }") for name in "ab"]
    with pytest.raises(InputError, match=r"b\.c: cannot be linked: .*twice.*multiply defined") as caught:
        build(files, PLAIN)
    assert "\n" not in str(caught.value)


def test_optimised_bitcode_is_read(tmp_path: Path) -> None:
    text = "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] > 3 ? p[i] : -1; return s; }"
    file = bitcode(write(tmp_path / "a.c", text), "-O2", "-g")
    function = build([file], PLAIN).function("f")
    assert function.source_name == "f"


def test_the_bitcode_reads_back_as_the_same_program(tmp_path: Path) -> None:
    program = build([write(tmp_path / "a.c", "int f(int x) { int a[2] = {x, 1}; return a[x] / x; }")], PLAIN)
    again = tmp_path / "again.bc"
    again.write_bytes(program.bitcode)
    other = build([again], PLAIN)
    assert other.function("f").blocks == program.function("f").blocks


def test_what_gcc_preprocessed_for_glibc(tmp_path: Path) -> None:
    file = tmp_path / "gcc.i"
    file.write_text(
        '# 1 "gcc.c"\n'
        "extern void *take(int) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (take, 1)));\n"
        "extern _Float32 a(_Float64x);\n"
        "_Float128 b;\n"
        "int linux;\n"
        "int main(void) { return linux; }\n"
    )
    assert build([file], CompileOptions()).warnings == ""


def test_what_clang_preprocessed_for_glibc(tmp_path: Path) -> None:
    file = tmp_path / "clang.i"
    file.write_text('# 1 "clang.c"\ntypedef float _Float32;\n_Float32 a;\nint main(void) { return 0; }\n')
    assert build([file], CompileOptions()).warnings == ""
