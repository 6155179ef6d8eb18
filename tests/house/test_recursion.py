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
    "commands.run.working.ReportingWorker.__init__ commands.run.working.helpers commands.run.working.process"
    " commands.run.working.work": "helpers of a strategy have no helpers of their own",
    "reduce.audit.again._with_part": TYPES,
    "reduce.audit.pairs._either reduce.audit.pairs._part reduce.audit.pairs._row": RECORDS,
    "reduce.audit.pairs.registers": TYPES,
    "program.c.clause_reader.ClauseReader._sets": "_nesting",
    "program.c.expressions.substituted": SYNTAX,
    "program.facts.passed_sizes.PassedSizes._value": "_DEEP",
    "program.facts.object_makers._Driver._make program.facts.object_makers._Driver._maker": "_DEEP",
    "engine.instructions.access._any": TYPES,
    "engine.instructions.access.load_typed": TYPES,
    "engine.instructions.access.store_typed": TYPES,
    "engine.instructions.arithmetic._replace": TYPES,
    "engine.instructions.arithmetic.choose": TYPES,
    "engine.instructions.call_instructions.Callees._look_up"
    " engine.instructions.call_instructions.Callees.named": "an alias of an alias of a function",
    "engine.machine.code.FunctionCode._at_once"
    " engine.machine.code.FunctionCode._scans"
    " engine.machine.code.FunctionCode.block"
    " engine.machine.code.FunctionCode.plain": "the bodies of loops are made when a loop is first taken",
    "engine.machine.compile._Writer._block engine.machine.compile._Writer._edge"
    " engine.machine.compile._Writer._terminator": BLOCKS,
    "engine.machine.machine.Machine._plain_code"
    " engine.machine.machine.Machine._make_code"
    " engine.machine.machine.Machine.code": (
        "code is made without that of the functions it calls: they are looked up when it first calls them"
    ),
    "engine.step.operands.define": TYPES,
    "engine.step.statics.Statics._expression engine.step.statics.Statics.address"
    " engine.step.statics.Statics.constant": SYNTAX,
    "engine.step.statics.filled": TYPES,
    "logic.terms.bits._adjacent logic.terms.bits._join_choices logic.terms.bits._differing logic.terms.bits._extract"
    " logic.terms.bits._extract_inwards logic.terms.bits._flip"
    " logic.terms.bits._join logic.terms.bits._mask logic.terms.bits._narrow"
    " logic.terms.bits._narrow_arithmetic logic.terms.bits._surround"
    " logic.terms.bits.and_ logic.terms.bits.concat"
    " logic.terms.bits.join_disjoint"
    " logic.terms.bits.extract logic.terms.bits.or_ logic.terms.bits.xor": NARROWER,
    "logic.terms.bits.not_": "not of a sign extension is done inside, where there is no other",
    "logic.terms.choice._spread_leaves logic.terms.choice.spread2": "ALTERNATIVES",
    "logic.terms.equality._choice_equal logic.terms.equality._choices_equal logic.terms.equality._equal"
    " logic.terms.equality._equal_extensions"
    " logic.terms.equality._of_other_factor logic.terms.equality._parts_equal logic.terms.equality._with_constant"
    " logic.terms.equality._with_term logic.terms.equality._wraps"
    " logic.terms.equality.eq logic.terms.equality.ne": NARROWER + "; branches are compared with _NO_CHOICES",
    "logic.terms.comparisons._literal logic.terms.comparisons._member_by_leaves"
    " logic.terms.comparisons._compare_shifted"
    " logic.terms.comparisons._sign logic.terms.comparisons._ult_of_sides logic.terms.comparisons.member"
    " logic.terms.comparisons.ult": NARROWER
    + "; leaves are no choices, and sides of choices are not compared side by side",
    "logic.terms.comparisons._slt_of_sides logic.terms.comparisons.slt": NARROWER,
    "logic.terms.division._divide logic.terms.division._narrow logic.terms.division.sdiv"
    " logic.terms.division.srem logic.terms.division.udiv logic.terms.division.urem": NARROWER,
    "logic.solve.byte_domains.Domains._of logic.solve.byte_domains.Domains._of_choice": "_NESTED",
    "logic.terms.float_terms.fp_compare": "the opposite of a predicate has none",
    "logic.terms.float_terms.fp_from_int": "an extension of an extension is one extension",
    "engine.meaning.applications.Definitions._is_pointer": SYNTAX,
    "engine.meaning.applications.Definitions.shown": SYNTAX,
    "engine.meaning.applications._only_adds": SYNTAX,
    "logic.terms.sums._add_constant logic.terms.sums._flat"
    " logic.terms.sums._multiple logic.terms.sums._sum"
    " logic.terms.sums._sum_of_choices"
    " logic.terms.sums._sum_of_choices.side logic.terms.sums._write"
    " logic.terms.sums.add logic.terms.sums.mul logic.terms.sums.neg": NARROWER
    + "; what is written has no sums among its addends; branches that are added are not chosen alike",
    "logic.terms.term.text": "its argument ``depth``",
    "report.page.data._plain": "as deep as summary.json nests, which Python's reader of JSON has read",
    "world.inputs.object_drivers.Possible._can_all"
    " world.inputs.object_drivers.Possible._can_be_made"
    " world.inputs.object_drivers.Possible._is_object": TYPES,
    "reduce.invariants.abstract_loops.AbstractLoops._as_far_as_known"
    " reduce.invariants.abstract_loops.AbstractLoops._following"
    " reduce.invariants.abstract_loops.AbstractLoops._loop"
    " reduce.invariants.abstract_loops.AbstractLoops._step reduce.invariants.abstract_loops.AbstractLoops._taken"
    " reduce.invariants.abstract_loops.AbstractLoops.run"
    " reduce.invariants.abstract_loops.AbstractLoops.run.stepped": "MOST_NESTED",
    "reduce.merge.joined_facts._FactJoin._either"
    " reduce.merge.joined_facts._FactJoin._met"
    " reduce.merge.joined_facts._FactJoin._parts"
    " reduce.merge.joined_facts._FactJoin._record reduce.merge.joined_facts._FactJoin.part": RECORDS,
    "reduce.merge.value_choice.joined_value": TYPES,
    "engine.machine.guarded_run.GuardedRun._call engine.machine.guarded_run.GuardedRun._run_body"
    " engine.machine.guarded_run.GuardedRun.walk": "summarisable_loops.MOST_NESTED",
    "program.facts.summarisable_loops.Purity.computes": "MOST_NESTED",
    "program.facts.passed_counts._Passed._place": "its argument ``depth``, and addresses of parts of parts",
    "options.option_rules._frozen": "options are words and lists of words",
    "options.options._plain": "options are words and lists of words",
    "reduce.prune.interpolation.general.General._value": TYPES,
    "reduce.prune.roots._Parts._by_name reduce.prune.roots._Parts._either reduce.prune.roots._Parts._row"
    " reduce.prune.roots._Parts.compare": RECORDS,
    "reduce.prune.roots.match_register": TYPES,
    "logic.terms.c_terms._between logic.terms.c_terms._float_operand"
    " logic.terms.c_terms._float_words logic.terms.c_terms._operand"
    " logic.terms.c_terms._words logic.terms.c_terms.words": "its argument ``depth``",
    "commands.scan.requirements._InWords.condition": "its argument ``depth``",
    "commands.scan.requirements._InWords._number"
    " commands.scan.requirements._InWords._operand": "its argument ``depth``",
    "commands.verify.attempt.Attempt._assume": SYNTAX,
    "engine.meaning.formula.negated": SYNTAX,
    "commands.verify.concretely.Instances.broken": SYNTAX,
    "commands.verify.concretely.substitute": SYNTAX,
    "commands.verify.concretely.with_witnesses": SYNTAX,
    "engine.memory.lazy_objects._decide engine.memory.lazy_objects._has_made_cursor"
    " engine.memory.lazy_objects._touch_cell engine.memory.lazy_objects._touch_union"
    " engine.memory.lazy_objects.touch": "what begins a text that another member leads into leads into none itself",
    "engine.memory.lazy_objects._learn_text engine.memory.lazy_objects.character_at"
    " engine.memory.lazy_objects.original_character": "a text knows its character before it asks an equal text",
    "engine.meaning.unbounded_integers.binary": "a shift is a product, which is none",
    "commands.verify.fingerprint._without_words": SYNTAX,
    "commands.verify.shown._pointer_text commands.verify.shown._value_text": "MOST_DEEP",
    "commands.cc.linker.expand": "files of words that name files of words",
}

READERS = {
    "program.llvm.c_type_reader": TYPES,
    "program.llvm.cpp_classes": TYPES,
    "program.llvm.debug_info": TYPES,
    "program.llvm.layout": TYPES,
    "program.llvm.opaque": TYPES,
    "program.c.cprover_code": SYNTAX,
    "program.c.expression_cursor": SYNTAX,
    "program.c.expression_reader": SYNTAX,
    "program.c.expression_text": SYNTAX,
    "program.llvm.operand_reader": SYNTAX,
    "program.c.expressions": SYNTAX,
    "engine.meaning.expression_meaning": SYNTAX,
    "program.llvm.type_reader": TYPES,
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
    """The modules of a circle, which lie two rooms deep."""
    return {".".join(name.split(".")[:3]) for name in circle}


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
