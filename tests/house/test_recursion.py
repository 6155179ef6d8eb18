"""No function calls itself once per level of a term, a path, a graph or a heap: Python's stack is short."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.calls import Calls, circles

SOURCES = Path(__file__).parents[2] / "src"

TYPES = "as deep as types nest in the program's source"
SYNTAX = "as deep as expressions or statements nest in the source that is read"
BLOCKS = "DEEPEST_REGION"
RECORDS = "as deep as the records of the library and of the kernel model nest, which are data classes of ours"
NARROWER = (
    "each turn is about fewer bits, or about an operand that has lost its outermost operator and cannot match again"
)
ALLOWED: dict[str, str] = {
    "api.working.helpers api.working.process api.working.work": "helpers of a strategy have no helpers of their own",
    "audit.again._with_part": TYPES,
    "audit.pairs._either audit.pairs._part audit.pairs._row": RECORDS,
    "audit.pairs.registers": TYPES,
    "clang.clause_reader.ClauseReader._sets": "_nesting",
    "clang.expressions.substituted": SYNTAX,
    "execute.access._any": TYPES,
    "execute.access.load_typed": TYPES,
    "execute.access.store_typed": TYPES,
    "execute.arithmetic._replace": TYPES,
    "execute.arithmetic.choose": TYPES,
    "execute.calls.Callees._look_up execute.calls.Callees.named": "an alias of an alias of a function",
    "execute.code.FunctionCode._at_once execute.code.FunctionCode._scans execute.code.FunctionCode.block"
    " execute.code.FunctionCode.plain": "the bodies of loops are made when a loop is first taken",
    "execute.compile._Writer._block execute.compile._Writer._edge execute.compile._Writer._terminator": BLOCKS,
    "execute.leaks._names_in": TYPES,
    "execute.machine.Machine._called execute.machine.Machine._make_code execute.machine.Machine.code": (
        "code is made without that of the functions it calls: they are looked up when it first calls them"
    ),
    "execute.operands.define": TYPES,
    "execute.statics.Statics._expression execute.statics.Statics.address execute.statics.Statics.constant": SYNTAX,
    "execute.statics.filled": TYPES,
    "logic.bits._adjacent logic.bits._join_choices logic.bits._differing logic.bits._extract"
    " logic.bits._extract_inwards logic.bits._flip logic.bits._join logic.bits._mask logic.bits._narrow"
    " logic.bits._narrow_arithmetic logic.bits._surround logic.bits.and_ logic.bits.concat logic.bits.join_disjoint"
    " logic.bits.extract logic.bits.or_ logic.bits.xor": NARROWER,
    "logic.bits.not_": "not of a sign extension is done inside, where there is no other",
    "logic.choice._spread_leaves logic.choice.spread2": "ALTERNATIVES",
    "logic.equality._choice_equal logic.equality._choices_equal logic.equality._equal"
    " logic.equality._equal_extensions"
    " logic.equality._parts_equal logic.equality._with_constant logic.equality._with_term"
    " logic.equality.eq": NARROWER + "; branches are compared with _NO_CHOICES",
    "logic.comparisons._literal logic.comparisons._member_by_leaves logic.comparisons._compare_shifted"
    " logic.comparisons._sign logic.comparisons._ult_of_sides logic.comparisons.member"
    " logic.comparisons.ult": NARROWER + "; leaves are no choices, and sides of choices are not compared side by side",
    "logic.comparisons._slt_of_sides logic.comparisons.slt": NARROWER,
    "logic.division._divide logic.division._narrow logic.division.sdiv"
    " logic.division.srem logic.division.udiv logic.division.urem": NARROWER,
    "logic.domains.Domains._of logic.domains.Domains._of_choice": "_NESTED",
    "logic.float_terms.fp_compare": "the opposite of a predicate has none",
    "logic.float_terms.fp_from_int": "an extension of an extension is one extension",
    "meaning.applications.Definitions._is_pointer": SYNTAX,
    "meaning.applications.Definitions.shown": SYNTAX,
    "meaning.applications._only_adds": SYNTAX,
    "logic.sums._add_constant logic.sums._flat logic.sums._multiple logic.sums._sum logic.sums._sum_of_choices"
    " logic.sums._sum_of_choices.side logic.sums._write logic.sums.add logic.sums.mul logic.sums.neg": NARROWER
    + "; what is written has no sums among its addends; branches that are added are not chosen alike",
    "logic.term.text": "its argument ``depth``",
    "page.data._plain": "as deep as summary.json nests, which Python's reader of JSON has read",
    "inputs.objects.Possible._can_all inputs.objects.Possible._can_be_made inputs.objects.Possible._is_object": TYPES,
    "invariants.abstract_loops.AbstractLoops._as_far_as_known invariants.abstract_loops.AbstractLoops._following"
    " invariants.abstract_loops.AbstractLoops._loop"
    " invariants.abstract_loops.AbstractLoops._step invariants.abstract_loops.AbstractLoops._taken"
    " invariants.abstract_loops.AbstractLoops.run invariants.abstract_loops.AbstractLoops.run.stepped": "MOST_NESTED",
    "merge.joined_facts._FactJoin._either merge.joined_facts._FactJoin._met merge.joined_facts._FactJoin._parts"
    " merge.joined_facts._FactJoin._record merge.joined_facts._FactJoin.part": RECORDS,
    "merge.value_choice.joined_value": TYPES,
    "execute.iterations.Iterations._call execute.iterations.Iterations._run"
    " execute.iterations.Iterations._walk": "summarisable_loops.MOST_NESTED",
    "facts.summarisable_loops.Purity.computes": "MOST_NESTED",
    "option_rules._frozen": "options are words and lists of words",
    "options._plain": "options are words and lists of words",
    "prune.interpolation.general.General._value": TYPES,
    "prune.roots._Parts._by_name prune.roots._Parts._either prune.roots._Parts._row"
    " prune.roots._Parts.compare": RECORDS,
    "prune.roots.match_register": TYPES,
    "logic.c_terms._between logic.c_terms._float_operand logic.c_terms._float_words logic.c_terms._operand"
    " logic.c_terms._words logic.c_terms.words": "its argument ``depth``",
    "scan.requirements._condition": "its argument ``depth``",
    "scan.requirements._operand scan.requirements._text": "its argument ``depth``",
    "spec.attempt.Attempt._assume": SYNTAX,
    "meaning.formula.negated": SYNTAX,
    "spec.concretely.Instances.broken": SYNTAX,
    "spec.concretely.substitute": SYNTAX,
    "spec.concretely.with_witnesses": SYNTAX,
    "meaning.integers.binary": "a shift is a product, which is none",
    "spec.fingerprint._without_words": SYNTAX,
    "spec.shown._pointer_text spec.shown._value_text": "MOST_DEEP",
    "toolchain.linker.expand": "files of words that name files of words",
}

READERS = {
    "llvm.c_type_reader": TYPES,
    "llvm.cpp_classes": TYPES,
    "llvm.debug_info": TYPES,
    "llvm.layout": TYPES,
    "llvm.opaque": TYPES,
    "clang.cprover_code": SYNTAX,
    "clang.expression_cursor": SYNTAX,
    "clang.expression_reader": SYNTAX,
    "clang.expression_text": SYNTAX,
    "llvm.operand_reader": SYNTAX,
    "clang.expressions": SYNTAX,
    "meaning.expressions": SYNTAX,
    "llvm.type_reader": TYPES,
}
"""Modules that read types and constants: whatever calls itself there follows their nesting."""


@pytest.fixture(scope="module")
def found() -> set[frozenset[str]]:
    names = Calls(SOURCES).called
    return {frozenset(one.removeprefix("unfork.") for one in circle) for circle in circles(names)}


def test_functions_call_themselves_where_something_bounds_it(found: set[frozenset[str]]) -> None:
    allowed = {frozenset(names.split()) for names in ALLOWED}
    unknown = [circle for circle in found if circle not in allowed and not _modules(circle) <= READERS.keys()]
    assert not unknown, "\n".join(" ".join(sorted(circle)) for circle in unknown)


def test_what_is_allowed_is_still_there(found: set[frozenset[str]]) -> None:
    gone = [names for names in ALLOWED if frozenset(names.split()) not in found]
    assert not gone, "\n".join(gone)


def _modules(circle: frozenset[str]) -> set[str]:
    return {".".join(name.split(".")[:2]) for name in circle}


SAMPLE = """
def even(n): return n == 0 or odd(n - 1)
def odd(n): return n != 0 and even(n - 1)
def once(n): return even(n)
def handed(values): return sorted(values, key=handed)
class Walk:
    def down(self, tree): return [self.down(part) for part in tree]
    def on(self, other): return other.on(self)
"""


def test_circles_are_found(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(SAMPLE)
    circular = {frozenset(circle) for circle in circles(Calls(tmp_path).called)}
    expected = [("sample.even", "sample.odd"), ("sample.handed",), ("sample.Walk.down",)]
    assert circular == {frozenset(names) for names in expected}
