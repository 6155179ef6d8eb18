"""Reads contracts in ACSL: comments ``/*@ ... */`` and ``//@`` before functions, loops and statements.

Supported: predicate, logic, lemma, axiomatic (program/c/logic_reader.py); ghost (program/c/ghost.py); requires,
ensures, assigns, decreases, assumes, behavior, complete and disjoint behaviors; loop invariant, loop assigns, loop
variant; assert and check. Anything else is refused with its line and word. Arithmetic is that of mathematical
integers. Macros of the text are expanded in comments, as ACSL's tools do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from unfork.errors import InputError
from unfork.program.c.c_source import CSource, Edit
from unfork.program.c.clause_reader import ClauseReader
from unfork.program.c.contracts import Clause, Contract, ContractClauses, Lemma, LogicDefinition, NamedBehaviors, Unread
from unfork.program.c.declarations import function_after
from unfork.program.c.expression_tokens import Lexeme, lexemes_of_comments
from unfork.program.c.ghost import Ghosts
from unfork.program.c.location_calls import ASSERTED
from unfork.program.c.logic_reader import OF_LOGIC, LogicNames, LogicReader
from unfork.program.c.notations import ACSL
from unfork.program.c.syntax import LOOPS, Node, ancestors, is_in_list

_AFTER = frozenset(("old", "result"))
_IN_LOOP = frozenset(("old", "loop"))
_IN_FUNCTIONS = frozenset(("loop", "assert", "check"))
_OF_FUNCTIONS = frozenset(
    ("requires", "ensures", "assigns", "assumes", "decreases", "behavior", "complete", "disjoint")
)
_WORD = re.compile(r"\\?\w+")
_BRACED = frozenset(("compound_statement", "field_declaration_list", "enumerator_list"))


@dataclass(frozen=True, slots=True)
class _Note:
    """Comments without code in between: the parts of the text with their contents."""

    regions: tuple[tuple[int, int], ...]
    is_in_braces: bool


def acsl_contracts(source: CSource) -> tuple[list[Contract], list[Edit]]:
    """The contracts in the comments of a text, and calls for its assertions.

    Raises InputError, with file and line, for an unknown construct outside of functions.
    """
    contracts: list[Contract] = []
    edits: list[Edit] = []
    known = LogicNames()
    ghosts = Ghosts(source)
    for region in note_regions(source):
        if is_ghost(source, region):
            is_in_braces = _is_in_braces(source, region[0])
            try:
                edits += ghosts.edits(region, is_in_braces)
            except InputError as problem:
                if not is_in_braces:  # any function may use such a variable
                    raise
                contracts.append(_unread(source, _Note((region,), is_in_braces), problem))
    for note in _notes(source):
        known.latest, known.is_being_read = [], False
        try:
            stated, calls = _read(source, note, known)
        except InputError as problem:
            known.refuse(str(problem))
            is_logic_alone = known.is_being_read and not _has_clauses(source, note)
            contracts.append(Unread("", str(problem)) if is_logic_alone else _unread(source, note, problem))
            continue
        contracts += stated
        edits += calls
    return contracts, edits


def _unread(source: CSource, note: _Note, problem: InputError) -> Unread:
    """The function that a problem in an annotation makes unread. Raises the problem if there is none."""
    offset = note.regions[-1][1]
    about = None if note.is_in_braces else function_after(source.syntax, offset, source.types)
    name = about.name if about else source.function_at(offset)
    if not name:
        raise problem
    return Unread(name, str(problem))


def _has_clauses(source: CSource, note: _Note) -> bool:
    """Whether an annotation has clauses of a function's contract, by its words."""
    return not _OF_FUNCTIONS.isdisjoint(_WORD.findall(source.text[note.regions[0][0] : note.regions[-1][1]]))


