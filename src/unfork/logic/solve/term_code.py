"""Terms as LLVM IR, and the loop over all inputs that checks constraints.

Law: compiled, a term has the value that logic/terms/evaluate.py gives it, bit for bit. Floats are those of the
processor, rounded to nearest; a NaN result becomes the default one of its format (logic/terms/fp_format.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.logic.terms import fp
from unfork.logic.terms.fp_format import FORMATS
from unfork.logic.terms.term import Term, postorder

WIDEST_TERM = 128
_WORD, _INT = 64, 32
_SAME = frozenset(("and", "or", "xor", "add", "mul"))
_SHIFTS = frozenset(("shl", "lshr", "ashr"))
_DIVISIONS = frozenset(("udiv", "urem", "sdiv", "srem"))
_COMPARED = {"eq": "icmp eq", "ult": "icmp ult", "slt": "icmp slt"}
_ORDERED = {"fp.eq": "fcmp oeq", "fp.lt": "fcmp olt", "fp.le": "fcmp ole"}
_ROUNDED = {"fp.add": "fadd", "fp.sub": "fsub", "fp.mul": "fmul", "fp.div": "fdiv"}
_LIBRARY = {
    **{f"fp.{name}": name for name in ("floor", "ceil", "trunc", "rint", "round", "fma")},
    "fp.roundeven": "rint",
    "fp.rem": "fmod",
}
"""Functions of C's library that are exact, and in the default mode of rounding."""
_SUFFIXES = {"float": ("f", "f32"), "double": ("", "f64")}
"""What the names of the library's functions and of LLVM's end in."""
_DEAR = {**dict.fromkeys(_DIVISIONS, 30), **dict.fromkeys(_LIBRARY, 30), "fp.div": 15, "fp.sqrt": 15, "fp.rem": 150}
"""The cost of an operation in additions."""


class NoTermCode(Exception):
    """A term that is not compiled: a wide one, or a float in a format that the processor lacks."""


