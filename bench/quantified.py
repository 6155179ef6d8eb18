"""Do solvers prove with quantifiers of their own what unfork proves by instances?

``python -m bench.quantified FILE... [--cflags FLAGS] [--function NAMES] [--tools DIR] [--by NAMES] [--keep DIR]``

Proves contracts, and writes each obligation for which a solver is asked, and which does not hold without what the path
claims of all values, as it is before commands/verify/refute.py makes instances: the conditions of the path as they are,
claims as ``forall``, the negated goal. As there, a cell of an object of any length is what one function, of one size of
cells and one contents, has at its offset: an element of an array, or with ``functions`` in a solver's name a function's
value. Writes are chains of ``ite`` in both. Queries about logic functions or floats are left out, and counted.

Of each function some are drawn with a fixed seed. Each is asked of every solver in a process of its own, which has so
many seconds of a processor; instances and the order of solvers that proofs ask (bench/proofs.py) are measured likewise.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from resource import RLIMIT_AS, RLIMIT_CPU, RUSAGE_CHILDREN, getrusage, setrlimit
from unittest import mock

from bench.proofs import MEMORY, in_turn
from unfork.commands.verify.obligations import Obligations, ProofGoal
from unfork.commands.verify.refute import OFFSET_BITS, Refuter, ordered
from unfork.commands.verify.verify import verify
from unfork.engine.meaning.formula import All, Formula, Ground, QuantifiedFormula, Some, Universal, negated
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import UniversalFact
from unfork.logic.solve.encode import Encoder
from unfork.logic.solve.smtlib import _Expression, _Script
from unfork.logic.solve.solver import Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.options.options import Options

GROUNDING = "instances, in turn"
ARRAYS, FUNCTIONS = "arrays", "functions"
BITWUZLA = """\
import sys
import bitwuzla
bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse(sys.argv[1], False, True)
"""
SOLVERS: Mapping[str, tuple[str, Sequence[str]]] = {
    "bitwuzla": (ARRAYS, (sys.executable, "-c", BITWUZLA)),
    "bitwuzla functions": (FUNCTIONS, (sys.executable, "-c", BITWUZLA)),
    "z3": (ARRAYS, ("z3",)),
    "z3 functions": (FUNCTIONS, ("z3",)),
    "cvc5 enum": (ARRAYS, ("cvc5", "--enum-inst")),
    "cvc5 saturate": (ARRAYS, ("cvc5", "--full-saturate-quant")),
    "cvc5 integers arrays": (ARRAYS, ("cvc5", "--enum-inst", "--solve-bv-as-int=sum")),
    "cvc5 integers functions": (FUNCTIONS, ("cvc5", "--enum-inst", "--solve-bv-as-int=sum")),
}
"""How each sees the memory, and the words that begin its command, which the file ends."""


INDEX = f"(_ BitVec {OFFSET_BITS})"


class LeftOut(Exception):
    """A query that has something else than bit-vectors, quantifiers and cells."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An obligation before instances are made, in both forms, and what instances say of it."""

    function: str
    texts: Mapping[str, str]
    answer: str
    seconds: float
    """Of processors."""


class Condition(_Script):
    """One condition: what it mentions often is named by ``let``, so that it may stand below a quantifier."""

    def __init__(self, whole: Writer) -> None:
        super().__init__()
        self.whole = whole
        self.cells: dict[str, _Expression] = {}

    def variable(self, name: str, width: int) -> _Expression:
        """A cell, or the variable of a symbol."""
        return self.cells.get(name) or self.whole.variable(name, width)

    def fresh(self, width: int) -> _Expression:
        """Of a float alone."""
        raise LeftOut

    def _define(self, expression: _Expression) -> _Expression:
        name = f"let!{next(self.whole.numbers)}"
        self.lines.append(f"(let (({name} {expression.text})) ")
        return _Expression(name, expression.sort, expression.width)


