from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from unfork.plugins import c_tests
from unfork.program.llvm import compilation_cache

ROOT = Path(__file__).parents[2]
CACHE = compilation_cache.folder()
HALF = """
#include <assert.h>
static int half(int x) { return x / 2; }
static void test_static(void) { assert(0); }
int tested(int x) { return x; }
void test_smaller(int x) {
  if (x > 0)
    assert(half(x) < x);
}
void test_ten(int x, int y) {
  if (x == 1234 && y > 7)
    assert(half(y) != 10);
}
int main(void) { test_smaller(3); }
"""
LEAK = """#include <stdlib.h>
/* The header of a C test may say:
   unfork: ignore leak as comments do */
int test_leak(unsigned char n) {
  char *p = malloc(n + 1ul);
  return p != NULL;
}
"""
MAIN = """/* Reads a character.

   unfork: --sym-stdin 1 parts/twice.c -D GREETING=1
   unfork: -I parts
*/
#include <stdio.h>
#include "twice.h"
int main(void) { int read = getchar(); return GREETING + 100 / (twice(read) - 130); }
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plug-in is there once, whether unfork is installed or only on the path; a new home has no cache."""
    monkeypatch.setenv("UNFORK_CACHE", str(CACHE))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "unfork.plugins.pytest_c")
    yield


def test_the_entry_point_is_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert hasattr(import_module(project["entry-points"]["pytest11"]["unfork"]), "pytest_collect_file")


def test_each_function_is_a_test(pytester: pytest.Pytester) -> None:
    (pytester.path / "test_half.c").write_text(HALF)
    (pytester.path / "half.c").write_text(HALF)
    done = pytester.runpytest_inprocess("-v")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["test_half.c::test_smaller PASSED*", "test_half.c::test_ten FAILED*"])
    done.stdout.fnmatch_lines(
        [
            "*_ test_ten _*",
            "assert: half(y) != 10",
            "at *test_half.c:12",
            "  #0 test_ten at *test_half.c:12",
            "inputs:",
            "  x = 1234 *",
            "more: unfork show *",
        ]
    )
    done.stdout.no_fnmatch_line("*Traceback*")
    kept = pytester.path / ".pytest_cache" / "d" / "unfork" / "test_half.c-test_ten"
    assert (kept / "summary.json").exists()
    pytester.runpytest_inprocess("-k", "smaller").assert_outcomes(passed=1, deselected=1)


def test_a_program_is_one_test_with_the_options_of_its_header(pytester: pytest.Pytester) -> None:
    (pytester.path / "parts").mkdir()
    (pytester.path / "parts" / "twice.h").write_text("int twice(int);\n")
    (pytester.path / "parts" / "twice.c").write_text("int twice(int x) { return 2 * x; }\n")
    (pytester.path / "test_reads.c").write_text(MAIN)
    done = pytester.runpytest_inprocess("-v")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["test_reads.c::main FAILED*", "div-by-zero: division by zero", 'standard input: "A"'])


def test_options_and_verdicts_of_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.makeini(
        "[pytest]\nunfork_files = *_check.c\nunfork_options = --max-instructions 50 -I headers\n"
        "unfork_accept = unknown\n"
    )
    (pytester.path / "headers").mkdir()
    (pytester.path / "headers" / "turns.h").write_text("#define TURNS 1000000000\n")
    (pytester.path / "inner").mkdir()
    (pytester.path / "inner" / "long_check.c").write_text(
        '#include "turns.h"\nint main(void) { volatile int i; for (i = 0; i < TURNS; i++); }\n'
    )
    (pytester.path / "test_half.c").write_text(HALF)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    done = pytester.runpytest_inprocess("-o", "unfork_accept=safe bounded")
    done.stdout.fnmatch_lines(["unknown, which is none of bounded, safe", "stopped by max-instructions*"])


def test_what_cannot_be_run_fails_in_a_few_lines(pytester: pytest.Pytester) -> None:
    (pytester.path / "test_a.c").write_text("/* unfork: --out here */\nvoid test_it(void) {}\n")
    (pytester.path / "test_b.c").write_text("void test_it(void) { not c }\n")
    (pytester.path / "test_c.c").write_text("#if 0\nvoid test_it(void) {}\n#endif\nint main(void) {}\n")
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(failed=3)
    done.stdout.fnmatch_lines(
        [
            "unfork: --out: not in C tests, which have their own",
            "*test_b.c:1:* error: *",
            "unfork: the program defines no function 'test_it'*",
        ]
    )
    done.stdout.no_fnmatch_line("*Traceback*")


