"""What a judgement says: preconditions in C, the path in the words of the source, nothing where the solver gives up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.commands.scan.functions import found_in
from tests.commands.scan.rule_programs import BY_TIME, FUNCTIONS, PROGRAMS
from tests.support.runs import explore
from unfork.commands.scan import scanning
from unfork.commands.scan.certainty import RULES_OF_PATHS, RULES_OF_SIBLINGS, WHOLE_PROGRAM, WITHOUT_RULE, Judge
from unfork.commands.scan.duties import OF_OTHERS
from unfork.commands.scan.duties import RULES as DUTIES
from unfork.commands.scan.judgement import CERTAIN, CONDITIONAL, UNDECIDED, Judgement
from unfork.commands.scan.requirements import CallerNumber, excluding, in_order
from unfork.commands.scan.siblings import SiblingFamily
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import FOREVER, Answer, Solver, Unknown
from unfork.logic.terms import build
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol

PRODUCT = """
int at(unsigned kind, unsigned other) {
  static const int table[4] = {1, 2, 3, 4};
  return kind * other == 77 ? table[kind] : 0;
}
"""
REQUIRED = """
#include <string.h>
#include <unfork.h>
struct list { struct list *next; int n; unsigned char bits; };
int at(int i) { static const int table[4] = {1, 2, 3, 4}; return table[i]; }
int behind(const char *buf, size_t n, unsigned i) { return buf[i]; }
int divide(int a, int b) { return a / b; }
int third(const char *s) { return s[2]; }
int next(const struct list *l) { return l->next->n; }
int shifted(const struct list *l) { return 1 << l->bits; }
int sum(const struct list *l, int i) { static const int table[4] = {1, 2, 3, 4}; return table[l->n + i]; }
int call(int (*f)(void)) { return f(); }
struct part { const char *begin; size_t size; };
int kind(const struct part *p) { return strncmp(p->begin, ".", p->size) == 0; }
"""
PATH = """
#define IS_NONE(x) (!(x))
static int table[4];
int f(const int *p, int a, int b) {
  int n = 0;
  if (!p) return 1;
  if (a > 4 && b < 4) return 2;
  if (IS_NONE(a)) return 3;
  for (int i = 0; i < 3; i++) n += i;
  while (*p > b) return 4;
  switch (b) {
    case 3: return a >= 0 ? table[a] + n : 0;
    default: return 0;
  }
}
"""


class GivesUp:
    """A solver that does not know the answer to one question. Mutable: it counts."""

    def __init__(self, solver: Solver, position: int) -> None:
        self._solver = solver
        self._left = position

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        self._left -= 1
        return self._solver.check(constraints, timeout) if self._left else Unknown("no")

    def forget(self) -> None:
        self._solver.forget()

    def close(self) -> None:
        self._solver.close()


def test_what_the_solver_does_not_know_makes_nothing_certain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reasons = set[tuple[str, str]]()
    for position in range(1, 9):

        def judge(
            family: SiblingFamily, chain: Chain, machine: Machine, function: str, position: int = position
        ) -> Judge:
            return Judge(family, Chain(GivesUp(chain.solver, position)), machine, function)

        monkeypatch.setattr(scanning, "Judge", judge)
        [found] = found_in(PRODUCT, "at", tmp_path / str(position))
        reasons.add((found.rule, found.reason))
    assert reasons == {
        ("untested-number", "it needs a value of kind that the code never tested"),
        ("solver-gave-up", "the solver gave up on what numbers it needs"),
    }


def test_each_rule_has_programs_on_either_side() -> None:
    rules = [rule.name for rule in (*RULES_OF_PATHS, *RULES_OF_SIBLINGS, *DUTIES, *OF_OTHERS)]
    assert sorted(rules) == sorted((*PROGRAMS, *FUNCTIONS, *BY_TIME))
    folder = Path(__file__).parent / "programs"
    assert all((folder / name).is_file() for names in PROGRAMS.values() for name in names)


def test_the_documentation_lists_the_rules_in_their_order() -> None:
    text = (Path(__file__).parents[3] / "docs" / "theory" / "scanning.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \| (certain|likely|conditional|undecided) \| (.*) \|$", text, re.M)
    table = [(rule.name, rule.certainty, type(rule).__doc__) for rule in (*RULES_OF_PATHS, *RULES_OF_SIBLINGS)]
    table += [(rule.name, CONDITIONAL, type(rule).__doc__) for rule in (*DUTIES, *OF_OTHERS)]
    certain = {WHOLE_PROGRAM}
    others = [(name, CERTAIN if name in certain else UNDECIDED, said) for name, said in WITHOUT_RULE.items()]
    assert rows == [*table, *others]


@pytest.mark.parametrize(("rule", "model"), [*((rule, "LP64") for rule in FUNCTIONS), ("huge-object", "ILP32")])
def test_a_rule_decides_what_it_says(rule: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set[str]()
    judge = Judge.judge

    def noting(self: Judge, failed: Failed, paths: Sequence[Failed] = ()) -> Judgement:
        judgement = judge(self, failed, paths)
        seen.add(judgement.rule)
        return judgement

    monkeypatch.setattr(Judge, "judge", noting)
    decided, other = FUNCTIONS[rule]
    found_in(decided, "f", tmp_path / "decided", data_model=model)
    assert rule in seen
    seen.clear()
    found_in(other, "f", tmp_path / "other", data_model=model)
    assert seen and rule not in seen


@pytest.mark.parametrize(
    ("function", "conditions"),
    [
        ("at", {"i >= 0 && i < 4"}),
        ("behind", {"buf != 0", "n - 1 >= i && n != 0"}),
        ("divide", {"b != 0", "b != -1 || a != -2147483648L"}),
        ("third", {"s != 0", "strlen(s) >= 2"}),
        ("next", {"l != 0 && l->next != 0"}),
        ("shifted", {"l != 0", "l->bits < 32"}),
        ("sum", {"l != 0", "(unsigned int)i + (unsigned int)l->n < 4"}),
        ("kind", {"p != 0 && (p->begin != 0 || p->size == 0)"}),
    ],
)
def test_preconditions_are_said_in_c(tmp_path: Path, function: str, conditions: set[str]) -> None:
    found = found_in(REQUIRED, function, tmp_path / "out")
    assert {each.requires for each in found if each.requires} == conditions
    head = "".join([f" UNFORK_REQUIRES({each});" for each in in_order(conditions)])
    file = tmp_path / "required.c"
    file.write_text(re.sub(rf"(int {function}\(.*?\) \{{)", lambda match: match[1] + head, REQUIRED))
    words = ("--function", function, "--all-errors", "--sizes", "pair", "--strategy", "plain", "--max-size", "8")
    assert not explore(file, tmp_path / "run", *words, "--check", "memory", "--check", "div", "--check", "shift").errors


def test_a_precondition_with_which_no_input_comes_through_is_not_said_in_c(tmp_path: Path) -> None:
    [found] = found_in(REQUIRED, "call", tmp_path / "out")
    assert (found.precondition, found.requires) == ("f is not null", "")


def test_a_pointer_that_a_fault_does_not_depend_on_is_no_precondition(tmp_path: Path) -> None:
    text = "int f(const int *a, const int *b, int n) { int s = 0; if (b) s = *b & 1; return a[0] / n + s; }\n"
    found = found_in(text, "f", tmp_path / "out")
    assert {(each.kind, each.requires) for each in found} >= {("null-dereference", "a != 0"), ("div-by-zero", "n != 0")}


def test_the_least_int_is_said_with_its_type_of_32_bits(tmp_path: Path) -> None:
    found = found_in(REQUIRED, "divide", tmp_path / "out", data_model="ILP32")
    assert {each.requires for each in found if each.requires} == {"b != 0", "b != -1 || a != -2147483648LL"}


def test_large_signed_numbers_are_compared_as_signed_ones() -> None:
    number = symbol("a", 64)
    signed, unsigned = ({number: CallerNumber("a", encoding)} for encoding in ("signed", "unsigned"))
    for is_narrow, end in ((False, ""), (True, "L")):
        said = partial(excluding, is_narrow=is_narrow)
        assert said([build.slt(number, 5_000_000_000, 64)], signed) == f"a >= 5000000000L{end}"
        assert said([build.slt(number, -5_000_000_000 % (1 << 64), 64)], signed) == f"a >= -5000000000L{end}"
        assert said([build.ult(number, 5_000_000_000, 64)], unsigned) == f"a >= 5000000000UL{end}"


def test_a_sum_of_64_bits_has_a_type_of_64_bits() -> None:
    narrow, length = symbol("a", 32), symbol("strlen(s)", 64)
    total = build.add(build.sext(narrow, 32, 64), 1, 64)
    numbers = {narrow: CallerNumber("a", "signed")}
    fault = [build.ult(total, length, 64)]
    assert excluding(fault, numbers, is_narrow=False) == "(unsigned long)a + 1 >= strlen(s)"
    assert excluding(fault, numbers, is_narrow=True) == "(unsigned long long)a + 1 >= strlen(s)"
    fault = [build.ult(build.sub(length, 5, 64), 9, 64)]
    assert excluding(fault, numbers, is_narrow=False) == "strlen(s) - 5 >= 9"
    assert excluding(fault, numbers, is_narrow=True) == "(unsigned long long)strlen(s) - 5 >= 9"


def test_a_path_is_told_in_the_words_of_the_source(tmp_path: Path) -> None:
    [found] = [each for each in found_in(PATH, "f", tmp_path / "out") if each.kind == "out-of-bounds"]
    assert [(step.line, step.what) for step in found.path] == [
        (6, "p is true"),
        (7, "a > 4 is false"),
        (8, "it goes on at line 9"),
        (9, "i < 3 is true"),
        (9, "i < 3 is false"),
        (10, "*p > b is false"),
        (11, "b is 3"),
        (12, "a >= 0 is true"),
    ]


def test_a_number_that_no_integer_holds_is_named(tmp_path: Path) -> None:
    [found] = found_in("int f(double d) { int n = (int)d; return n > 3 ? 1 : 2; }\n", "f", tmp_path / "out")
    assert found.message == "a choice depends on a floating-point number that its integer type cannot hold"


def test_a_variable_that_an_argument_names_is_set_by_its_caller(tmp_path: Path) -> None:
    text = "static _Thread_local int *last;\nvoid keep(int *p) { last = p; }\nint f(void) { return *last; }\n"
    [found] = found_in(text, "f", tmp_path / "out")
    assert (found.certainty, found.rule) == ("conditional", "before-setup")
