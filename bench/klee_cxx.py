"""Runs KLEE's own tests in C++ under unfork, and says whether each comes to what KLEE's test expects.

``python bench/klee_cxx.py --sources DIR [--only PART]``

DIR is the tree of KLEE, klee/klee on GitHub at commit 52201696caccd780175d8ee6541bb9fef52a70a8 (after release 3.2).
Each file is compiled with the standard, sanitizer and definitions of its RUN lines. What these and its CHECK lines
expect is told in EXPECTED, by the terms of unfork: errors, paths without one, and what is printed on standard output
(standard error is not kept with tests). The exit status is 1 if any test comes to something else.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple


class Expected(NamedTuple):
    """What a run comes to: its errors (kind, line and message), and how many paths have none, if that is told."""

    paths: int | None = 1
    errors: tuple[tuple[str, int, str], ...] = ()
    prints: tuple[str, ...] = ()
    """Texts: in this order on a single path, each on any of several."""
    never: str = ""
    """What no path prints."""
    unsupported: str = ""
    """What is refused by name; then nothing else is looked at."""
    options: tuple[str, ...] = ()
    """Options that stand for something that KLEE takes from the machine that it runs on."""


CONSTRUCTED = ("A() 1", "A(const A&) 2", "Caught.", "~A() 2", "~A() 1", "c == 2, d == 2")
CAUGHT_TWICE = ("DerivedClass caught", "TestClass caught")
IN_CXX = {
    "ArrayNew": Expected(),
    "New": Expected(),
    "SimpleVirtual": Expected(),
    "StaticConstructor": Expected(),
    "StaticDestructor": Expected(0, (("div-by-zero", 17, ""),)),
    "Trivial": Expected(),
}
IN_BASIC = {
    "diamond": Expected(prints=("A constructor", "B constructor", "C constructor", "B::a = 7")),
    "inheritance": Expected(prints=("Testclass constructor", "Derivedclass constructor", "1 / 2")),
    "lambda": Expected(prints=("y(0) == 1", "z(0) == 0")),
    "namespace": Expected(prints=("test::a() == 2",)),
    "reinterpret_cast": Expected(prints=("address(x) == 0x", "first x == 0x00000000", "second x == 0xAB007800")),
    "simple": Expected(5),
    "templates": Expected(),
    "virtual": Expected(),
}
IN_LIBCXX = {
    "atexit": Expected(prints=("Returning from main", "atexit_1", "atexit_2")),
    "can_catch_test": Expected(prints=CAUGHT_TWICE),
    "catch_recover": Expected(prints=("In first catch", "In second catch")),
    "catch_with_adjusted_exception_pointer": Expected(prints=("Derived", "Derived", "42")),
    "cout": Expected(prints=("cout",)),
    "cout_sym": Expected(None, prints=("greater", "lower")),
    "dynamic_cast": Expected(),
    "exception": Expected(3, prints=("Normal return", "First exceptional return", "Second exceptional return")),
    "exception_inheritance": Expected(prints=CAUGHT_TWICE),
    "general_catch": Expected(
        4,
        prints=(
            "Caught int",
            "Caught normal CustomStruct",
            "Caught pointer CustomStruct",
            "Caught general exception",
        ),
    ),
    "landingpad": Expected(prints=("Throwing 1...", *CONSTRUCTED)),
    "multi_throw": Expected(4, prints=("Caught float in ThrowingDestructor()", "Caught int in y()")),
    "multi_unwind": Expected(3, prints=("Caught int", "Caught normal CustomStruct", "Caught pointer CustomStruct")),
    "nested": Expected(prints=("Reached outer catch with i = 7",)),
    "nested_fail": Expected(0, (("uncaught-exception", 14, "char*"),), never="Landed in wrong"),
    "rethrow": Expected(prints=CAUGHT_TWICE),
    "simple_exception": Expected(prints=("foo",)),
    "simple_exception_fail": Expected(0, (("uncaught-exception", 10, "std::runtime_error: foo"),)),
    "symbolic_exception": Expected(3, prints=("ex > 7", "ex < 2", "2 <= ex <= 7")),
    # What it prints first stays in a buffer that std::terminate does not write out, natively too.
    "throw_specifiers": Expected(0, (("terminate", 18, ""),), never="caught unexpected string"),
    "throwing_exception_destructor": Expected(),
    "uncaught_exception": Expected(0, (("uncaught-exception", 8, "int"),)),
    "vector": Expected(),
}
ELSEWHERE = {
    "Dogfood/ImmutableSet": Expected(None, options=("-I", "include", "--max-forks", "25")),
    "Feature/CallToUndefinedExternal": Expected(unsupported="call of the undefined function poof"),
    "Feature/LargeReturnTypes": Expected(options=("--file", "/bin/sh=/bin/sh")),
    "UBSan/ubsan_enum": Expected(1, (("unreachable", 21, ""),)),
    "UBSan/ubsan_function": Expected(0, (("invalid-call", 17, ""),)),
    "UBSan/ubsan_return": Expected(0, (("unreachable", 9, ""),)),
}
EXPECTED = {
    **{f"CXX/{name}": expected for name, expected in IN_CXX.items()},
    **{f"CXX/symex/basic_c++/{name}": expected for name, expected in IN_BASIC.items()},
    **{f"CXX/symex/libc++/{name}": expected for name, expected in IN_LIBCXX.items()},
    **ELSEWHERE,
}
PLAIN = ("--merge", "none", "--loops", "run", "--tests", "paths", "--native-check", "never", "--max-time", "100s")
"""Every path by itself, each with a test."""
_OF_COMPILER = re.compile(r" (-std=\S+|-fsanitize=\S+|-D\S+|-fno-exceptions)")


def difference(klee: Path, name: str, expected: Expected) -> str:
    """In what a test comes to something else than is expected; nothing if it does not."""
    file = klee / "test" / f"{name}.cpp"
    flags = _OF_COMPILER.findall("".join(re.findall(r"// RUN: %clangxx.*", file.read_text())))
    with tempfile.TemporaryDirectory() as scratch:
        words = [sys.executable, "-m", "unfork", "run", str(file), *PLAIN, *expected.options, "--quiet"]
        words += ["--out", f"{scratch}/run", f"--cflags={' '.join(flags)}"]
        done = subprocess.run(words, cwd=klee, check=False, capture_output=True, text=True)
        written = Path(scratch, "run", "summary.json")
        if not written.exists():
            return f"status {done.returncode}: {(done.stderr.splitlines() or ['nothing is said'])[0]}"
        summary = json.loads(written.read_text())
        tests = [json.loads(test.read_text()) for test in sorted(written.parent.glob("tests/*.json"))]
        printed = [base64.b64decode(test["stdout"]).decode() for test in tests]
    return "; ".join(_differences(summary, printed, expected))


def _differences(summary: dict[str, object], printed: list[str], expected: Expected) -> list[str]:
    unsupported = str(summary["unsupported"]) if summary["unsupported"] else ""
    if expected.unsupported:
        return [] if expected.unsupported in unsupported else [f"not refused: {expected.unsupported}"]
    found = [f"unsupported: {unsupported}"] if unsupported else []
    errors = [(each["kind"], each["line"], each["message"]) for each in summary["errors"]]  # type: ignore[attr-defined]
    is_same = len(errors) == len(expected.errors) and all(
        error[:2] == wanted[:2] and wanted[2] in error[2] for error, wanted in zip(errors, expected.errors, strict=True)
    )
    if not is_same:
        found.append(f"errors {errors}, expected {list(expected.errors)}")
    paths = summary["paths"]["completed"] - len(errors)  # type: ignore[index]
    if expected.paths not in (None, paths):
        found.append(f"{paths} paths without error, expected {expected.paths}")
    all_printed, at = "".join(printed), 0
    for text in expected.prints:
        place = all_printed.find(text, at)
        if place < 0:
            found.append(f"does not print {text!r} (there)")
        elif len(printed) == 1:
            at = place + len(text)
    if expected.never and expected.never in all_printed:
        found.append(f"prints {expected.never!r}")
    return found


def main() -> int:
    """A line for each test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True, help="KLEE's tree")
    parser.add_argument("--only", default="", help="tests with this in their name")
    given = parser.parse_args()
    klee = given.sources.resolve()
    unknown = {str(file.relative_to(klee / "test").with_suffix("")) for file in klee.glob("test/**/*.cpp")} - set(
        EXPECTED
    )
    same = 0
    chosen = {name: expected for name, expected in EXPECTED.items() if given.only in name}
    for name, expected in chosen.items():
        found = difference(klee, name, expected)
        same += not found
        print(f"{name}\t{found or 'the same'}", flush=True)
    print(f"{same} of {len(chosen)} tests come to the same", *sorted(f"not in the table: {name}" for name in unknown))
    return int(same < len(chosen) or bool(unknown))


if __name__ == "__main__":
    sys.exit(main())
