"""Algorithm 1 of Anand06 on memory: two states' objects are walked together and labelled; equal shapes match.

Nodes are objects, live or gone; edges are addresses in registers and in aligned words. Other values become pairs for
reduce/prune/implication.py. Objects with different names may match if only addresses name them.
"""

from __future__ import annotations

from collections.abc import Sequence

from unfork.engine.memory.lookout import named_objects
from unfork.engine.state.flat_layout import address_at
from unfork.engine.state.lazy import LAZY, LazyObject
from unfork.engine.state.memory import FIRST_HEAP, FIRST_STACK, UNINITIALISED, MemoryObject, object_of, offset_in
from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Pointer, Scalar, TypeCell
from unfork.reduce.prune.abstraction import Abstracted, summaries
from unfork.reduce.prune.array_cells import pointer_target
from unfork.reduce.prune.clouds import CLOUD, Clouds, is_untouched, may_be_initial, same_kind
from unfork.reduce.prune.compared_side import UNWRITTEN, WORD, ComparedSide, stretches, words_with_names
from unfork.reduce.prune.contract import Differ, Pair, Summaries
from unfork.reduce.prune.fold import class_of

MOST_PAIRS = 4096
"""Values of one state that are not concrete; a state with more neither covers nor is covered."""


class Matching:
    """The growing labelling of two states' objects. Every method raises Differ if the states do not match.

    ``renames``: objects may match others than those of their own name. ``tells_unwritten``: it matters which bytes
    are unwritten.
    """

    def __init__(self, covered: State, coverer: State, types: CTypes, *, renames: bool, tells_unwritten: bool) -> None:
        self.covered, self.coverer = ComparedSide(covered), ComparedSide(coverer)
        self.clouds = Clouds(covered, types)
        self.abstracted: tuple[Abstracted, Abstracted] | None = None
        """The covered and the covering state under an abstraction."""
        self.summaries: list[Summaries] = []
        self.in_clouds = 0
        """Objects of the covered state that match untouched parts of the covering one."""
        self.renames = renames
        self.tells_unwritten = tells_unwritten
        self.objects: dict[int, int] = {}
        self._back: dict[int, int] = {}
        self._waiting: list[tuple[int, int]] = []
        self.pairs: list[Pair] = []

    # --- values ---

    def number(self, one: Value, other: Value, width: int) -> None:
        """Two values of ``width`` bits that are not addresses: they must be equal."""
        if isinstance(one, int) and isinstance(other, int):
            if one != other:
                raise Differ("different values")
            if width == 64:
                self._pin(one)
            return
        if len(self.pairs) >= MOST_PAIRS:
            raise Differ("too many symbolic values")
        self._pin(one)
        self._pin(other)
        self.pairs.append((one, other, width))

    def word(self, one: Value, other: Value) -> None:
        """Two values of 64 bits that may be addresses."""
        if isinstance(one, int) and isinstance(other, int):
            self.address(one, other)
        elif not self._names(one) and not self._names(other):
            self.number(one, other, 64)
        else:
            self._symbolic(one, other)

    def pointer(self, one: Value, other: Value) -> None:
        """Two pointers in variables; into an array compared as a list, the node counts, not the offset."""
        if self.abstracted is not None:
            into, its = pointer_target(one), pointer_target(other)
            if into is not None and its is not None:
                mine, theirs = self.abstracted
                if into[0] in mine.arrays and its[0] in theirs.arrays:
                    self.label(into[0], its[0])
                    return
        self.word(one, other)

    def address(self, one: int, other: int) -> None:
        """Two concrete words: addresses of matching objects, or equal numbers."""
        is_name, is_its = self.covered.names(one), self.coverer.names(other)
        if is_name and is_its:
            if offset_in(one) != offset_in(other):
                raise Differ("different offsets")
            self.label(object_of(one), object_of(other))
        elif one != other or is_name or is_its:
            raise Differ("different values")

    def _symbolic(self, one: Value, other: Value) -> None:
        """Two words, at least one of them a term that mentions an address: a base and an offset, or a choice."""
        base, rest = build.parted(one)
        its_base, its_rest = build.parted(other)
        are_names = self.covered.names(base) and self.coverer.names(its_base)
        if are_names and not (self._names(rest) or self._names(its_rest)):
            self.label(object_of(base), object_of(its_base))
            offset, its_offset = (offset_in(each) & (1 << 64) - 1 for each in (base, its_base))
            self.number(build.add(rest, offset, 64), build.add(its_rest, its_offset, 64), 64)
            return
        choices = build.choices(one) if isinstance(one, Term) else None
        its_choices = build.choices(other) if isinstance(other, Term) else None
        if choices is None or its_choices is None or len(choices) != len(its_choices):
            raise Differ("symbolic addresses")
        for (guard, leaf), (its_guard, its_leaf) in zip(choices, its_choices, strict=True):
            if not (isinstance(leaf, int) and isinstance(its_leaf, int)):
                raise Differ("symbolic addresses")
            self.number(guard, its_guard, 1)
            self.address(leaf, its_leaf)

    def _names(self, value: Value) -> bool:
        if isinstance(value, int):
            return self.covered.names(value) or self.coverer.names(value)
        return bool(named_objects(value))

    def _pin(self, value: Value) -> None:
        """Objects whose addresses are part of a number match only themselves."""
        if isinstance(value, int):
            pointer = address_at(value, self.covered.state.memory)
            if self.covered.names(pointer) or self.coverer.names(pointer):
                self.label(object_of(pointer), object_of(pointer))
            return
        for number in named_objects(value):
            self.label(number, number)

    # --- objects ---

    def label(self, one: int, other: int) -> None:
        """Two objects match; neither matches any other."""
        if self.abstracted is not None:
            mine, theirs = self.abstracted
            one, other = mine.fold.inner.get(one, one), theirs.fold.inner.get(other, other)
        known = self.objects.get(one)
        if known == other:
            return
        if known is not None or other in self._back:
            raise Differ("different shapes")
        if one != other and not (self.renames and self._may_rename(one, other)):
            raise Differ("different names")
        self.objects[one] = other
        self._back[other] = one
        self._waiting.append((one, other))

    def _may_rename(self, one: int, other: int) -> bool:
        if one < FIRST_STACK:
            return FIRST_HEAP <= other < FIRST_STACK and one >= FIRST_HEAP
        return other >= FIRST_STACK and self.covered.locals.get(one) == self.coverer.locals.get(other)

    def walk(self) -> None:
        """Compare all labelled objects, and those that they lead to."""
        while self._waiting:
            self._visit(*self._waiting.pop())
        self.in_clouds = self.clouds.finish(self.objects)
        if self.in_clouds and not self.renames:
            raise Differ("different names")

    def _visit(self, one: int, other: int) -> None:
        item, its = self.covered.objects.get(one), self.coverer.objects.get(other)
        if item is None or its is None:
            if item is not its:
                raise Differ("different objects")
            is_alike = (one in self.covered.freed) == (other in self.coverer.freed)
            if not is_alike or (one in self.covered.ended) != (other in self.coverer.ended):
                raise Differ("different objects")
            return
        if self.abstracted is not None and self._folded(self.abstracted, one, other):
            return
        if item.kind != its.kind or item.read_only != its.read_only:
            raise Differ("different objects")
        if item.kind == LAZY:
            mine, theirs = self.covered.state.lazy.find(one), self.coverer.state.lazy.find(other)
            if mine is None or theirs is None or not same_kind(mine, theirs):
                raise Differ("different objects")
            if self.abstracted is not None and self._arrays(self.abstracted, one, other):
                return
            self.number(mine.length, theirs.length, 64)
            self._ends(mine, theirs)
        elif self.abstracted is not None and self._arrays(self.abstracted, one, other):
            return
        if item.gone != 0 or its.gone != 0:
            self.number(item.gone, its.gone, 1)
        self.number(item.size, its.size, 64)
        self.contents(item, its, (one, other))

    def _ends(self, text: LazyObject, its: LazyObject) -> None:
        """Whether strings of open length may end at the same places, by their contents when they were given."""
        ends = self.covered.state.lazy.possible_ends(text)
        others = self.coverer.state.lazy.possible_ends(its)
        if ends.keys() != others.keys():
            raise Differ(CLOUD)
        for position, character in ends.items():
            self.number(build.eq(character, 0, 8), build.eq(others[position], 0, 8), 1)

    def _folded(self, sides: tuple[Abstracted, Abstracted], one: int, other: int) -> bool:
        """Whether a segment of nodes begins at one of two objects; then compares its summary node."""
        folds = sides[0].fold, sides[1].fold
        mine, theirs = folds[0].segments.get(one, (one,)), folds[1].segments.get(other, (other,))
        if len(mine) == len(theirs) == 1:
            return False
        items = [self.covered.objects[number] for number in mine]
        its = [self.coverer.objects[number] for number in theirs]
        kinds = {class_of(item) for item in (*items, *its)}
        kind = kinds.pop()
        links, its_links = folds[0].links.get(kind), folds[1].links.get(kind)
        if kinds or links is None or its_links is None:
            raise Differ("different objects")
        out, its_out = folds[0].exits.get(one), folds[1].exits.get(other)
        is_tree = out is not None and its_out is not None
        if not is_tree and (links != its_links or len(links.onward) != 1):
            raise Differ("different shapes")
        pointers = sorted({*links.all, *its_links.all})
        self.summaries.append(summaries(items, its, pointers))
        if (back := links.back if its_links.back is None else its_links.back) is not None:
            self._pointer(items[0], its[0], (one, other), back)
        if out is None or its_out is None:
            self._pointer(items[-1], its[-1], (mine[-1], theirs[-1]), links.onward[0])
            return True
        if len(out) != len(its_out):
            raise Differ("different shapes")
        if _is_open(items, pointers) and not _is_open(its, pointers):
            raise Differ(CLOUD)
        for (node, offset), (its_node, its_offset) in zip(out, its_out, strict=True):
            mine_out = self.covered.objects[node].read(offset, WORD)
            self.word(mine_out, self.coverer.objects[its_node].read(its_offset, WORD))
        return True

    def _arrays(self, sides: tuple[Abstracted, Abstracted], one: int, other: int) -> bool:
        """Whether two objects are arrays compared as lists; then compares them."""
        mine, theirs = sides[0].arrays.get(one), sides[1].arrays.get(other)
        if mine is None or theirs is None:
            if mine is not theirs:
                raise Differ("different objects")
            return False
        width = 8 * mine.size
        for node, its in mine.pairs(theirs):
            if len(node) == len(its) == 1:
                self.number(node[0], its[0], width)
            else:
                self.summaries.append(Summaries(tuple([(v,) for v in node]), tuple([(v,) for v in its]), (width,)))
        return True

    def _pointer(self, item: MemoryObject, its: MemoryObject, numbers: tuple[int, int], offset: int) -> None:
        """The next pointers of two nodes."""
        place = offset, offset + WORD
        if item.uninitialised_runs(offset, WORD) or its.uninitialised_runs(offset, WORD):
            self._stretch(item, its, numbers, place)
        else:
            self.word(item.read(offset, WORD), its.read(offset, WORD))

    def contents(self, item: MemoryObject, its: MemoryObject, numbers: tuple[int, int]) -> None:
        """Compare the bytes of two objects."""
        for start, end, is_concrete in stretches(item, its, min(len(item.data), len(its.data))):
            if is_concrete:
                self._concrete(item.data, its.data, start, end)
            else:
                self._stretch(item, its, numbers, (start, end))

    def _concrete(self, data: bytearray, other: bytearray, start: int, end: int) -> None:
        position = start
        for word in sorted({*words_with_names(data, start, end), *words_with_names(other, start, end)}):
            if data[position:word] != other[position:word]:
                raise Differ("different values")
            one, its = (int.from_bytes(each[word : word + WORD], "little") for each in (data, other))
            self.address(one, its)
            position = word + WORD
        if data[position:end] != other[position:end]:
            raise Differ("different values")

    def _stretch(self, item: MemoryObject, its: MemoryObject, numbers: tuple[int, int], place: tuple[int, int]) -> None:
        """A stretch that is one value or unwritten on each side: unwritten bytes may be anything."""
        start, end = place
        is_open = its.mask is not None and its.mask[start] == UNINITIALISED
        was_open = item.mask is not None and item.mask[start] == UNINITIALISED
        if self.tells_unwritten and is_open != was_open:
            raise Differ("unwritten bytes")
        if item.kind == LAZY and (is_open or was_open):
            self._untouched(item, its, numbers, place)
            return
        if not (is_open or was_open):
            one, other = item.read(start, end - start), its.read(start, end - start)
            if end - start == WORD:
                self.word(one, other)
            else:
                self.number(one, other, 8 * (end - start))
            return
        for offset in range(start, end):
            if is_open and not self.coverer.is_copied(its, offset):
                continue
            one = self.covered.unwritten(numbers[0], item, offset) if was_open else item.byte(offset)
            other = self.coverer.unwritten(numbers[1], its, offset) if is_open else its.byte(offset)
            self.number(one, other, 8)

    def _untouched(
        self, item: MemoryObject, its: MemoryObject, numbers: tuple[int, int], place: tuple[int, int]
    ) -> None:
        """A stretch of input objects that is untouched on one side, or on both."""
        lazy_object = self.covered.state.lazy.find(numbers[0])
        assert lazy_object is not None
        if lazy_object.cells is None:
            self.clouds.is_open = True
            return
        for index, cell in lazy_object.cells.within(*place):
            start = index * lazy_object.cells.size + cell.offset
            end = start + cell.size
            was_open, is_open = is_untouched(item, start, end), is_untouched(its, start, end)
            if was_open and is_open:
                self.clouds.is_open |= not isinstance(cell.type, Scalar)
            elif isinstance(cell.type, Scalar) and not lazy_object.is_text:
                self._number_of_input(item, its, numbers[0], (max(start, place[0]), min(end, place[1])), cell)
            elif is_open and isinstance(cell.type, Pointer) and not item.uninitialised_runs(start, cell.size):
                if start >= place[0]:
                    self.clouds.add(item.read(start, cell.size), cell.type)
            else:
                raise Differ(CLOUD)

    def _number_of_input(
        self, item: MemoryObject, its: MemoryObject, number: int, place: tuple[int, int], cell: TypeCell
    ) -> None:
        """Bytes of a number untouched on one side: untouched by the coverer, it may be anything."""
        start, end = place
        for offset in range(start, end):
            was_open, is_open = (is_untouched(each, offset, offset + 1) for each in (item, its))
            if is_open and not was_open and not may_be_initial(cell, item.byte(offset)):
                raise Differ(CLOUD)
            if not is_open:
                one = symbol(f"{UNWRITTEN} {number}[{offset}]", 8) if was_open else item.byte(offset)
                self.number(one, its.byte(offset), 8)


def _is_open(nodes: Sequence[MemoryObject], pointers: Sequence[int]) -> bool:
    """Whether some pointer of the nodes is untouched."""
    return any(item.uninitialised_runs(offset, WORD) for item in nodes for offset in pointers)