def test_a_run_without_c_tests_loads_nothing_of_the_engine(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\ndef test_it():\n    loaded = sorted(name for name in sys.modules if name.startswith('unfork'))\n"
        "    names = ['unfork', 'unfork.errors', 'unfork.later', 'unfork.plugins', 'unfork.plugins.pytest_c']\n"
        "    assert loaded == names\n"
    )
    command = [sys.executable, "-m", "pytest", "-q"]
    done = subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_functions_are_found_by_their_tokens(tmp_path: Path) -> None:
    source = tmp_path / "test_tokens.c"
    source.write_text(
        "// unfork: --strategy plain\n#define test_macro(x) { x }\nvoid test_declared(int);\n"
        'char *s = "void test_text(void) {}"; /* void test_comment(void) {} */\n'
        "struct s { int a; } test_struct(void) { return (struct s){ test_inner(1) }; }\n"
        "static int a; void\ntest_next(int (*f)(int),\n  int n)\n{ }\n/* unfork: --late */\n"
    )
    tests = c_tests.read(source)
    assert [(entry.name, entry.line) for entry in tests.entries] == [("test_struct", 5), ("test_next", 7)]
    assert tests.words == ("--strategy", "plain")


def test_a_function_with_a_name_for_its_parameters_and_attributes(tmp_path: Path) -> None:
    source = tmp_path / "test_attributes.c"
    source.write_text("__attribute__((noinline)) int test_one(int x) { return x; }\n")
    assert [entry.name for entry in c_tests.read(source).entries] == ["test_one"]


def test_words_without_an_end_are_one_clear_line(pytester: pytest.Pytester) -> None:
    (pytester.path / "test_open.c").write_text('// unfork: --cflags "-O\nint main(void) { return 0; }\n')
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    (line,) = [line for line in result.outlines if "No closing quotation" in line and line.startswith("unfork: ")]
    assert "test_open.c: the words after 'unfork:'" in line
    assert "Traceback" not in result.stdout.str()


@pytest.mark.native_check
def test_files_are_scanned_with_a_baseline(pytester: pytest.Pytester) -> None:
    (pytester.path / "sub").mkdir()
    (pytester.path / "sub" / "leak.c").write_text(LEAK)
    (pytester.path / "sub" / "other.c").write_text(LEAK)
    words = ["-o", "unfork_scan=leak.c", "-v"]
    done = pytester.runpytest_subprocess(*words)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "sub/leak.c::scan FAILED*",
            "sub/leak.c:5: leak: * in test_leak",
            "1 function: 1 explored completely, 0 in part, 0 not, *",
            "more: unfork report *",
        ]
    )
    kept = pytester.path / ".pytest_cache" / "d" / "unfork" / "sub-leak.c-scan" / "scan.json"
    kept.rename(pytester.path / "known.json")
    options = "unfork_scan_options=--baseline known.json --cores 1"
    pytester.runpytest_subprocess(*words, "-o", options).assert_outcomes(passed=1)


def test_a_scan_that_cannot_be_is_a_line(pytester: pytest.Pytester) -> None:
    (pytester.path / "a.c").write_text("int x;\n")
    done = pytester.runpytest_inprocess("-o", "unfork_scan=a.c")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["unfork: scan: no function to scan*"])
    done = pytester.runpytest_inprocess("-o", "unfork_scan=a.c", "-o", "unfork_scan_options=--bogus")
    done.stdout.fnmatch_lines(["unfork: No such option '--bogus'*"])


def test_a_comment_that_ignores_is_no_option(tmp_path: Path) -> None:
    (tmp_path / "test_leak.c").write_text(LEAK)
    assert c_tests.read(tmp_path / "test_leak.c").words == ()


def test_each_test_of_a_framework_is_one(tmp_path: Path) -> None:
    source = tmp_path / "stack_test.cpp"
    source.write_text(
        "// unfork: --strategy plain\n#include <gtest/gtest.h>\n/*\nTEST(Not, this) {}\n*/\n"
        'TYPED_TEST(Stack,\n  push) {}\nTEST_CASE("push, \\"pop\\"", "[x]") {}\nint test_other(int x) { return x; }\n'
    )
    tests = c_tests.read(source)
    assert [(entry.name, entry.line) for entry in tests.entries] == [("Stack.push", 7), ('push, \\"pop\\"', 8)]
    assert [entry.arguments for entry in tests.entries] == [
        ("--gtest_filter=Stack.push:Stack/*.push:*/Stack.push/*:*/Stack/*.push",),
        ('"push\\, \\"pop\\""',),
    ]
    assert tests.words == ("--strategy", "plain")
