"""How objects are made by a program's own functions: which count as makers, and which calls are made between."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.commands.assemble.building import build_for_run, given
from unfork.options.options import Options
from unfork.program.c.object_calls import ObjectDriver
from unfork.program.facts.object_makers import ObjectMakers

HEAD = """\
#include <stdlib.h>
struct box { int count; };
int last(const struct box *box) { return box->count; }
"""
NEW = "struct box *box_new(int count) { struct box *box = calloc(1, sizeof *box); return box; }\n"


def driver_of(text: str, folder: Path, entry: str = "last") -> ObjectDriver | None:
    """The driver of a function in a program whose functions are all public."""
    file = folder / "program.c"
    file.write_text(HEAD + text)
    program = build_for_run(Options(function=entry), given([str(file)]))
    return ObjectMakers(program, frozenset(program.own), 2).driver(entry, frozenset(program.own))


def makers(driver: ObjectDriver | None) -> list[str]:
    assert driver is not None
    return [call.function for group in driver.makers for call in group]


def operations(driver: ObjectDriver | None) -> list[str]:
    assert driver is not None
    return [call.function for call in driver.steps[0]] if driver.steps else []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (NEW, "box_new"),
        ("void box_init(struct box *box) { box->count = 0; }\n", "box_init"),
        ("int box_open(struct box **box) { *box = 0; return rand() ? -1 : 0; }\n", "box_open"),
        ("_Bool box_setup(struct box *box) { box->count = 0; return rand() > 3; }\n", "box_setup"),
    ],
)
def test_a_function_that_returns_places_or_fills_an_object_makes_it(text: str, name: str, tmp_path: Path) -> None:
    assert makers(driver_of(text, tmp_path)) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "struct box *box_self(struct box *box) { return box; }\n",
        "void box_fill(struct box *box) { box->count = 0; }\n",
        "void box_create_item(struct box *box) { box->count++; }\n",
        "int box_init(struct box *box) { box->count = 0; return rand() ? 1 : 0; }\n",
        "struct box *box_copied(struct box **from, struct box whole) { return *from; }\n",
    ],
)
def test_no_maker_where_success_or_the_object_is_unclear(text: str, tmp_path: Path) -> None:
    assert driver_of(text, tmp_path) is None


def test_operations_change_an_object_and_leave_it_alive(tmp_path: Path) -> None:
    text = NEW + (
        "void box_add(struct box *box, int more) { box->count += more; }\n"
        "static void gone(struct box *box) { free(box); }\n"
        "void box_leave(struct box *box) { gone(box); }\n"
        "void box_close(struct box *box) { box->count = 0; }\n"
        "int box_count(const struct box *box) { return box->count; }\n"
    )
    assert operations(driver_of(text, tmp_path)) == ["box_add"]


def test_a_driver_makes_the_calls_that_flags_choose(tmp_path: Path) -> None:
    driver = driver_of(NEW + "void box_add(struct box *box, int more) { box->count += more; }\n", tmp_path)
    assert driver is not None
    flags = {"make_box_new": 1, "call1_box_add": 1, "call2_box_add": 0}
    values = {"make_box_new_count": "7", "call1_box_add_more": "-1", "call2_box_add_more": "0"}
    assert [call.function for call in driver.calls(flags)] == ["box_new", "box_add", "last"]
    assert driver.lines(values, flags) == [
        "struct box *made_box = 0;",
        "made_box = box_new(7);",
        "box_add(made_box, -1);",
        "last(made_box);",
    ]


def test_an_object_may_need_another_maker(tmp_path: Path) -> None:
    text = NEW + (
        "struct view { struct box *box; };\n"
        "struct view *view_new(struct box *box) { struct view *view = malloc(sizeof *view); return view; }\n"
        "int seen(const struct view *view) { return view->box->count; }\n"
    )
    assert makers(driver_of(text, tmp_path, "seen")) == ["box_new", "view_new"]
