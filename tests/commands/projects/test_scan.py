"""unfork scan of small projects: what is scanned, in which order, what is left out, and the exit status."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.commands.scan.findings import explored, kept
from unfork.cli import main
from unfork.commands.projects.project import BuildSource, groups, sources_of
from unfork.errors import InputError
from unfork.program.c.suffixes import C_SUFFIXES

SAFE = "int twice(unsigned char n) { return 2 * n; }\n"
ASKS = "int first(const int *numbers) { return numbers[0]; }\n"
LEAK = "#include <stdlib.h>\nint f(unsigned char n) {\n  char *p = malloc(n + 1ul);\n  return p != NULL;\n}\n"
FILLS = """#include <stdlib.h>
void fill(unsigned char n) {
  int *row = malloc(16);
  if (!row) return;
  for (int i = 0; i <= 4; i++) row[i] = n;
  free(row);
}
"""
QUICK = ("--cores", "1", "--per-function", "60", "--native-check", "never", "--no-progress")


def written(folder: Path, **texts: str) -> Path:
    """A folder with a C file for each text."""
    for name, text in texts.items():
        (folder / f"{name}.c").write_text(text)
    return folder


def scanned(path: Path, out: Path, *words: str) -> tuple[int, Mapping[str, Any]]:
    """The exit status of a scan, and what scan.json holds."""
    status = main(["scan", str(path), "--out", str(out), *QUICK, *words])
    return status, json.loads((out / "scan.json").read_text())


def names(data: Mapping[str, Any]) -> list[str]:
    return [each["name"] for each in data["functions"]]


CLASSES = """
#include <stdexcept>
#include <string>
namespace zoo {
struct Animal { virtual ~Animal() {} virtual int legs() const = 0; int age = 1; };
struct Dog : Animal { std::string name; Dog(); ~Dog() override; int legs() const override { return 4; } };
Dog::Dog() : name("Rex") {}
Dog::~Dog() {}
template <class T> T twice(T x) { return x + x; }
namespace { int kept(int n) { if (n <= 0) throw std::range_error("n"); return [n](int m) { return m / n; }(3); } }
int ask(const Animal &animal, int n) { return animal.legs() == 4 ? twice(2) : kept(n); }
static Dog rex;
}
"""


def commands(folder: Path, *rows: Mapping[str, Any]) -> Path:
    file = folder / "compile_commands.json"
    file.write_text(json.dumps(rows))
    return file


def test_files_with_a_main_are_linked_with_the_others_one_by_one(tmp_path: Path) -> None:
    written(tmp_path, lib=SAFE, one="int main(void) { return 0; }\n", two="int main(void) { return 1; }\n")
    lib, one, two = (BuildSource(tmp_path / f"{name}.c") for name in ("lib", "one", "two"))
    found = groups([one, lib, two])
    assert [each.sources for each in found] == [(lib,), (one, lib), (two, lib)]
    assert [each.scanned for each in found] == [{lib.path}, {one.path}, {two.path}]


def test_a_main_that_is_only_called_or_mentioned_is_none(tmp_path: Path) -> None:
    written(tmp_path, lib="int main(void); /* main() */\nint again(void) { return main(); }\n")
    (tmp_path / "part.cc").write_text(
        "struct A { int main(int n); };\nint f(A a) { return a.main(1); }\n/*\nint main()\n*/\n"
    )
    (tmp_path / "whole.cc").write_text("namespace a { int n; }\nint main() { return a::n; }\n")
    lib, part, whole = (BuildSource(tmp_path / name) for name in ("lib.c", "part.cc", "whole.cc"))
    assert [each.sources for each in groups([lib, part, whole])] == [(lib, part), (whole, lib, part)]


def test_a_folder_stands_for_the_c_files_below(tmp_path: Path) -> None:
    for folder in ("b", ".git"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, deep=SAFE)
    written(tmp_path, a=SAFE)
    (tmp_path / "notes.txt").write_text("none\n")
    assert sources_of([str(tmp_path)], "scan") == (
        [BuildSource(tmp_path / "a.c"), BuildSource(tmp_path / "b" / "deep.c")],
        [],
    )


def test_a_build_gives_the_flags(tmp_path: Path) -> None:
    written(tmp_path, a=SAFE)
    row = {"directory": str(tmp_path), "file": "a.c", "command": "cc -O2 -Iinclude -D N=3 -march=native -c a.c -o a.o"}
    other = {"directory": str(tmp_path), "arguments": ["c++"]}
    for name in "xyz":
        (tmp_path / f"{name}.cpp").write_text("int x;\n")
    rows = [{"file": f"{name}.cpp", **other} for name in "xyz"]
    file = commands(tmp_path, row, *rows, {"file": "gone.c", **other})
    in_c = BuildSource(tmp_path / "a.c", ("-I", f"{tmp_path}/include", "-D", "N=3"))
    for path in (file, tmp_path):
        sources, left_out = sources_of([str(path)], "scan")
        assert sources == [in_c, *[BuildSource(tmp_path / f"{name}.cpp") for name in "xyz"]]
        assert left_out == [f"{tmp_path}/gone.c: not there"]
        sources, left_out = sources_of([str(path)], "verify", C_SUFFIXES)
        assert sources == [in_c]
        assert left_out == [f"{tmp_path}/x.cpp and 2 others: C++", f"{tmp_path}/gone.c: not there"]


def test_a_build_of_another_folder_is_refused(tmp_path: Path) -> None:
    file = commands(tmp_path, {"directory": str(tmp_path / "elsewhere"), "file": "a.c", "arguments": ["cc", "a.c"]})
    with pytest.raises(InputError, match=r"elsewhere/a\.c is not there: is it of another folder\?"):
        sources_of([str(file)], "scan")


@pytest.mark.parametrize("text", ["[", '{"directory": 1}', '[{"file": "a.c"}]', "[3]"])
def test_what_is_no_build_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(InputError, match="is no compilation database"):
        sources_of([str(tmp_path)], "scan")


def test_a_folder_without_c_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.rs").write_text("")
    assert main(["scan", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"unfork: scan: no C or C++ file in {tmp_path}\n"
    assert main(["scan", str(tmp_path / "a.rs")]) == 2
    assert capsys.readouterr().err.startswith(f"unfork: scan: {tmp_path}/a.rs: is no C or C++ file")
    assert main(["scan", str(tmp_path / "gone.c"), "--no-such-option"]) == 2


def test_proofs_are_of_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = set(Path.cwd().glob("unfork-out-*"))
    file = tmp_path / "a.cpp"
    file.write_text("int x;\n")
    assert main(["verify", str(file)]) == 2
    assert capsys.readouterr().err == f"unfork: {file}: contracts are read from C, not from C++\n"
    assert main(["verify", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"unfork: verify: no C file in {tmp_path}; {file}: C++\n"
    assert set(Path.cwd().glob("unfork-out-*")) == before


def test_callees_come_before_their_callers(tmp_path: Path) -> None:
    text = "int low(int n);\nint high(int n) { return low(n); }\nint middle(int n) { return low(n) & 1; }\n"
    written(tmp_path, a=text, b="int middle(int n);\nint low(int n) { return n ? n & 3 : middle(1); }\n")
    status, data = scanned(tmp_path, tmp_path / "out", "--functions", "[hl]*")
    assert status == 0
    assert names(data) == ["low", "high"]


def test_a_function_in_a_header_belongs_to_the_file_that_includes_it(tmp_path: Path) -> None:
    (tmp_path / "all.h").write_text("static int one(void) { return 1; }\nint two(void) { return 2 * one(); }\n")
    written(tmp_path, all='#include "all.h"\n', program="int two(void);\nint main(void) { return two(); }\n")
    _, data = scanned(tmp_path, tmp_path / "out")
    assert names(data) == ["two", "one", "main"]


MAIN = """
#include <stdio.h>
#include <string.h>
static void greet(const char *name) { char copy[4]; strcpy(copy, name); puts(copy); }
int main(int argc, char **argv) {
  static const int table[4] = {1, 2, 3, 4};
  if (argc > 1 && strlen(argv[1]) < 4)
    greet(argv[1]);
  int c = getchar();
  return c >= '0' && c <= '4' ? table[c - '0'] : 0;
}
"""


@pytest.mark.native_check
def test_main_runs_as_the_whole_program(tmp_path: Path) -> None:
    path = written(tmp_path, program=MAIN) / "program.c"
    status, data = scanned(path, tmp_path / "out", "--native-check", "always")
    assert status == 1
    assert names(data) == ["main", "greet"]
    found = [(each["line"], each["from"]) for each in data["findings"] if each["certainty"] == "certain"]
    assert (10, "main") in found
    _, data = scanned(path, tmp_path / "none", "--native-check", "always", "--sym-stdin", "0")
    found = [(each["line"], each["from"]) for each in data["findings"] if each["certainty"] == "certain"]
    assert (10, "main") not in found


def test_what_runs_have_left_is_no_source(tmp_path: Path) -> None:
    path = written(tmp_path, program=MAIN)
    _, first = scanned(path, tmp_path / "out")
    _, second = scanned(path, tmp_path / "again")
    assert names(first) == names(second)
    assert not second["left_out"]


def test_a_file_that_does_not_compile_costs_the_others_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, broken="int f( {\n", good=SAFE)
    status, data = scanned(tmp_path, tmp_path / "out")
    assert status == 0
    assert names(data) == ["twice"]
    [line] = data["left_out"]
    assert "broken.c:1" in line
    assert f"left out: {line}\n" in capsys.readouterr().out


def test_a_project_of_which_nothing_compiles_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, broken="int f( {\n")
    assert main(["scan", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "no function to scan" in line
    assert "broken.c:1" in line


def test_names_that_no_function_has_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, a=SAFE) / "a.c"
    assert main(["scan", str(path), "--functions", "x*"]) == 2
    assert capsys.readouterr().err == "unfork: scan: no function to scan of a name like 'x*'\n"


def test_functions_are_named_as_for_run_and_verify(tmp_path: Path) -> None:
    path = written(tmp_path, a=SAFE + ASKS + "int third(int n) { return n; }\n") / "a.c"
    _, data = scanned(path, tmp_path / "out", "--function", "twice", "--functions", "f*")
    assert sorted(names(data)) == ["first", "twice"]


def test_a_finding_is_explained_by_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src").mkdir()
    written(tmp_path / "src", rows=FILLS)
    monkeypatch.chdir(tmp_path)
    scanned(Path("src"), Path("out"))
    monkeypatch.chdir(tmp_path / "src")
    capsys.readouterr()
    assert main(["show", "../out", "rows.c:5"]) == 0
    told = capsys.readouterr().out
    for line in (
        "src/rows.c:5: out-of-bounds: write of 4 bytes at offset 16",
        "  entry: fill, which is public",
        "       i = 4",
        "fill(n = 0)",
        "test: ../out/functions/0000/tests/000001.json",
        "program: ../out/functions/0000/tests/000001.c",
        "      fill(/* n = */ 0);",
    ):
        assert f"\n{line}" in f"\n{told}"
    assert main(["show", "../out", "rows.c:4"]) == 2
    told = capsys.readouterr().err
    assert told == "unfork: rows.c:4: no finding of ../out (say FILE:LINE; it has some at src/rows.c:5)\n"


def test_files_without_functions_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, a="extern int n;\nint twice(int);\n") / "a.c"
    assert main(["scan", str(path)]) == 2
    assert capsys.readouterr().err == "unfork: scan: no function to scan\n"


def test_functions_of_cpp_are_those_of_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, a=SAFE) / "b.cc"
    file.write_text(CLASSES)
    status, data = scanned(tmp_path, tmp_path / "out", "--per-function", "5")
    methods = ["zoo::Animal::~Animal", "zoo::Dog::~Dog", "zoo::Dog::Dog", "zoo::Dog::legs"]
    assert status == 0
    assert sorted(names(data)) == sorted(
        ["twice", *methods, "zoo::twice<int>", "zoo::(anonymous namespace)::kept", "zoo::ask"]
    )
    assert not data["findings"]
    assert {each["explored"] for each in data["functions"]} == {"all"}
    assert main(["scan", str(file), "--functions", "zoo::Dog::l*", "--out", str(tmp_path / "legs")]) == 0
    assert "1 function: 1 explored completely" in capsys.readouterr().out


def test_what_the_caller_must_see_to_is_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, data = scanned(written(tmp_path, a=ASKS), tmp_path / "out")
    assert status == 0
    assert [each["certainty"] for each in data["findings"]] == ["conditional"]
    assert "completely       0/0  first     requires: numbers is not null\n" in capsys.readouterr().out


def test_a_function_that_cannot_run_leaves_it_unknown(tmp_path: Path) -> None:
    written(tmp_path, a="int f(double _Complex x) { return __real__ x > 0; }\n")
    status, data = scanned(tmp_path, tmp_path / "out")
    [function] = data["functions"]
    assert (function["explored"], status) == ("not", 3)
    assert function["reason"]


@pytest.mark.native_check
def test_a_baseline_leaves_what_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, a=LEAK) / "a.c"
    words = ("--native-check", "auto")
    status, data = scanned(path, tmp_path / "first", *words)
    assert (status, data["new"]) == (1, 1)
    assert [(each["kind"], each["line"], each["certainty"]) for each in data["findings"]] == [("leak", 3, "certain")]
    path.write_text("\n\n" + LEAK)
    known = tmp_path / "first" / "scan.json"
    status, data = scanned(path, tmp_path / "second", "--baseline", str(known), *words)
    assert (status, data["new"]) == (0, 0)
    assert len(data["findings"]) == 1
    capsys.readouterr()
    known.write_text("{")
    assert main(["scan", str(path), "--baseline", str(known)]) == 2
    assert capsys.readouterr().err.startswith(f"unfork: --baseline {known}: is no scan.json")


def test_what_a_comment_ignores_is_listed_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = ASKS.replace("int first", "/* unfork: ignore leek x */\nint first")
    text = text.replace("return", "/* unfork: ignore null-dereference the table is full */ return")
    status, data = scanned(written(tmp_path, a=text), tmp_path / "out", "--formats", "sarif,gcc")
    assert (status, data["verdict"], data["findings"]) == (0, "clean", [])
    [ignored] = data["ignored"]
    assert (ignored["kind"], ignored["ignored"]) == ("null-dereference", "the table is full")
    said = capsys.readouterr()
    assert f"unfork: {tmp_path}/a.c:1: 'unfork: ignore leek' has no effect: leek is no kind of error" in said.err
    assert f"ignored: {tmp_path}/a.c:2: null-dereference in first: the table is full\n" in said.out
    assert json.loads((tmp_path / "out" / "results.sarif").read_text())["runs"][0]["results"] == []
    assert (tmp_path / "out" / "messages.txt").read_text() == ""
    assert main(["show", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == said.out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("scan", "a.c", "--cluster", "local"), "unfork: scan: --cluster has no meaning here; "),
        (("scan", "a.c", "--formats", "lcov"), "unfork: --formats: scans have sarif, gcc, and no lcov\n"),
        (("export", "out", "junit"), "unfork: junit: out holds a scan (unfork scan), which it cannot tell of\n"),
        (("export", "out", "c"), "unfork: c: out holds a scan (unfork scan), whose tests are below out/functions\n"),
        (("show", "out", "7"), "unfork: 7: no finding of out (say FILE:LINE; it has none)\n"),
        (("show", "out", "--why"), "unfork: out holds a scan (unfork scan): unfork show tells what is left of it\n"),
        (("report", "bad"), "unfork: bad/scan.json is not a summary of unfork\n"),
        (("report", "worse"), "unfork: worse/scan.json is not a summary of unfork (Object missing required field "),
    ],
)
def test_what_a_scan_has_not_is_said_in_a_line(
    words: tuple[str, ...],
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    kept(tmp_path, explored())
    for name, text in (("bad", "{}"), ("worse", '{"tool": "unfork", "findings": []}')):
        Path(name).mkdir()
        Path(name, "scan.json").write_text(text)
    assert main([*words]) == 2
    assert capsys.readouterr().err.startswith(line)


def test_the_functions_of_one_file_are_scanned_with_the_rest_linked(tmp_path: Path) -> None:
    texts = {"a": "int b(int n);\nint a(int n) { return b(n) + 1; }\n", "b": "int b(int n) { return n & 3; }\n"}
    written(tmp_path, **texts, m="int a(int n);\nint main(void) { return a(2); }\n")
    _, data = scanned(tmp_path, tmp_path / "out", "--in", str(tmp_path / "a.c"))
    assert [(each["name"], each["explored"]) for each in data["functions"]] == [("a", "all")]
    _, data = scanned(tmp_path, tmp_path / "of_main", "--in", str(tmp_path / "m.c"))
    assert names(data) == ["main"]


def test_a_file_that_is_not_among_the_others_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, a="int a(int n) { return n; }\n")
    assert main(["scan", str(tmp_path / "a.c"), "--in", "b.c", "--out", str(tmp_path / "out")]) == 2
    assert "--in b.c: is none of the files to scan" in capsys.readouterr().err


def test_the_test_of_a_leak_replays_as_it_is_known(tmp_path: Path) -> None:
    """A scan keeps no options beside its tests: they say themselves what to look for."""
    leak = "#include <stdlib.h>\nint a(int n) { int *p = malloc(4); if (n == 7) return 1; free(p); return 0; }\n"
    written(tmp_path, a=leak)
    scanned(tmp_path / "a.c", tmp_path / "out")
    test = tmp_path / "out" / "functions" / "0000" / "tests" / "000001.json"
    assert main(["replay", str(test)]) == 0
    (tmp_path / "a.c").write_text(leak.replace("n == 7", "p == 0"))
    assert main(["replay", str(test)]) == 1


def test_headers_of_a_folder_are_found_where_they_are(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name, text in {
        "use/use.c": '#include "twice.h"\n#include <api/three.h>\nint use(void) { return twice(2) + three(); }\n',
        "src/twice.c": '#include "twice.h"\n' + SAFE,
        "src/twice.h": "int twice(unsigned char n);\n",
        "include/api/three.h": "static inline int three(void) { return 3; }\n",
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    status, data = scanned(project, tmp_path / "out")
    assert (status, data["left_out"]) == (0, [])
    assert {"twice", "use"} <= {*names(data)}


def test_a_header_of_a_name_that_several_have_is_left_to_the_user(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / "project" / folder).mkdir(parents=True)
        (tmp_path / "project" / folder / "size.h").write_text("#define SIZE 4\n")
    (tmp_path / "project" / "use.c").write_text('#include "size.h"\nint use(void) { return SIZE; }\n')
    written(tmp_path / "project", twice=SAFE)
    _, data = scanned(tmp_path / "project", tmp_path / "out")
    assert [line for line in data["left_out"] if "size.h" in line]
    assert names(data) == ["twice"]


def test_functions_of_tests_are_no_functions_of_the_library(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "tests").mkdir(parents=True)
    written(project, lib=SAFE)
    (project / "lib.h").write_text("int twice(unsigned char n);\n")
    (project / "tests" / "use.c").write_text('#include "lib.h"\nint main(void) { return twice(2) != 4; }\n')
    (project / "test_more.c").write_text('#include "lib.h"\nint more(void) { return twice(3) != 6; }\n')
    _, data = scanned(project, tmp_path / "out")
    assert names(data) == ["twice"]
    [line] = data["left_out"]
    assert line.startswith("2 files of tests and examples (")
    for words in (("--in", str(project / "tests" / "use.c")), ("--functions", "main")):
        _, data = scanned(project, tmp_path / words[0].strip("-"), *words)
        assert (names(data), data["left_out"]) == (["main"], [])
    _, data = scanned(project / "tests", tmp_path / "all", "-I", str(project))
    assert names(data) == ["main"]


def header_only(folder: Path) -> Path:
    """A library in a header, with a test and an example that use it."""
    (folder / "examples").mkdir(parents=True)
    helper = "static int half(int n) { return n / 2; }\n"
    (folder / "own.h").write_text(
        f"#ifdef OWN_CODE\n{helper}OWN int quarter(int n) {{ return half(half(n)); }}\n#endif\n"
    )
    (folder / "examples" / "show.h").write_text("static int shown(int n) { return n & 3; }\n")
    user = '#define OWN_CODE\n#define OWN static\n#include "own.h"\n#include "show.h"\n'
    (folder / "test.c").write_text(user.replace('"show', '"examples/show') + "int main(void) { return quarter(3); }\n")
    main_of_example = "int main(void) { return shown(quarter(8)); }\n"
    (folder / "examples" / "use.c").write_text(user.replace('"own', '"../own') + main_of_example)
    return folder


def test_a_library_that_is_all_header_is_scanned_in_a_program_that_uses_it(tmp_path: Path) -> None:
    project = header_only(tmp_path / "project")
    _, data = scanned(project, tmp_path / "out")
    assert names(data) == ["quarter", "half"]
    assert data["left_out"][0].startswith("2 files of tests and examples (")
    _, data = scanned(project, tmp_path / "in", "--in", str(project / "own.h"))
    assert names(data) == ["quarter", "half"]
    _, data = scanned(project, tmp_path / "test", "--in", str(project / "test.c"))
    assert names(data) == ["main"]


def test_headers_of_a_library_are_no_part_of_the_project(tmp_path: Path) -> None:
    """C's own headers have functions, too: isspace() calls one."""
    written(tmp_path, a="#include <ctype.h>\nint f(char c) { return isspace(c) != 0; }\n")
    _, data = scanned(tmp_path, tmp_path / "out")
    assert names(data) == ["f"]


def test_a_file_test_is_a_program_among_others(tmp_path: Path) -> None:
    project = tmp_path / "tools"
    project.mkdir()
    (project / "test.c").write_text("int main(int n, char **words) { return n > 1; }\n")
    written(project, lib=SAFE)
    _, data = scanned(project, tmp_path / "alone")
    assert names(data) == ["twice"]
    for name in ("true", "false"):
        (project / f"{name}.c").write_text("int main(void) { return 0; }\n")
    _, data = scanned(project, tmp_path / "out")
    assert names(data) == ["twice", "main", "main", "main"]


def test_what_main_still_holds_at_the_end_is_no_leak_of_a_scan(tmp_path: Path) -> None:
    text = "int main(int n, char **words) {\n  char *p = malloc(4);\n  if (n > 1 && words[1][0]) return 1;\n"
    written(tmp_path, program=f"#include <stdlib.h>\n{text}  free(p);\n  return 0;\n}}\n")
    status, data = scanned(tmp_path / "program.c", tmp_path / "out")
    assert (status, names(data), data["findings"]) == (0, ["main"], [])
