"""C types as debug information has them: names, layouts, and what pointers may lead to."""

from __future__ import annotations

from pathlib import Path

from unfork.program.llvm import compiler
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Array, Opaque, Pointer, RecordType, Routine, Scalar
from unfork.program.llvm.compiler import CompileOptions
from unfork.program.llvm.linking import NO_LIBRARIES

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
    assert isinstance(record, RecordType)
    assert [(one.name, one.offset, type(one.type)) for one in types.fields(record)] == [
        ("c", 0, Scalar),
        ("", 4, RecordType),
        ("bits", 8, RecordType),
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
    assert flexible.tail is not None


TAILS = """
struct plain { int count; struct { short key; char *text; } rows[]; };
struct padded { long first; char kind; short values[0]; };
struct nested { long first; struct plain plain; };
struct marked { int mark[0]; int count; };
int tails(struct plain *a, struct padded *b, struct nested *c, struct marked *d) { return 0; }
"""


def test_the_cells_of_a_flexible_array_follow_the_struct(tmp_path: Path) -> None:
    source = tmp_path / "tails.c"
    source.write_text(TAILS)
    types = compiler.build([source], CompileOptions(), (), NO_LIBRARIES).c_types
    prototype = types.prototype("tails")
    assert prototype is not None
    wholes = [types.target(each.type) for each in prototype.parameters if isinstance(each.type, Pointer)]
    plain, padded, nested, marked = (types.cells(each) for each in wholes)
    assert plain and padded and nested and marked
    assert (plain.base, plain.stride, padded.base, padded.stride) == (8, 16, 16, 2)
    named = {cell.path: cell.offset for _, cell in plain.within(0, 40) if cell.path}
    assert named == {
        ".count": 0,
        ".rows[0].key": 8,
        ".rows[0].text": 16,
        ".rows[1].key": 24,
        ".rows[1].text": 32,
    }
    assert [cell.path for _, cell in padded.within(8, 16)] == [".kind", None, *(f".values[{i}]" for i in range(3))]
    assert [cell.path for _, cell in nested.within(16, 18)] == [".plain.rows[0].key"]
    assert nested.type_around(wholes[2], 40) == (nested.tail.element if nested.tail else None, 8)
    assert marked.has_flexible_end and marked.tail is None


PARTS = """
struct pair { char *text; long count; };
union parts { struct pair pair; struct { int **where; int small; } other; double real; };
int third(union parts *p) { return p->other.small; }
"""


def test_a_union_is_read_as_the_first_member_that_has_such_cells(tmp_path: Path) -> None:
    source = tmp_path / "parts.c"
    source.write_text(PARTS)
    types = compiler.build([source], CompileOptions(), (), NO_LIBRARIES).c_types
    union = types.named("%union.parts.7", 16)
    assert union is not None

    def read_as(start: int, end: int, *, is_pointer: bool) -> list[tuple[str | None, str, int]]:
        found = types.members(union, start, end, is_pointer=is_pointer)
        return [(cell.path, cell.type.name, cell.offset) for cell in found]

    assert read_as(0, 8, is_pointer=True) == [(".pair.text", "void *", 0)]  # an int ** in another member
    assert read_as(0, 8, is_pointer=False) == [(".real", "double", 0)]
    assert read_as(8, 16, is_pointer=False) == [(".pair.count", "long", 8)]
    assert read_as(8, 12, is_pointer=False) == [(".other.small", "int", 8)]
    assert read_as(0, 16, is_pointer=False) == [(".pair.text", "char *", 0), (".pair.count", "long", 8)]
    assert read_as(8, 16, is_pointer=True) == read_as(2, 6, is_pointer=False) == []


def test_structs_of_one_name_are_told_apart_by_their_size(tmp_path: Path) -> None:
    texts = {
        "one": "struct node { int a; }; struct shown; struct node one; int size(struct shown *s) { return s != 0; }",
        "two": "struct node { long a; char *b; }; struct shown { struct node *n; }; struct node two;"
        " long long_size(struct shown *s) { return s->n->a; }",
    }
    sources = [tmp_path / f"{name}.c" for name in texts]
    for source, text in zip(sources, texts.values(), strict=True):
        source.write_text(text)
    types = compiler.build(sources, CompileOptions(), (), NO_LIBRARIES).c_types
    assert [found and found.size for found in map(types.named, ["%struct.node"] * 3, (4, 16, 8))] == [4, 16, None]
    assert "struct shown" in types.known_in("long_size")
    known = types.known_in("size")
    assert "struct node" in known
    assert "struct shown" not in known