def _read(source: CSource, note: _Note, known: LogicNames) -> tuple[list[Contract], list[Edit]]:
    """The contracts in an annotation, and calls for its assertions."""
    reader = ClauseReader(source, lexemes_of_comments(source, note.regions), note.regions[-1][1], ACSL)
    if reader.is_at_end:
        return [], []
    first = reader.next
    said = _NoteReader(reader, LogicReader(reader, known), is_in_function=note.is_in_braces)
    if note.is_in_braces:
        return _inside(source, note, first, said.parts)
    if said.is_logic_alone:
        return [*said.logic], []
    function = function_after(source.syntax, note.regions[-1][1], source.types)
    if function is None:
        raise source.problem(first.start, f"{first.text}: no function follows this contract")
    return [*said.logic, said.parts.of_function(source, function, True)], []


def note_regions(source: CSource) -> list[tuple[int, int]]:
    """The ranges of comments with @ that are contracts."""
    regions = []
    for comment in source.layout.notes:
        end = comment.end - 2 * (comment.text[1] == "*")
        said = source.text[comment.start + 3 : end].lstrip("@ \t\n")
        # Doxygen's groups (//@{) and merge annotations are not contracts.
        if not said.startswith(("{", "}", "merge_")) and not source.is_system(comment.start):
            regions.append((comment.start + 3, end))
    return regions


def is_ghost(source: CSource, region: tuple[int, int]) -> bool:
    """Whether a comment holds ghost code."""
    return _first_word(source, region) == "ghost"


def _first_word(source: CSource, region: tuple[int, int]) -> str:
    match = _WORD.search(source.text, *region)
    return match[0] if match else ""


def _notes(source: CSource) -> list[_Note]:
    """The annotations; comments before the same token are one, except those with logic definitions."""
    notes: list[_Note] = []
    is_after_logic = False
    for region in note_regions(source):
        if is_ghost(source, region):
            continue
        is_logic = _first_word(source, region) in OF_LOGIC
        is_alone, is_after_logic = is_logic or is_after_logic, is_logic
        if notes and not is_alone and not source.layout.code[notes[-1].regions[-1][1] + 2 : region[0] - 3].strip():
            notes[-1] = replace(notes[-1], regions=(*notes[-1].regions, region))
        else:
            notes.append(_Note((region,), _is_in_braces(source, region[0])))
    return notes


def _is_in_braces(source: CSource, offset: int) -> bool:
    """Whether an offset is inside of a function's body, or of a structure."""
    leaf = source.syntax.leaf_behind(offset)
    return leaf is not None and any(
        each.type in _BRACED and each.start_byte < offset < each.end_byte for each in ancestors(leaf)
    )


