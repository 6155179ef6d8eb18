"""Stack traces: the values of the frames that called, named objects, and the middle of deep stacks left out."""

from __future__ import annotations

from pathlib import Path

import pytest

import unfork
from tests.support.corpus import Expected, programs
from tests.support.power import some
from tests.support.stacks import Comparison, compare
from unfork.engine.protocols.outcome import StackEntry
from unfork.engine.step.variable_texts import OPTIMISED_OUT
from unfork.options.options import Options

FAILING = [program for program in programs() if program.errors]
CALLS = """
#include <stdlib.h>
struct pair { int x, y; };
static int use(struct pair *q, float f, char c) {
  if (c == 'x') return q[3].x + (int)f;
  return 0;
}
int main(void) {
  struct pair local = {1, 2};
  unsigned char k = 200;
  double d = 2.5;
  return use(&local, 1.5f, 'x') + k + (int)d;
}
"""


def stack_of(text: str, folder: Path) -> tuple[StackEntry, ...]:
    source = folder / "program.c"
    source.write_text(text)
    result = unfork.run([source], Options(out=str(folder / "out"), quiet=True))
    (error,) = result.errors
    return error.fault.stack


def test_values_of_every_frame(tmp_path: Path) -> None:
    use, main = stack_of(CALLS, tmp_path)
    assert use.function == "use" and dict(use.values)["f"] == "1.5"
    values = dict(main.values)
    assert values["k"] == "200" and values["d"] == "2.5"
    assert values["local"].startswith("{0x01, 0x00")


def test_deep_stack_is_shortened(tmp_path: Path) -> None:
    stack = stack_of("int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n", tmp_path)
    assert len(stack) < 60
    assert any("more frames" in entry.function for entry in stack)
    assert stack[-1].function == "main"


LITERAL = r"""
static int f(char *s, int i) { int c = s[i]; return c + s[i - 1]; }
int main(void) { return f("a\t\"\x1b\xff", 777); }
"""


def test_a_string_literal_is_named_by_what_it_holds(tmp_path: Path) -> None:
    entry, _ = stack_of(LITERAL, tmp_path)
    assert dict(entry.values)["s"] == r'''"a\t\"\x1b\xff"'''


def test_a_long_string_literal_is_cut_short(tmp_path: Path) -> None:
    entry, _ = stack_of(LITERAL.replace('"a', '"' + "a" * 100), tmp_path)
    assert dict(entry.values)["s"] == '"' + "a" * 24 + '..."'


def test_an_array_of_characters_is_shown_as_text(tmp_path: Path) -> None:
    text = "int main(void) { unsigned char word[6] = {'h', 'i', 7}; return *(word + 9); }\n"
    (main,) = stack_of(text, tmp_path)
    assert dict(main.values)["word"] == r'''"hi\x07\x00\x00"'''


LOOP = """
#include <stdio.h>
int main(void) {
  int row[4] = {9, 8, 7, 6}, gone, last = -1;
  for (int i = 0; i <= 4; i++) {
    int unread = 2 * i + 100;
    if (i < 4) gone = unread;
    printf("%d\\n", row[i]);
    last = row[i];
    int later = i;
    gone = later;
  }
  return 0;
}
"""


def test_a_counter_has_the_value_of_its_turn(tmp_path: Path) -> None:
    (main,) = stack_of(LOOP, tmp_path)
    values = dict(main.values)
    assert values["i"] == "4"
    assert "later" not in values


def test_what_is_not_read_any_more_is_kept_or_said_to_be_optimised_out(tmp_path: Path) -> None:
    values = dict(stack_of(LOOP, tmp_path)[0].values)
    assert values["unread"] == "108"
    assert values["last"] == values["gone"] == OPTIMISED_OUT


PIECES = """
#include <stdlib.h>
struct pair { char small; int large; };
static int read_at(int *row, struct pair where, int **other) { return row[where.large + where.small + **other]; }
int main(void) {
  struct pair where = {3, 4}, half;
  half.large = 6;
  int extra = 5, *other = &extra;
  return read_at(calloc(2, 4), where, &other) + half.large;
}
"""


def test_the_pieces_of_a_struct_are_put_together(tmp_path: Path) -> None:
    read_at, main = stack_of(PIECES, tmp_path)
    assert dict(read_at.values)["where"] == "{0x03, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00}"
    assert dict(main.values)["half"] == "{??, ??, ??, ??, 0x06, 0x00, 0x00, 0x00}"
    assert dict(main.values)["other"] == "&extra"


@pytest.mark.parametrize("program", some(FAILING, "stacks", 6), ids=lambda program: program.name)
def test_values_are_those_of_the_unoptimised_program(program: Expected, tmp_path: Path) -> None:
    comparison = Comparison()
    compare(program, tmp_path / "out", comparison)
    assert not comparison.wrong
    assert len(comparison.lost) <= comparison.counts["equal"]
