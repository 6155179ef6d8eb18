"""Where code has no line of its own, errors name the nearest, and say so; where there is none, the function."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.runs import explore, written
from unfork.commands.run.run import Result

HELPER = """
define i32 @first(i32 %x) {
  %r = sdiv i32 10, %x
  ret i32 %r
}
define i32 @second(i32 %x) {
  %y = sub i32 %x, 5
  %r = sdiv i32 10, %y
  ret i32 %r
}
declare void @qsort(ptr, i64, i64, ptr)
define i32 @helper(i32 %x) {
  %a = call i32 @first(i32 %x)
  %b = call i32 @second(i32 %x)
  %items = alloca [5 x i32]
  store [5 x i32] [i32 5, i32 4, i32 3, i32 2, i32 1], ptr %items
  call void @qsort(ptr %items, i64 5, i64 4, ptr null)
  ret i32 0
}
"""
MAIN = """
declare i32 @klee_int(ptr)
declare i32 @helper(i32)
@name = constant [2 x i8] c"x\\00"
define i32 @main() {
  %x = call i32 @klee_int(ptr @name)
  %r = call i32 @helper(i32 %x)
  ret i32 %r
}
"""
MAIN_IN_C = """
int klee_int(const char *), helper(int);
int main(void) {
  return helper(klee_int("x"));
}
"""


def linked(folder: Path, name: str, text: str) -> Result:
    return explore([written(text, folder, name), written(HELPER, folder, "helper.ll")], folder / "run")


def named(result: Result) -> set[tuple[str, int | None, str | None, bool]]:
    assert not result.alarms
    return {(one["kind"], one["line"], one["function"], one["line_is_nearest"]) for one in result.summary["errors"]}


def test_without_debug_information_errors_name_the_call_that_led_there(tmp_path: Path) -> None:
    result = linked(tmp_path, "main.c", MAIN_IN_C)
    assert named(result) == {
        ("div-by-zero", 4, "first", True),
        ("div-by-zero", 4, "second", True),
        ("null-dereference", 4, "helper", True),
    }
    message = result.errors[0].message
    assert message.endswith("(near this line: the code that fails has no line of its own)")
    test = json.loads((tmp_path / "run" / result.errors[0].test).read_text())
    assert test["expect"]["line_is_nearest"] is True


def test_without_any_debug_information_errors_name_the_function(tmp_path: Path) -> None:
    result = linked(tmp_path, "main.ll", MAIN)
    assert named(result) == {
        ("div-by-zero", None, "first", False),
        ("div-by-zero", None, "second", False),
        ("null-dereference", None, "helper", False),
    }