def cost(term: Term) -> int:
    """About how many additions a term takes, without its operands."""
    if not term.args:
        return 0
    return _DEAR.get(term.op, 2 if term.op.startswith("fp.") else 1) * (1 + term.width // (_WORD + 1))


class TermLines:
    """Lines of one function that compute terms. ``declared`` are the functions that they call."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declared: dict[str, None] = {}
        self._names: dict[Term, str] = {}
        self._values = 0

    def new(self, text: str) -> str:
        """Write the computation of ``text``; the name of its value."""
        self._values += 1
        self.lines.append(f"  %v{self._values} = {text}")
        return f"%v{self._values}"

    def define(self, term: Term, name: str) -> None:
        """Say that ``name`` holds a term."""
        self._names[term] = name

    def has(self, term: Term) -> bool:
        """Whether the term is a constant or computed."""
        return term.op == "const" or term in self._names

    def operand(self, term: Term) -> str:
        """The constant or the name of a computed term."""
        return str(term.value) if term.op == "const" else self._names[term]

    def write(self, term: Term) -> None:
        """Compute a term, whose operands are computed. Raises NoTermCode."""
        if max([term.width, *[a.width for a in term.args]]) > WIDEST_TERM:
            raise NoTermCode(f"{term.width} bits")
        op = term.op
        if op.startswith("fp."):
            self._names[term] = self._float(term)
        elif op in _SHIFTS:
            self._names[term] = self._shift(term)
        elif op in _DIVISIONS:
            self._names[term] = self._division(term)
        else:
            self._names[term] = self._plain(term)

    # --- integers ---

    def _plain(self, term: Term) -> str:
        op, args, kind = term.op, term.args, f"i{term.width}"
        names = [self.operand(a) for a in args]
        if op in _SAME:
            return self.new(f"{op} {kind} {names[0]}, {names[1]}")
        if op in _COMPARED:
            return self.new(f"{_COMPARED[op]} i{args[0].width} {names[0]}, {names[1]}")
        match op:
            case "not":
                return self.new(f"xor {kind} {names[0]}, -1")
            case "neg":
                return self.new(f"sub {kind} 0, {names[0]}")
            case "ite":
                return self.new(f"select i1 {names[0]}, {kind} {names[1]}, {kind} {names[2]}")
            case "zext" | "sext":
                return self.resized(names[0], args[0].width, term.width, op)
            case "extract":
                shifted = self.new(f"lshr i{args[0].width} {names[0]}, {term.offset}")
                return self.resized(shifted, args[0].width, term.width, op)
            case "concat":
                high, low = [self.resized(n, a.width, term.width, "zext") for n, a in zip(names, args, strict=True)]
                return self.new(f"or {kind} {self.new(f'shl {kind} {high}, {args[1].width}')}, {low}")
        raise NoTermCode(op)

    def resized(self, name: str, width: int, wanted: int, extension: str) -> str:
        """A value brought to ``wanted`` bits by an extension, or cut."""
        if width == wanted:
            return name
        return self.new(f"{extension if width < wanted else 'trunc'} i{width} {name} to i{wanted}")

    def _shift(self, term: Term) -> str:
        """A shift; an amount of at least the width gives zeros, or copies of the top bit."""
        op, kind, width = term.op, f"i{term.width}", term.width
        value, amount = map(self.operand, term.args)
        if width == 1:
            raise NoTermCode("a shift of one bit")
        fits = self.new(f"icmp ult {kind} {amount}, {width}")
        most = self.new(f"select i1 {fits}, {kind} {amount}, {kind} {width - 1}")
        shifted = self.new(f"{op} {kind} {value}, {most}")
        return shifted if op == "ashr" else self.new(f"select i1 {fits}, {kind} {shifted}, {kind} 0")

    def _division(self, term: Term) -> str:
        """Where the processor would trap, it divides by 1."""
        op, (a, b), signed = term.op, term.args, term.op[0] == "s"
        width = max(_INT, term.width)
        if term.width > _WORD:  # the processor divides words
            if signed or max(a.high, b.high) >> _WORD:
                raise NoTermCode("a division of more than 64 bits")
            width = _WORD
        kind, extension = f"i{width}", "sext" if signed else "zext"
        x, y = [self.resized(self.operand(each), each.width, width, extension) for each in (a, b)]
        by_zero = self.new(f"icmp eq {kind} {y}, 0")
        trap = by_zero
        if signed:
            least, minus = self.new(f"icmp eq {kind} {x}, {-1 << width - 1}"), self.new(f"icmp eq {kind} {y}, -1")
            trap = self.new(f"or i1 {by_zero}, {self.new(f'and i1 {least}, {minus}')}")
        divisor = self.new(f"select i1 {trap}, {kind} 1, {kind} {y}")
        result = self.new(f"{op} {kind} {x}, {divisor}")
        other = x
        if op == "udiv":
            other = str((1 << term.width) - 1)
        elif op == "sdiv":
            other = self.new(f"select i1 {self.new(f'icmp slt {kind} {x}, 0')}, {kind} 1, {kind} -1")
        if term.width > width:
            result = self.new(f"zext {kind} {result} to i{term.width}")
            other = other if op == "udiv" else self.new(f"zext {kind} {other} to i{term.width}")
            return self.new(f"select i1 {by_zero}, i{term.width} {other}, i{term.width} {result}")
        chosen = self.new(f"select i1 {by_zero}, {kind} {other}, {kind} {result}")
        return self.resized(chosen, width, term.width, extension)

    # --- floats ---

    def _float(self, term: Term) -> str:
        op, parameter = term.op, term.parameter
        kind, result = parameter if isinstance(parameter, tuple) else (str(parameter), str(parameter))
        for name in (kind, result):
            if name not in _SUFFIXES:
                raise NoTermCode(name)
        if op in ("fp.from_signed", "fp.from_unsigned"):
            return self._from_integer(term, kind)
        numbers = [self._number(a, kind) for a in term.args]
        if op in ("fp.to_signed", "fp.to_unsigned"):
            return self._to_integer(term, kind, numbers[0])
        if op in _ORDERED:
            return self.new(f"{_ORDERED[op]} {kind} {numbers[0]}, {numbers[1]}")
        if op == "fp.isnan":
            return self.new(f"fcmp uno {kind} {numbers[0]}, {numbers[0]}")
        if op == "fp.convert":
            direction = "fpext" if kind == "float" else "fptrunc"
            return self._pattern(self.new(f"{direction} {kind} {numbers[0]} to {result}"), result)
        if op in ("fp.min", "fp.max"):
            return self._extremum(term, kind, numbers)
        if op in _ROUNDED:
            return self._pattern(self.new(f"{_ROUNDED[op]} {kind} {numbers[0]}, {numbers[1]}"), kind)
        return self._called(op, kind, numbers)

    def _called(self, op: str, kind: str, numbers: Sequence[str]) -> str:
        """An operation of the library, or the square root, which is the processor's."""
        short, long = _SUFFIXES[kind]
        if op != "fp.sqrt" and op not in _LIBRARY:
            raise NoTermCode(op)
        function = f"llvm.sqrt.{long}" if op == "fp.sqrt" else f"{_LIBRARY[op]}{short}"
        self.declared[f"declare {kind} @{function}({', '.join([kind] * len(numbers))})"] = None
        return self._pattern(self.new(f"call {kind} @{function}({', '.join(f'{kind} {n}' for n in numbers)})"), kind)

    def _number(self, term: Term, kind: str) -> str:
        """The float of a pattern."""
        return self.new(f"bitcast i{term.width} {self.operand(term)} to {kind}")

    def _pattern(self, number: str, kind: str) -> str:
        """The pattern of a result."""
        fmt = FORMATS[kind]
        bits = self.new(f"bitcast {kind} {number} to i{fmt.width}")
        is_nan = self.new(f"fcmp uno {kind} {number}, {number}")
        return self.new(f"select i1 {is_nan}, i{fmt.width} {fmt.nan}, i{fmt.width} {bits}")

    def _from_integer(self, term: Term, kind: str) -> str:
        (integer,) = term.args
        if integer.width > _WORD:
            raise NoTermCode(f"a float of {integer.width} bits")
        signed = term.op == "fp.from_signed"
        word = self.resized(self.operand(integer), integer.width, _WORD, "sext" if signed else "zext")
        return self._pattern(self.new(f"{'sitofp' if signed else 'uitofp'} i64 {word} to {kind}"), kind)

    def _to_integer(self, term: Term, kind: str, number: str) -> str:
        """Rounded towards zero; for a NaN and out of range only the top bit is set."""
        width, signed, fmt = term.width, term.op == "fp.to_signed", FORMATS[kind]
        if width > _WORD:
            raise NoTermCode(f"{width} bits of a float")
        size = width - 1 if signed else width
        below = self.new(f"fcmp olt {kind} {number}, {_literal(1 << size, kind)}")
        if not signed:
            above = self.new(f"fcmp ogt {kind} {number}, {_literal(-1, kind)}")
        elif width <= fmt.precision:
            above = self.new(f"fcmp ogt {kind} {number}, {_literal(-(1 << size) - 1, kind)}")
        else:  # nothing lies between -2**size - 1 and -2**size
            above = self.new(f"fcmp oge {kind} {number}, {_literal(-(1 << size), kind)}")
        fits = self.new(f"and i1 {below}, {above}")
        whole = self.new(f"{'fptosi' if signed else 'fptoui'} {kind} {number} to i64")
        cut = self.resized(whole, _WORD, width, "zext")
        return self.new(f"select i1 {fits}, i{width} {cut}, i{width} {1 << width - 1}")

    def _extremum(self, term: Term, kind: str, numbers: Sequence[str]) -> str:
        """C's fmin or fmax: a NaN loses, and -0 is below +0."""
        width, is_min = f"i{term.width}", term.op == "fp.min"
        a, b = map(self.operand, term.args)
        x, y = numbers
        less = self.new(f"fcmp {'olt' if is_min else 'ogt'} {kind} {x}, {y}")
        chosen = self.new(f"select i1 {less}, {width} {a}, {width} {b}")
        same = self.new(f"fcmp oeq {kind} {x}, {y}")
        zero = self.new(f"{'or' if is_min else 'and'} {width} {a}, {b}")
        chosen = self.new(f"select i1 {same}, {width} {zero}, {width} {chosen}")
        for lost, kept in ((y, a), (x, b)):
            is_nan = self.new(f"fcmp uno {kind} {lost}, {lost}")
            chosen = self.new(f"select i1 {is_nan}, {width} {kept}, {width} {chosen}")
        return self._pattern(self.new(f"bitcast {width} {chosen} to {kind}"), kind)


def _literal(value: int, kind: str) -> str:
    """A number that the format has, as LLVM writes it: as the pattern of a double."""
    return f"0x{fp.from_int(value & (1 << 80) - 1, 80, True, 'double'):016X}"


# --- the loop over all inputs ---

RUN = "run"
"""The function's name. It takes the addresses of words and the number of solutions wanted, and returns those found."""


@dataclass(frozen=True, slots=True)
class InputLoop:
    """A loop for each symbol, the first outermost, over its values. The words get the indices of the last solution.

    ``work`` is what all turns cost, in additions.
    """

    text: str
    work: int
    terms: int


def input_loop(symbols: Sequence[Term], values: Sequence[Sequence[int]], constraints: Sequence[Term]) -> InputLoop:
    """The loop that counts the inputs which satisfy the constraints. Raises NoTermCode.

    A term stands in the outermost loop that knows its symbols, and a constraint that fails there goes to the next turn.
    """
    return _LoopWriter(symbols, values).written(constraints)


class _LoopWriter:
    def __init__(self, symbols: Sequence[Term], values: Sequence[Sequence[int]]) -> None:
        self._symbols, self._values = symbols, values
        self._levels = {symbol: level for level, symbol in enumerate(symbols)}
        self._out = TermLines()
        self._tables: list[str] = []
        self._turns = 1
        self._work = 0
        self._label = "entry"

    def written(self, constraints: Sequence[Term]) -> InputLoop:
        if max([symbol.width for symbol in self._symbols]) > WIDEST_TERM:
            raise NoTermCode("a wide symbol")
        terms = postorder(constraints)
        levels = {term: self._level(term) for term in terms if term.op != "const"}
        out = self._out
        for level, symbol in enumerate(self._symbols):
            self._turns *= len(self._values[level])
            self._enter(level, symbol)
            for number, constraint in enumerate(c for c in constraints if levels[c] == level):
                self._compute(postorder((constraint,)))
                self._label = f"hold{level}.{number}"
                out.lines.append(f"  br i1 {out.operand(constraint)}, label %{self._label}, label %next{level}")
                out.lines.append(f"{self._label}:")
            self._compute([term for term in terms if levels.get(term) == level])
            if level + 1 < len(self._symbols):
                out.lines.append(f"  br label %head{level + 1}")
        last = len(self._symbols) - 1
        for level in range(last + 1):
            out.lines += [f"  %o{level} = getelementptr i64, ptr %words, i64 {level}"]
            out.lines += [f"  store i64 %i{level}, ptr %o{level}"]
        out.lines += ["  %k = load i64, ptr %found", "  %more = add i64 %k, 1", "  store i64 %more, ptr %found"]
        out.lines += ["  %enough = icmp eq i64 %more, %wanted", f"  br i1 %enough, label %done, label %next{last}"]
        for level in range(last, -1, -1):
            self._turn(level)
        out.lines += ["done:", "  %all = load i64, ptr %found", "  ret i64 %all", "}"]
        beginning = [f"define i64 @{RUN}(ptr %words, i64 %wanted) {{", "entry:", "  %found = alloca i64"]
        beginning += ["  store i64 0, ptr %found", "  br label %head0"]
        return InputLoop("\n".join([*out.declared, *self._tables, *beginning, *out.lines]), self._work, len(terms))

    def _level(self, term: Term) -> int:
        return max([self._levels[symbol] for symbol in term.symbols], default=0)

    def _compute(self, terms: Sequence[Term]) -> None:
        for term in terms:
            if not self._out.has(term):
                self._out.write(term)
                self._work += self._turns * cost(term)

    def _enter(self, level: int, symbol: Term) -> None:
        """The head of a loop: its index, and the symbol's value."""
        lines, kind = self._out.lines, f"i{symbol.width}"
        lines.append(f"head{level}:")
        lines.append(f"  %i{level} = phi i64 [ 0, %{self._label} ], [ %n{level}, %next{level} ]")
        self._label = f"head{level}"
        self._work += self._turns
        values = self._values[level]
        if isinstance(values, range):
            index = self._out.resized(f"%i{level}", _WORD, symbol.width, "zext")
            mask = (1 << symbol.width) - 1
            scaled = self._out.new(f"mul {kind} {index}, {values.step & mask}")
            self._out.define(symbol, self._out.new(f"add {kind} {scaled}, {values.start & mask}"))
            return
        table = f"[{len(values)} x {kind}]"
        self._tables.append(
            f"@t{level} = internal constant {table} [{', '.join(f'{kind} {value}' for value in values)}]"
        )
        at = self._out.new(f"getelementptr {table}, ptr @t{level}, i64 0, i64 %i{level}")
        self._out.define(symbol, self._out.new(f"load {kind}, ptr {at}"))

    def _turn(self, level: int) -> None:
        """The end of a loop's turn."""
        after = f"next{level - 1}" if level else "done"
        self._out.lines += [f"next{level}:", f"  %n{level} = add i64 %i{level}, 1"]
        self._out.lines += [f"  %d{level} = icmp eq i64 %n{level}, {len(self._values[level])}"]
        self._out.lines += [f"  br i1 %d{level}, label %{after}, label %head{level}"]
