"""Tests of C++ end natively, and as source that is built by itself, as they do on the engine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench.cpp_tests import replays
from tests.support.as_source import row_of
from tests.support.corpus import Expected, programs
from tests.support.power import IS_FULL
from tests.support.runs import explore
from unfork.report.record.kept_run import read_run
from unfork.report.replay.account import AS_EXPECTED, NativeEnding, end_of
from unfork.world.inputs.testcase import Error

CPP = """
namespace geo {
struct Point { float x, y; };
struct Pair { long a; double b; };
struct Big { long a[3]; };
enum class Colour : unsigned char { red, green };
struct TooMany { int count; };
class Shape {
  int sides;
  const double scale;
  int (*rule)(int);
public:
  Shape(int sides, double scale) : sides(sides), scale(scale), rule(nullptr) {}
  Big area(Point p, Pair q, Big b, Colour c, bool flag, const int &seen);
};
}
extern "C" int twice(int x);
static int total = 3;
static int doubled(int x) { return x * 2 + total; }
namespace geo {
Big Shape::area(Point p, Pair q, Big b, Colour c, bool flag, const int &seen) {
  Big result{};
  if (p.y == 2.5f && q.a == 7 && q.b == 0.25 && b.a[2] == 9 && c == Colour::green && flag && seen == 5)
    if (twice(sides) == 8 && total == 4) throw TooMany{sides};
  if (rule && seen == 77) result.a[0] = rule(sides) / (sides - 6);
  return result;
}
}
int main(int argc, char **argv) {
  geo::Shape shape(argv[argc - 1][0] == 'x', doubled(0));
  int seen = 1;
  geo::Big b = shape.area({}, {}, {}, geo::Colour::red, false, seen);
  return argv[argc - 1][0] == 'z' ? throw argc : b.a[0] + total;
}
"""
C = "int twice(int x) { return 2 * x; }\n"
FRAMES = """\
==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1
    #0 0x1 in std::vector<int, std::allocator<int> >::at(unsigned long) /usr/include/c++/12/bits/stl_vector.h:1143
    #1 0x2 in std::map<int, bool (*)(int)>::at(int const&) /usr/lib/llvm-14/bin/../include/c++/v1/map:7:3
    #2 0x3 in geo::Shape::sides(char const*) const /src/shape.cpp:12
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (
            ("--function", "Shape::area", "--globals", "symbolic", "--tests", "errors"),
            {"uncaught-exception", "div-by-zero"},
        ),
        (("--sym-arg", "1"), {"exit", "uncaught-exception"}),
        (("--function", "twice", "--tests", "paths"), {"exit"}),
    ],
)
def test_tests_of_cpp_and_c_fail_by_themselves(tmp_path: Path, words: tuple[str, ...], kinds: set[str]) -> None:
    sources = [tmp_path / "shape.cpp", tmp_path / "twice.c"]
    for source, text in zip(sources, (CPP, C), strict=True):
        source.write_text(text)
    explore(sources, tmp_path / "run", *words, "--formats", "c", "--native-check", "never")
    seen = set()
    for name, test in read_run(tmp_path / "run").tests():
        suffix = ".c" if "twice" in words else ".cpp"
        row = row_of(name, test, (tmp_path / "run" / name).with_suffix(suffix), tmp_path)
        assert row.judgement == AS_EXPECTED
        seen.add(row.ended.kind if isinstance(row.ended, Error) else "exit")
    assert seen == kinds


def test_an_error_in_the_library_is_at_the_line_of_the_program() -> None:
    assert end_of(NativeEnding(-6, FRAMES)) == Error("use-after-free", "/src/shape.cpp", 12)
    said = "/usr/include/c++/12/bits/stl_numeric.h:9:3: runtime error: signed integer overflow"
    assert end_of(NativeEnding(-6, said)) == Error("overflow", None, None)


@pytest.mark.skipif(not IS_FULL, reason="every program is built four times")
@pytest.mark.parametrize(
    "program", [each for each in programs() if each.path.parent.name == "cpp"], ids=lambda p: p.name
)
def test_a_program_ends_everywhere_alike(program: Expected, tmp_path: Path) -> None:
    for replayed in replays(program, tmp_path):
        assert replayed.rows["engine"].judgement == AS_EXPECTED
        assert not any(row.is_bad() for row in replayed.rows.values()), replayed.name
