"""Heaps as text and as pictures: what is drawn of fields, pointers, and of what a path has not read."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from unfork.cli import main
from unfork.report.record.words_of_tests import heap_lines, picture
from unfork.world.inputs.file_of_test import heap_data, heap_of
from unfork.world.inputs.heap_data import (
    FunctionAddress,
    Heap,
    HeapAddress,
    HeapArgument,
    HeapCell,
    HeapObject,
    OutsideLocation,
)

SVG = "{http://www.w3.org/2000/svg}"
HEAP = Heap(
    "f",
    (
        HeapArgument("l", "struct node *", b"", True, HeapAddress(0, 0)),
        HeapArgument("n", "int", b"\x05\0\0\0"),
        HeapArgument("s", "char *", b"", True, HeapAddress(1, 0)),
    ),
    (
        HeapObject(
            "l",
            "struct node",
            1,
            b"\xff\xff\xff\xff" + bytes(28),
            (
                HeapCell("l->elem", 0, 4, "int"),
                HeapCell("l->next", 8, 8, "struct node *", True, HeapAddress(0, 0)),
                HeapCell("l->other", 16, 8, "struct node *", True, None, False),
                HeapCell("l->run", 24, 8, "void (*)(void)", True, FunctionAddress("g")),
            ),
        ),
        HeapObject("s", "char", 4, b"<a&\0", (), is_text=True),
    ),
)


def test_a_heap_as_text() -> None:
    assert heap_lines(HEAP) == [
        "f(l, n = 5, s)",
        "  l -> [1]",
        "  s -> [2]",
        "  [1] struct node  l",
        "        elem = -1",
        "        next -> [1]",
        "        other = ?",
        "        run = g()",
        "  [2] char[4]  s",
        '        "<a&\\x00"',
    ]


def test_a_heap_as_a_picture() -> None:
    """A box for the call and each object, an arrow for each pointer to one, a cloud for the untouched field."""
    root = ElementTree.fromstring(picture(HEAP))
    boxes = [one for one in root.iter(f"{SVG}rect") if one.get("class") == "box"]
    arrows = [one for one in root.iter(f"{SVG}path") if one.get("marker-end")]
    clouds = list(root.iter(f"{SVG}ellipse"))
    words = [one.text for one in root.iter(f"{SVG}text")]
    assert (len(boxes), len(arrows), len(clouds)) == (3, 4, 3)
    assert "elem = -1" in words and '"<a&\\x00"' in words


def test_a_heap_as_data_comes_back() -> None:
    assert heap_of(heap_data(HEAP)) == HEAP
    gone = HeapArgument("p", "int *", b"", True, OutsideLocation("what is gone"))
    other = Heap("f", (gone,), ())
    assert heap_of(heap_data(other)) == other


def test_show_draws_the_heap_before_and_after(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "f.c"
    source.write_text(
        "#include <stdlib.h>\n#include <unfork.h>\n"
        "struct node { int elem; struct node *next; int rest; };\n"
        "void f(struct node *l) {\n"
        "  if (!l || !l->next || l->next == l) return;\n"
        "  free(l->next); l->elem = 7; l->next = malloc(sizeof *l);\n"
        "  unfork_check(0);\n}\n"
    )
    out = tmp_path / "run"
    words = [
        "run",
        str(source),
        "--function",
        "f",
        "--max-objects",
        "2",
        "--out",
        str(out),
        "--quiet",
        "--libc",
        "none",
    ]
    assert main(words) == 1
    error = next((out / "errors").glob("*.txt"))
    assert main(["show", str(out), f"errors/{error.stem}"]) == 0
    shown = capsys.readouterr().out
    after, _, before = shown.partition("the heap that it is given")
    assert "elem = 7" in after and "next = a block from malloc of line 6" in after and "struct node (freed)" in after
    assert "elem = ?" in before and "next -> [2]" in before and "rest = ?" in before
    picture_file = tmp_path / "heap.svg"
    assert main(["show", str(out), f"tests/{error.stem}", "--svg", str(picture_file)]) == 0
    assert ElementTree.fromstring(picture_file.read_text()).tag == f"{SVG}svg"
    assert main(["show", str(out), f"errors/{error.stem}", "--svg", str(picture_file)]) == 0
    assert "malloc of line 6" in picture_file.read_text()
    assert main(["show", str(out), "--svg", str(picture_file)]) == 2
