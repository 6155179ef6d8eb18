"""Headers that the system has and musl has not, and what is said where the compiler refuses a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unfork.cli import main
from unfork.errors import CompileError
from unfork.program.c import installed, system_folders
from unfork.program.llvm import compiled
from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.module import Program
from unfork.report.replay.native_replay import Toolchain

LIBRARY = """#include <stdio.h>
#include <sys/cdefs.h>
#include <ssl/version.h>
__BEGIN_DECLS
typedef struct { int number; FILE *log; } Session;
extern Session *session_new(int) __THROW __wur;
__END_DECLS
"""
PROGRAM = (
    "#include <stdio.h>\n#include <ssl/ssl.h>\nint main(void) { Session s = {VERSION, stdout}; return s.number; }\n"
)


UNCHECKED = ("--native-check", "never")
"""For which a new cache would have to hold a C library."""


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of headers of a system, which has a C library of its own and a library."""
    folder = tmp_path / "system"
    monkeypatch.setattr(installed, "FOLDERS", (str(folder),))
    monkeypatch.setattr(system_folders, "FOLDERS", (str(folder),))
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled, "SHORTEST_KEPT", 0)
    write(folder / "stdio.h", "#error the system's\n")
    write(folder / "ssl/ssl.h", LIBRARY)
    write(folder / "ssl/version.h", "#define VERSION 7\n")
    write(folder / "inner/xml/parser.h", "int parse(void);\n")
    write(folder / "torn.h", "struct timeval { int other; };\n#include <sys/time.h>\n")
    return folder


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def built(folder: Path, text: str, *flags: str, contracts: bool = False) -> Program:
    return build([write(folder / "a.c", text)], CompileOptions(flags=flags, contracts=contracts))


def refusal(folder: Path, text: str, *flags: str) -> tuple[str, ...]:
    """What is advised where a text does not compile."""
    with pytest.raises(CompileError) as refused:
        built(folder, text, *flags)
    assert str(refused.value).endswith("".join(f"\nunfork: {line}" for line in refused.value.advice))
    return refused.value.advice


def test_a_header_that_musl_lacks_is_the_systems_which_is_said_once(system: Path, tmp_path: Path) -> None:
    what = f"{tmp_path}/a.c: takes ssl/ssl.h and 1 more header from {system}"
    note = f"{what}, since the bundled C library has no such header"
    for _ in range(2):  # the second is what was kept of the first
        assert built(tmp_path, PROGRAM).notes == (note,)
    assert list(tmp_path.glob("cache/compiled-*"))
    write(system / "ssl/version.h", "#define VERSION another\nenum { another };\n")
    assert built(tmp_path, PROGRAM).notes == (note,)
    assert built(tmp_path, "#include <stdio.h>\nint main(void) { return 0; }\n").notes == ()


def test_contracts_are_read_with_the_systems_headers_too(system: Path, tmp_path: Path) -> None:
    text = f"{PROGRAM}/*@ requires i > 0; */ int f(int i) {{ return i; }}\n"
    program = built(tmp_path, text, contracts=True)
    assert list(program.contracts.functions) == ["f"]
    assert len(program.notes) == 1


@pytest.mark.parametrize(
    "flags", [("-I{0}",), ("-I", "{0}/"), ("-isystem", "{0}"), ("-isystem{0}",), ("-idirafter", "{0}")]
)
def test_folders_of_the_system_come_after_musls_however_they_are_asked_for(
    system: Path, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    assert "main" in built(tmp_path, PROGRAM, *[flag.format(system) for flag in flags]).defined


def test_other_folders_come_where_they_are_asked_for(system: Path, tmp_path: Path) -> None:
    write(tmp_path / "own/ssl/ssl.h", "#define VERSION 1\ntypedef struct { int number; void *log; } Session;\n")
    before = write(tmp_path / "before.h", "#define MORE 1\n")
    flags = (
        "-I",
        f"{tmp_path}/own",
        "-include",
        str(before),
        "-std=gnu11",
        "-pthread",
        "-lssl",
        "-L/usr/lib",
        "-L",
        "x",
    )
    program = built(tmp_path, f"{PROGRAM}#ifndef MORE\n#error\n#endif\n", *flags)
    assert program.notes == ()
    assert (
        "main" in built(tmp_path, "#include <xml/parser.h>\nint main(void) { return 0; }", f"-I{system}/inner").defined
    )


def test_what_is_not_found_is_named_with_the_option_that_helps(system: Path, tmp_path: Path) -> None:
    (line,) = refusal(tmp_path, "#include <xml/parser.h>\n")
    assert line == f"xml/parser.h is in {system}/inner: add -I {system}/inner"
    (line,) = refusal(tmp_path, "#include <nowhere.h>\n")
    assert line.startswith(f"nowhere.h is neither in the bundled C library, musl, nor in {system}: add -I DIR")
    assert '--cflags "-idirafter /usr/include"' in line


def test_a_header_that_does_not_go_with_musls_is_not_taken(system: Path, tmp_path: Path) -> None:
    (line,) = refusal(tmp_path, "#include <torn.h>\nint main(void) { return 0; }\n")
    assert line.startswith("torn.h of the system does not compile after the headers of the bundled C library, musl:")


def test_mistakes_behind_a_header_of_the_system_are_the_programs(system: Path, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="undeclared identifier 'nothing'"):
        built(tmp_path, f"{PROGRAM}int f(void) {{ return nothing; }}\n")


def test_errors_that_may_be_warnings_are_named_with_their_flags(tmp_path: Path) -> None:
    text = "int g(int *p); int (*h)(char *) = g;\nint f(void) { char *p = 5; return unknown(p); }\n"
    names = ("incompatible-function-pointer-types", "int-conversion", "implicit-function-declaration")
    flags = [f"-Wno-error={name}" for name in names]
    (line,) = refusal(tmp_path, text)
    assert line.endswith(f'--cflags "{" ".join(flags)}"')
    assert "f" in built(tmp_path, text, *flags).defined
    assert refusal(tmp_path, "int f(void) { return g; }\n") == ()
    *_, line = refusal(tmp_path, "#include <stdio.h>\nint main(void) { char b[9]; gets(b); return 0; }\n")
    assert line == "gets is no function since C11: --std gnu99 declares it"


def test_a_scan_says_of_files_that_it_leaves_out_what_would_help(
    system: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "project/a.c", "int f(int x) { return x; }\n")
    write(tmp_path / "project/b.c", "#include <xml/parser.h>\nint g(int x) { return x; }\n")
    write(tmp_path / "project/c.c", f"{PROGRAM.replace('main(void)', 'h(int x)')}")
    out = tmp_path / "scan"
    main(["scan", str(tmp_path / "project"), "--out", str(out), "--quiet", "--libc", "none", *UNCHECKED])
    data = json.loads((out / "scan.json").read_text())
    (line,) = data["left_out"]
    assert line.endswith(f"(xml/parser.h is in {system}/inner: add -I {system}/inner)")
    assert [each["name"] for each in data["functions"]] == ["f", "h"]


def test_native_compilers_get_the_flags_that_they_know() -> None:
    flags = ["-Wno-error=incompatible-function-pointer-types", "-Wall", "-Wl,-z,now", "-DX", "-lm"]
    gcc, clang = (Toolchain((name,), (), f"{name} with sanitizers", False, True) for name in ("gcc", "clang"))
    assert gcc.given(flags) == ("-Wl,-z,now", "-DX", "-lm", "-fpermissive")
    assert gcc.given(["-Wall"]) == ()
    assert clang.given(flags) == tuple(flags)
