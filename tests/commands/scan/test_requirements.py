"""What `requires` says: what a caller can keep, with guards where inputs come through that break the bare demand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.commands.scan.functions import explored_in, found_in
from tests.support.power import LONG
from tests.support.runs import explore
from unfork.commands.scan.requirements import CallerNumber, excluding, in_order
from unfork.logic.terms import build
from unfork.logic.terms.term_table import symbol

SECONDS = 15.0
"""The time of a function here: more only reads longer lists and loops."""
pytestmark = pytest.mark.usefixtures("clock_of_few_steps")
PROGRAMS = Path(__file__).parent / "programs"
ROWS: tuple[tuple[str, str, set[str]], ...] = (
    ("beside_null", "indent_of", {"o == 0 || o->indent != 0", "o == 0 || o->width != -2147483648L || o->indent != -1"}),
    ("beside_null", "mark_length", {"o == 0 || o->indent == 0 || o->mark != 0"}),
    ("beside_null", "last_of", {"b == 0 || b->size == 0 || b->data != 0"}),
    (
        "beside_null",
        "pick",
        {
            "(which & 1) == 0 || table != 0",
            "(which & 1) != 0 || o != 0",
            "(which & 1) != 0 || o->width != 0",
            "(which & 1) != 0 || o->width != -1 || o->indent != -2147483648L",
        },
    ),
    ("in_list", "ratio", {"b == 0 || b->first == 0 || b->first->weight != 0"}),
    ("in_list", "second", {"b == 0 || b->count < 2 || (b->first != 0 && b->first->next != 0)"}),
    ("in_mode", "feed", {"r == 0 || r->mode == 0 || r->columns != 0"}),
    ("in_mode", "peek", {"r != 0", "r->used == 0 || r->room != 0"}),
    ("in_mode", "flip", set()),
    ("of_size", "fill", {"b != 0", "b->size == 0 || b->data != 0"}),
    (
        "of_size",
        "equal",
        {
            "a != 0 && b != 0",
            "a->size == 0 || a->size != b->size || (b->data != 0 && a->data != 0)",
        },
    ),
    ("far_from_null", "copy", set()),
    ("far_from_null", "put", {"s != 0", "s->len >= s->size || s->buf != 0"}),
    ("apart", "set_hint", {"w != 0", "w->room == 0 || w->hint != hint", "w->hint == 0 || w->room == 0 || hint != 0"}),
)
"""The program requires_NAME.c, a function of it, and what that requires in C."""


@pytest.mark.parametrize(("program", "function", "conditions"), ROWS)
def test_a_demand_is_guarded_where_inputs_come_through_that_break_it(
    program: str, function: str, conditions: set[str], tmp_path: Path
) -> None:
    text = (PROGRAMS / f"requires_{program}.c").read_text()
    found = found_in(text, function, tmp_path / "out", max_time=SECONDS)
    assert {each.requires for each in found if each.requires} == conditions
    if not conditions or program == "apart":  # texts at unknown places take minutes
        return
    head = "".join([f" UNFORK_REQUIRES({each});" for each in in_order(conditions)])
    file = tmp_path / "pasted.c"
    pasted = re.sub(rf"^(\w[\w *]*\b{function}\(.*?\) \{{)", lambda match: match[1] + head, text, flags=re.M)
    assert head in pasted
    file.write_text("#include <unfork.h>\n" + pasted)
    words = ("--function", function, "--all-errors", "--sizes", "pair", "--strategy", "plain", "--max-size", "8")
    told = explore(file, tmp_path / "run", *words, "--check", "memory", "--check", "div")
    assert not [each for each in told.errors if each.kind in ("null-dereference", "div-by-zero")]


def test_the_plain_sentence_remains_where_no_guard_can_be_said(tmp_path: Path) -> None:
    [found] = found_in((PROGRAMS / "requires_in_mode.c").read_text(), "flip", tmp_path / "out", max_time=SECONDS)
    assert (found.kind, found.precondition) == ("div-by-zero", "a is in range")


@LONG
def test_one_sentence_is_said_of_the_elements_of_a_list(tmp_path: Path) -> None:
    found = found_in((PROGRAMS / "requires_in_list.c").read_text(), "extras", tmp_path / "out", max_time=SECONDS)
    assert {(each.precondition, each.requires) for each in found} == {("i->extra is not null", "")}


def test_no_finding_lies_in_the_library_behind_a_null_pointer(tmp_path: Path) -> None:
    text = (PROGRAMS / "requires_far_from_null.c").read_text()
    found = found_in(text, "put", tmp_path / "out", max_time=SECONDS)
    assert found and {Path(each.file).name for each in found} == {"program.c"}


def test_numbers_that_say_how_sums_wrap_are_not_said_in_c() -> None:
    number = symbol("n", 64)
    numbers = {number: CallerNumber("n", "unsigned")}
    half = 1 << 63
    assert excluding([build.ult(build.sub(number, half - 12, 64), half, 64)], numbers, is_narrow=False) == ""
    assert excluding([build.ult(number, 1 << 62, 64)], numbers, is_narrow=False) == "n >= 4611686018427387904UL"


def test_findings_are_told_before_all_faults_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    text = (PROGRAMS / "requires_beside_null.c").read_text()
    explored_in(
        text, "pick", tmp_path / "out", max_time=SECONDS, tell=lambda explored: told.append(len(explored.found))
    )
    assert told[:4] == [0, 1, 2, 3]
