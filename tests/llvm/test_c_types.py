"""C types as debug information has them: names, layouts, and what pointers may lead to."""

from __future__ import annotations

from pathlib import Path

from unfork.llvm import compiler
from unfork.llvm.c_type_reader import CTypes
from unfork.llvm.c_types import Array, Opaque, Pointer, Record, Routine, Scalar
from unfork.llvm.compiler import CompileOptions
from unfork.llvm.linking import NO_LIBRARIES

SOURCE = """
struct hidden;
struct node { int elem; const struct node *next; };
typedef struct { unsigned char c; union { int i; float f; }; struct { short a : 3, b : 5; } bits;
                 struct node table[2]; enum colour { RED } colour; int (*compare)(const void *, int); } big;
union either { long number; char *text; };
struct tail { int n; char data[]; };
static int first(big *b, struct hidden *h, unsigned long n, const char *s, union either *e, struct tail *t) {
  return n;
}
int main(int argc, char **argv) { return first(0, 0, argc, 0, 0, 0); }
"""


def read(folder: Path) -> CTypes:
    source = folder / "types.c"
    source.write_text(SOURCE)
    return compiler.build([source], CompileOptions(), (), NO_LIBRARIES).c_types


def test_a_function_s_parameters_and_what_they_point_to(tmp_path: Path) -> None:
    types = read(tmp_path)
    prototype = types.prototype("first")
    assert prototype is not None
    assert prototype.result == Scalar("int", 4, "signed")
    given = {one.name: one.type for one in prototype.parameters}
    assert [one.name for one in given.values()] == [
        "big *",
        "struct hidden *",
        "unsigned long",
        "char *",
        "union either *",
        "struct tail *",
    ]
    big = given["b"]
    assert isinstance(big, Pointer)
    record = types.target(big)
    assert isinstance(record, Record)
    assert [(one.name, one.offset, type(one.type)) for one in types.fields(record)] == [
        ("c", 0, Scalar),
        ("", 4, Record),
        ("bits", 8, Record),
        ("table", 16, Array),
        ("colour", 48, Scalar),
        ("compare", 56, Pointer),
    ]
    hidden = given["h"]
    assert isinstance(hidden, Pointer)
    assert types.target(hidden) == Opaque("struct hidden")


def test_the_cells_of_a_type_cover_it_without_gaps(tmp_path: Path) -> None:
    types = read(tmp_path)
    prototype = types.prototype("first")
    assert prototype is not None
    pointer = prototype.parameters[0].type
    assert isinstance(pointer, Pointer)
    cells = types.cells(types.target(pointer))
    assert cells is not None
    end = 0
    for cell in cells.cells:
        assert cell.offset == end
        end = cell.end
    assert end == cells.size == 64
    named = {cell.path: cell.offset for cell in cells.cells if cell.path is not None}
    assert named == {
        ".c": 0,
        ".i": 4,
        ".table[0].elem": 16,
        ".table[0].next": 24,
        ".table[1].elem": 32,
        ".table[1].next": 40,
        ".colour": 48,
        ".compare": 56,
    }
    nodes = [offset for offset, kind in cells.parts if kind.name == "struct node"]
    assert nodes == [16, 32]
    compare = next(cell.type for cell in cells.cells if cell.path == ".compare")
    assert isinstance(compare, Pointer)
    assert types.target(compare) == Routine("int(void *, int)")


def test_unions_with_pointers_and_flexible_ends_are_marked(tmp_path: Path) -> None:
    types = read(tmp_path)
    prototype = types.prototype("first")
    assert prototype is not None
    either, tail = (one.type for one in prototype.parameters[4:])
    assert isinstance(either, Pointer) and isinstance(tail, Pointer)
    whole = types.target(either)
    cells = types.cells(whole)
    assert cells is not None
    assert [cell.type for cell in cells.cells] == [whole]
    flexible = types.cells(types.target(tail))
    assert flexible is not None
    assert flexible.has_flexible_end