class _NoteReader:
    """Reads the clauses of one annotation into ``parts``, and the definitions before them into ``logic``."""

    def __init__(self, reader: ClauseReader, logic: LogicReader, is_in_function: bool) -> None:
        self.parts = ContractClauses()
        self.logic: list[LogicDefinition | Lemma] = []
        while not is_in_function and reader.next.text in OF_LOGIC:
            self.logic += logic.read(reader.take())
        self.is_logic_alone = bool(self.logic) and reader.is_at_end
        self._reader = reader
        self._current = self.parts
        while not reader.is_at_end:
            word = reader.take()
            read_clause = self._in_function if is_in_function else self._of_function
            if not read_clause(word):
                known = _OF_FUNCTIONS if is_in_function else _IN_FUNCTIONS
                where = "inside" if is_in_function else "outside of"
                raise reader.unsupported(word, f" {where} a function" if word.text in known else "")

    def _of_function(self, word: Lexeme) -> bool:
        """Reads a clause of a function's contract; False if it is none."""
        is_behavior = self._current is not self.parts
        match word.text:
            case "requires":
                self._current.requires.append(self._clause())
            case "ensures":
                self._current.ensures.append(self._clause(_AFTER))
            case "assigns":
                self._assigns(word)
            case "assumes" if is_behavior:
                self._current.assumes.append(self._clause())
            case "decreases" if not is_behavior:
                self._measure(word)
            case "behavior":
                self._current = ContractClauses(self._reader.name())
                if self._current.name in [behavior.name for behavior in self.parts.behaviors]:
                    raise self._reader.unsupported(word, f" twice with the name {self._current.name}")
                self._reader.expect(":")
                self.parts.behaviors.append(self._current)
            case "complete" | "disjoint":
                self._named_behaviors(word)
            case _:
                return False
        return True

    def _in_function(self, word: Lexeme) -> bool:
        """Reads a clause of a loop, or an assertion; False if it is neither."""
        if word.text in ("assert", "check"):
            if self._reader.next.text in _OF_FUNCTIONS | {"loop"}:
                raise self._reader.unsupported(word, f" in front of {self._reader.next.text}")
            self.parts.asserts.append(self._clause(_IN_LOOP))
            return True
        if word.text != "loop":
            return False
        kind = self._reader.take()
        match kind.text:
            case "invariant":
                self.parts.invariants.append(self._clause(_IN_LOOP))
            case "assigns":
                self._assigns(word)
            case "variant":
                self._measure(word)
            case _:
                raise self._reader.unsupported(kind, " of a loop")
        return True

    def _clause(self, allowed: frozenset[str] = frozenset()) -> Clause:
        clause = self._reader.clause(allowed)
        self._reader.expect(";")
        return clause

    def _measure(self, word: Lexeme) -> None:
        if self.parts.measure is not None:
            raise self._reader.unsupported(word, " twice")
        self.parts.measure = self._clause()

    def _assigns(self, word: Lexeme) -> None:
        first = self._reader.next
        locations = self._reader.locations("\\nothing")
        self._current.assign(self._reader.text_since(first), locations, *self._reader.source.position(word.start))
        self._reader.expect(";")

    def _named_behaviors(self, word: Lexeme) -> None:
        """``complete behaviors a, b;``; without names, it is about all."""
        reader = self._reader
        reader.expect("behaviors")
        names: list[str] = []
        while not reader.accept(";"):
            if names:
                reader.expect(",")
            names.append(reader.name())
        known = [behavior.name for behavior in self.parts.behaviors]
        for name in names:
            if name not in known:
                raise reader.source.problem(word.start, f"{word.text} behaviors: no behavior is called {name}")
        text = reader.text_since(word)
        clause = NamedBehaviors(text, tuple(names or known), *reader.source.position(word.start))
        (self.parts.complete if word.text == "complete" else self.parts.disjoint).append(clause)


def _inside(source: CSource, note: _Note, first: Lexeme, parts: ContractClauses) -> tuple[list[Contract], list[Edit]]:
    """The contracts of an annotation inside a function, about the loop and the statement after it, and calls for it."""
    offset = note.regions[-1][1]
    node = source.syntax.statement_after(offset)
    leaf = source.syntax.leaf_behind(offset)
    if node is None and leaf is not None and leaf.type == "}" and is_in_list(leaf):
        node = leaf
    if node is None:
        raise source.problem(first.start, f"{first.text}: no statement follows this annotation")
    contracts: list[Contract] = [*parts.assertions(source, node.start_byte, True)]
    edits = _calls_before(source, node) if contracts else []
    if not (parts.invariants or parts.assigns or parts.measure):
        return contracts, edits
    while node.type == "labeled_statement":
        node = node.named_children[-1]
    if node.type not in LOOPS:
        raise source.problem(first.start, f"{first.text}: no loop follows this annotation")
    return [*contracts, parts.of_loop(source, node.start_byte, True)], edits


def _calls_before(source: CSource, node: Node) -> list[Edit]:
    """The edits that insert a call before a statement, or before a block's last brace; lines and columns stay.

    A compiled statement may begin in any line, or be nothing at all; a call stays in its place, and
    program/facts/merge_points.py finds it again.
    """
    start, end = node.start_byte, node.end_byte
    if not source.syntax.is_read(source.syntax.function_around(node) or node):
        raise source.problem(start, "it cannot be told where the statements of this function begin and end")
    line, column = source.position(start)[1], source.column(start)
    call = f"extern void {ASSERTED}(int, int); {ASSERTED}({line}, {column});"
    back = source.marker(start)
    if is_in_list(node):
        return [Edit(start, start, f"{{ {call} }}{back}")]
    return [Edit(start, start, f"{{ {call}{back}"), Edit(end, end, " }")]