@dataclass(slots=True)
class Writer:
    """Formulas as SMT-LIB has them, with their declarations. ``memory`` is ARRAYS or FUNCTIONS."""

    refuter: Refuter
    memory: str
    names: dict[tuple[str, int], str] = field(default_factory=dict)
    declarations: list[str] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=count)

    def variable(self, name: str, width: int) -> _Expression:
        """What stands for a symbol."""
        return _Expression(name if name in self.bound else self.declared("x", name, width, "()"), "", width)

    def declared(self, kind: str, name: str, width: int, taken: str) -> str:
        """The name here of what has a name there, and is declared as a function of what is ``taken``."""
        known = self.names.get((name, width))
        if known is None:
            known = self.names[name, width] = f"{kind}!{len(self.names)}"
            sort = f"(_ BitVec {width})"
            if kind == ARRAYS:
                taken, sort = "()", f"(Array {INDEX} {sort})"
            comment = name.encode("unicode_escape").decode()
            self.declarations.append(f"(declare-fun {known} {taken} {sort}) ; {comment}")
        return known

    def text(self, formula: Formula) -> str:
        """A formula."""
        match formula:
            case Ground(value):
                return self.condition(value)
            case All(formulas):
                return f"(and true {' '.join(map(self.text, formulas))})"
            case Some(formulas):
                return f"(or false {' '.join(map(self.text, formulas))})"
            case QuantifiedFormula(exists, widths, body):
                variables = [symbol(f"bound!{next(self.numbers)}", width) for width in widths]
                self.bound |= {each.name for each in variables}
                inner = self.text(body(tuple(variables)))
                head = " ".join(f"({each.name} (_ BitVec {each.width}))" for each in variables)
                return f"({'exists' if exists else 'forall'} ({head}) {inner})" if variables else inner

    def condition(self, value: Value) -> str:
        """A condition."""
        if not isinstance(value, Term):
            return "true" if value else "false"
        script = Condition(self)
        encoder: Encoder[_Expression] = Encoder(script)
        for each in self._inner_first(value):
            cell = self.refuter._cells.of[each]
            offset = build.trunc(cell.offset, OFFSET_BITS, OFFSET_BITS)
            place = encoder.vector(offset) if isinstance(offset, Term) else script.bits(offset, OFFSET_BITS)
            name = self.declared(self.memory, f"{cell.contents.name}, {cell.size} bytes", each.width, f"({INDEX})")
            read = f"({'select ' * (self.memory == ARRAYS)}{name} {place.text})"
            script.cells[each.name] = script._define(_Expression(read, "", each.width))
        text = encoder.condition(value).text
        if encoder.has_floats(value):
            raise LeftOut
        return "".join(script.lines) + text + ")" * len(script.lines)

    def _inner_first(self, value: Term) -> list[Term]:
        """The symbols of cells that a term reads, each after those that its offset reads."""
        done: dict[Term, None] = {}
        waiting = ordered(value)[::-1]
        while waiting:
            each = waiting[-1]
            cell = self.refuter._cells.of.get(each)
            if cell is None and (
                next(iter(self.refuter._logic.arguments([each])), None)
                or next(iter(self.refuter._logic.facts([each])), None)
            ):
                raise LeftOut
            needs = [] if cell is None or not isinstance(cell.offset, Term) else ordered(cell.offset)
            missing = [need for need in needs if need in self.refuter._cells.of and need not in done]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if cell is not None:
                done[each] = None
        return list(done)


def script_of(refuter: Refuter, state: State, wrong: Formula, memory: str) -> str:
    """What is asked, before instances are made. Raises LeftOut."""
    writer = Writer(refuter, memory)
    claims = [claim for claim in state.proof.claims if isinstance(claim, Universal)]
    said: list[Formula] = [Ground(each) for each in state.path.constraints()]
    said += [QuantifiedFormula(False, claim.widths, claim.at) for claim in claims]
    asserted = [f"(assert {writer.text(each)})" for each in (*said, wrong)]
    return "\n".join(["(set-logic ALL)", *writer.declarations, *asserted, "(check-sat)", ""])


def is_quantified(claims: Iterable[UniversalFact], formula: Formula) -> bool:
    """Whether a claim or the formula has a quantifier."""
    waiting = [formula]
    for each in waiting:
        if isinstance(each, QuantifiedFormula):
            return True
        if isinstance(each, All | Some):
            waiting += each.formulas
    return any(isinstance(claim, Universal) and claim.widths for claim in claims)


