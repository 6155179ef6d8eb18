"""Tests of GoogleTest and Catch2: each path runs one, and what fails in it is an assertion at its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.power import IS_FULL
from unfork.commands.run.run import run
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.llvm import compiler, linking
from unfork.world.libc import framework_build
from unfork.world.libc.framework_build import FRAMEWORKS, Framework

GOOGLETEST, GOOGLEMOCK, CATCH2 = FRAMEWORKS
STACK = """\
#include <stdexcept>
#include <unfork.h>
#include <vector>
struct Stack {
  std::vector<int> values;
  void push(int value) { values.push_back(value); }
  int top() const { return values.at(values.size() - 1) == 42 ? 0 : values.back(); }
};
"""
OF_GOOGLETEST = """\
TEST(Stack, push) {
  int x = unfork::symbolic<int>("x");
  Stack stack;
  stack.push(x);
  EXPECT_EQ(stack.top(), x);
}
TEST(Stack, empty) { EXPECT_THROW(Stack().top(), std::out_of_range); }
class Below : public testing::TestWithParam<int> {};
TEST_P(Below, four) {
  int x = unfork::symbolic<int>("x");
  ASSERT_LT(GetParam() & x & 1, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Few, Below, testing::Values(1, 2));
TEST(Stack, throws) { Stack().top(); }
TEST(Stack, DISABLED_off) { FAIL(); }
"""
OF_GOOGLEMOCK = """\
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unfork.h>
struct Clock {
  virtual ~Clock() = default;
  virtual int now(int zone) = 0;
};
struct MockClock : Clock {
  MOCK_METHOD(int, now, (int zone), (override));
};
int later(Clock &clock, int zone) { return zone == 7 ? 0 : clock.now(zone) + 1; }
TEST(Clock, later) {
  MockClock clock;
  EXPECT_CALL(clock, now(testing::_)).WillOnce(testing::Return(41));
  EXPECT_THAT(later(clock, unfork::symbolic<int>("zone")), testing::Ge(0));
}
"""
OF_CATCH2 = """\
TEST_CASE("push, then \\"top\\"", "[stack]") {
  int x = unfork::symbolic<int>("x");
  Stack stack;
  stack.push(x);
  CHECK(stack.top() == x);
}
TEST_CASE("empty") {
  SECTION("throws") { REQUIRE_THROWS_AS(Stack().top(), std::out_of_range); }
  SECTION("fails") { FAIL("it is " << Stack().values.size()); }
}
TEST_CASE("throws") { Stack().top(); }
"""
MARKED = """\
#define NAME "/unfork-libc/installed/tiny/tiny.h"
#line 1 NAME
inline void has_header() {}
#line 4 "tests.cpp"
extern "C" void tiny_register(void (*test)());
extern "C" void tiny_check(bool holds);
static void test() { has_header(); tiny_check(false); }
static bool is_registered = (tiny_register(test), true);
"""


def explore(path: Path, native_check: str = "never") -> list[tuple[str, int | None, str, str]]:
    """Of each error of a run: its kind, its line, its message, and what a native run says."""
    options = Options(
        out=str(path.parent / "run"), quiet=True, no_progress=True, strategy=("plain",), native_check=native_check
    )
    errors = run([str(path)], options).errors
    return sorted((each.kind, each.line, each.message, each.native.word.value) for each in errors)


@pytest.mark.skipif(not GOOGLETEST.sources[0].is_file(), reason="GoogleTest is not installed")
@pytest.mark.native_check
def test_an_expectation_of_googletest_fails_at_its_line_with_its_message(tmp_path: Path) -> None:
    program = tmp_path / "stack_test.cpp"
    program.write_text(f"#include <gtest/gtest.h>\n{STACK}{OF_GOOGLETEST}")
    is_checked = IS_FULL and shutil.which("g++") is not None
    word = "confirmed" if is_checked else "unchecked"
    assert explore(program, "always" if is_checked else "never") == [
        ("assert", 14, "Expected equality of these values: stack.top() Which is: 0 x Which is: 42", word),
        ("assert", 20, "Expected: (GetParam() & x & 1) < (GetParam()), actual: 1 vs 1", word),
        ("uncaught-exception", 8, "std::out_of_range: vector", word),
    ]


@pytest.mark.skipif(
    not (IS_FULL and GOOGLEMOCK.headers.is_dir()), reason="GoogleMock is not installed, or few tests run"
)
def test_an_expectation_of_googlemock_fails_where_it_is_set(tmp_path: Path) -> None:
    program = tmp_path / "clock_test.cpp"
    program.write_text(OF_GOOGLEMOCK)
    ((kind, line, message, _),) = explore(program)
    assert (kind, line) == ("assert", 14)
    assert message.endswith("Expected: to be called once Actual: never called - unsatisfied and active")


@pytest.mark.skipif(
    not (IS_FULL and CATCH2.headers.joinpath("catch.hpp").is_file()), reason="Catch2 is not installed, or few tests run"
)
@pytest.mark.parametrize("first", ["", "#define CATCH_CONFIG_MAIN\n"])
def test_a_check_of_catch2_fails_at_its_line_with_its_message(tmp_path: Path, first: str) -> None:
    program = tmp_path / "stack_test.cpp"
    program.write_text(f"{first}#include <catch2/catch.hpp>\n#line 2\n{STACK}{OF_CATCH2}")
    assert explore(program) == [
        ("assert", 14, "CHECK( stack.top() == x ) with expansion: 0 == 42", "unchecked"),
        ("assert", 18, "FAIL, it is 0", "unchecked"),
        ("assert", 20, "TEST_CASE, vector", "unchecked"),
    ]


def test_what_a_framework_is_made_of_is_linked_to_its_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "tiny/src/tiny.cpp"
    source.parent.mkdir(parents=True)
    source.write_text('extern "C" { void (*tests)(); void tiny_register(void (*test)()) { tests = test; } }')
    (tmp_path / "tiny_main.cpp").write_text('extern "C" void (*tests)();\nint main() { tests(); }')
    (tmp_path / "tiny_listener.cpp").write_text(
        '#include <unfork.h>\nextern "C" { void unfork_tiny() {} void tiny_check(bool holds) { unfork_check(holds); } }'
    )
    tiny = Framework("Tiny", "tiny", ("tiny_register",), tmp_path / "tiny", (source,))
    monkeypatch.setattr(framework_build, "OURS", tmp_path)
    monkeypatch.setattr(framework_build, "FRAMEWORKS", (tiny,))
    monkeypatch.setattr(compiler, "link_inputs", linking.link_inputs)
    program = tmp_path / "tests.cpp"
    program.write_text(MARKED)
    assert [(kind, line) for kind, line, *_ in explore(program)] == [("assert", 6)]


def test_sources_that_are_missing_are_one_line(tmp_path: Path) -> None:
    missing = tmp_path / "src/gone.cc"
    framework = Framework("GoogleTest", "gtest", ("testing",), tmp_path, (missing,))
    with pytest.raises(InputError, match=f"^the program has tests of GoogleTest, whose source {missing} is not there$"):
        framework.files(has_main=False)