def processors() -> float:
    """Seconds of this process and of those that it has waited for."""
    children = getrusage(RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime + time.process_time()


def recorded(files: Sequence[str], options: Options, seconds: float) -> tuple[list[Asked], int]:
    """The obligations of proofs, and how many were left out. Each function is proved in a process of its own."""
    prove = Obligations.prove
    numbers, names = count(), count(1 << 40)

    def noting(self: Obligations, goal: ProofGoal, state: State) -> bool:
        path, claims, wrong = state.path, state.proof.claims, negated(goal.formula)
        holds = prove(self, goal, state)
        is_asked = not self.mute and (self.solver.decided_by or not holds)
        if not is_asked or not is_quantified(claims, wrong):
            return holds
        target = scratch / f"{os.getpid()}-{next(numbers):06d}"
        refuter = self.refuter
        try:
            texts = {memory: script_of(refuter, state, wrong, memory) for memory in (ARRAYS, FUNCTIONS)}
        except LeftOut:
            target.with_suffix(".left").touch()
            return holds
        solver = in_turn()
        again = Refuter(refuter._cells, solver, lambda: next(names), refuter._logic)
        without = again.check(path, (), wrong, seconds)
        solver.close()
        if isinstance(without, Unsat):
            return holds
        began = processors()
        answer = again.check(path, claims, wrong, seconds)
        solver.close()
        word = "-" if isinstance(answer, Unknown) else type(answer).__name__.lower()
        function = state.frames[0].function.name
        asked = Asked(function, texts, word, processors() - began)
        target.with_suffix(".asked").write_bytes(pickle.dumps(asked))
        return holds

    with tempfile.TemporaryDirectory() as folder, mock.patch.object(Obligations, "prove", noting):
        scratch = Path(folder)
        verify(files, options, is_fresh=True)
        found = [pickle.loads(file.read_bytes()) for file in sorted(scratch.glob("*.asked"))]
        return found, len(list(scratch.glob("*.left")))


def drawn(asked: Iterable[Asked], most: int) -> list[Asked]:
    """At most so many of each function."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        groups[each.function].append(each)
    return [each for name in sorted(groups) for each in Random(1).sample(groups[name], min(most, len(groups[name])))]


def asking(name: str, query: Path, tools: str, seconds: int) -> tuple[str, float]:
    """What a solver says, and the seconds of a processor that it takes."""

    def limited() -> None:
        setrlimit(RLIMIT_CPU, (seconds, seconds + 1))
        setrlimit(RLIMIT_AS, (MEMORY, MEMORY))

    _, command = SOLVERS[name]
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), tools, os.environ["PATH"]])}
    began = processors()
    done = subprocess.run(
        [*command, str(query)], capture_output=True, text=True, check=False, preexec_fn=limited, env=environment
    )
    taken = processors() - began
    words = done.stdout.split()
    if words[:1] in (["sat"], ["unsat"]):
        return words[0], taken
    if "error" in done.stdout + done.stderr:
        print(f"{name}: {(done.stdout + done.stderr).strip()[:200]}", file=sys.stderr)
        return "refused", taken
    return "-", taken


@dataclass(slots=True)
class Row:
    """What a solver came to."""

    unsat: int = 0
    sat: int = 0
    wrong: int = 0
    alone: int = 0
    """Refuted, although instances do not."""
    seconds: float = 0.0

    def count(self, answer: str, ours: str, seconds: float) -> None:
        """One more answer, beside that of instances."""
        self.unsat += answer == "unsat"
        self.sat += answer == "sat"
        self.wrong += answer == "sat" and ours == "unsat"
        self.alone += answer == "unsat" and ours != "unsat"
        self.seconds += seconds


def main() -> None:
    """A line for each query, then the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="C files with contracts")
    parser.add_argument("--cflags", default="")
    parser.add_argument("--function", default="", help="patterns of names, separated by commas")
    parser.add_argument("--tools", default="", metavar="DIR", help="where cvc5 is, if not on the path")
    parser.add_argument("--by", default=",".join(SOLVERS), help="solvers, separated by commas")
    parser.add_argument("--most", type=int, default=2, help="queries of a function")
    parser.add_argument("--limit", type=int, default=20, help="seconds of a processor for a query")
    parser.add_argument("--per-file", type=float, default=60.0, help="seconds for the proofs of a file")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="where the queries are left")
    given = parser.parse_args()
    names = given.by.split(",")
    if unknown := set(names) - SOLVERS.keys():
        parser.error(f"--by: no solver is called {', '.join(sorted(unknown))}")
    rows = {name: Row() for name in (GROUNDING, *names)}
    total = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        options = Options(
            out=f"{scratch}/out",
            quiet=True,
            cores=1,
            max_time=given.per_file * len(given.files),
            cflags=given.cflags,
            **({"function": given.function} if given.function else {}),
        )
        found, left = recorded(given.files, options, given.limit)
        for asked in drawn(found, given.most):
            total += 1
            rows[GROUNDING].count(asked.answer, asked.answer, asked.seconds)
            words = [f"{GROUNDING} {asked.answer} {asked.seconds:.2f}"]
            for name in names:
                memory, _ = SOLVERS[name]
                query = folder / f"{total:03d}-{asked.function}-{memory}.smt2"
                query.write_text(asked.texts[memory])
                answer, seconds = asking(name, query, given.tools, given.limit)
                rows[name].count(answer, asked.answer, seconds)
                words.append(f"{name} {answer} {seconds:.2f}")
            print(f"{total:3} {asked.function}: {'; '.join(words)}", flush=True)
    print(
        f"\n{total} of {len(found)} queries; {left} left out\n\n| solver | unsat | sat | none | wrong | alone | CPU s |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, row in rows.items():
        none = total - row.unsat - row.sat
        print(f"| {name} | {row.unsat} | {row.sat} | {none} | {row.wrong} | {row.alone} | {row.seconds:.1f} |")


if __name__ == "__main__":
    main()
