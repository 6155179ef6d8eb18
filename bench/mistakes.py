"""Does `unfork verify` notice mistakes? The verdict on 51 changed proofs, and what it says of each.

A mistake is made in a program that is proved: in the code or in what is specified. None may end `safe`, and each that
ends `unsafe` has a call that was run concretely.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory

from unfork.cli import parse
from unfork.commands.verify.function_proof import Proved
from unfork.commands.verify.verify import Verified, verify

PROGRAMS = Path(__file__).parents[1] / "examples" / "proofs"


@dataclass(frozen=True, slots=True)
class Mistake:
    """``name`` says what is wrong. In the text of ``program``, ``right`` (once) becomes ``wrong``."""

    name: str
    program: str
    right: str
    wrong: str

    def text(self) -> str:
        """The program with the mistake in it."""
        good = (PROGRAMS / self.program).read_text()
        if good.count(self.right) != 1:
            raise ValueError(f"{self.name}: {self.right!r} stands {good.count(self.right)} times in {self.program}")
        return good.replace(self.right, self.wrong)


MISTAKES = (
    # what loops keep
    Mistake("no bounds in the invariant", "fill.c", "loop invariant 0 <= i <= n;\n        loop", "loop"),
    Mistake(
        "no invariant about elements",
        "copy.c",
        "        loop invariant \\forall integer k; 0 <= k < i ==> to[k] == from[k];\n",
        "",
    ),
    Mistake(
        "invariant about one element too many",
        "fill.c",
        "loop invariant \\forall integer k; 0 <= k < i ==>",
        "loop invariant \\forall integer k; 0 <= k <= i ==>",
    ),
    Mistake(
        "a dropped half of a search",
        "binary_search.c",
        "        loop invariant \\forall integer k; high < k < n ==> a[k] > value;\n",
        "",
    ),
    Mistake(
        "the middle of a reversal forgotten",
        "reverse.c",
        "        loop invariant \\forall integer k; low <= k <= high ==> a[k] == \\at(a[k], Pre);\n",
        "",
    ),
    Mistake("the current array for the one before", "reverse.c", "a[k] == \\old(a[n-1-k])", "a[k] == a[n-1-k]"),
    Mistake(
        "an invariant about the wrong end",
        "dutch_flag.c",
        "blue <= k < n ==> a[k] == 2",
        "blue < k < n ==> a[k] == 2",
    ),
    Mistake(
        "a dropped part that sorting leans on",
        "insertion_sort.c",
        "            loop invariant \\forall integer p, q; 0 <= p < j && j < q <= i ==> a[p] <= a[q];\n",
        "",
    ),
    Mistake(
        "an inner invariant that forgets rows",
        "matrix.c",
        "0 <= k < i * 8 + j ==> m[k] == value",
        "i * 8 <= k < i * 8 + j ==> m[k] == value",
    ),
    Mistake(
        "an invariant that is false at first",
        "max.c",
        "loop invariant 1 <= i <= n",
        "loop invariant 2 <= i <= n",
    ),
    # what loops assign, and why they end
    Mistake(
        "a loop that assigns less than it writes",
        "fill.c",
        "loop assigns i, a[0 .. n-1]",
        "loop assigns i, a[0 .. n-2]",
    ),
    Mistake(
        "a loop that assigns the last element only",
        "fill.c",
        "loop assigns i, a[0 .. n-1]",
        "loop assigns i, a[i-1]",
    ),
    Mistake("a loop that assigns no array", "copy.c", "loop assigns i, to[0 .. n-1]", "loop assigns i"),
    Mistake("a measure that stays", "max.c", "loop variant n - i", "loop variant n"),
    Mistake("a measure that grows", "copy.c", "loop variant n - i", "loop variant i"),
    Mistake("a measure below zero", "reverse.c", "loop variant high - low + 2", "loop variant high - low - 2"),
    Mistake("a loop that does not end", "binary_search.c", "high = middle - 1", "high = middle"),
    # what functions ensure, assign and require
    Mistake(
        "a function that assigns less than it writes",
        "fill.c",
        "    assigns a[0 .. n-1];\n    ensures",
        "    assigns a[1 .. n-1];\n    ensures",
    ),
    Mistake(
        "a function that is said to assign nothing",
        "partition.c",
        "    assigns a[0 .. n-1];\n    ensures 0",
        "    assigns \\nothing;\n    ensures 0",
    ),
    Mistake(
        "one element too many is ensured",
        "fill.c",
        "ensures \\forall integer k; 0 <= k < n ==>",
        "ensures \\forall integer k; 0 <= k <= n ==>",
    ),
    Mistake(
        "strictly sorted",
        "insertion_sort.c",
        "ensures \\forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j]",
        "ensures \\forall integer i, j; 0 <= i < j < n ==> a[i] < a[j]",
    ),
    Mistake(
        "an index that may be the length",
        "binary_search.c",
        "ensures -1 <= \\result < n",
        "ensures 0 <= \\result < n",
    ),
    Mistake(
        "elements below the pivot may be equal to it",
        "partition.c",
        "ensures \\forall integer k; \\result <= k < n ==> a[k] >= pivot",
        "ensures \\forall integer k; \\result <= k < n ==> a[k] > pivot",
    ),
    Mistake("the array may be empty", "max.c", "requires n > 0", "requires n >= 0"),
    Mistake(
        "nothing requires a sorted array",
        "binary_search.c",
        "    requires \\forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];\n",
        "",
    ),
    Mistake("a length that nothing bounds from below", "copy.c", "requires n >= 0", "requires n >= -1"),
    Mistake(
        "too little memory is valid",
        "fill.c",
        "requires \\valid(a + (0 .. n-1))",
        "requires \\valid(a + (0 .. n-2))",
    ),
    Mistake("requirements that nothing meets", "fill.c", "requires n >= 0;", "requires n >= 0 && n < 0;"),
    Mistake(
        "elements that cannot be",
        "dutch_flag.c",
        "requires \\forall integer k; 0 <= k < n ==> 0 <= a[k] <= 2",
        "requires \\forall integer k; 0 <= k <= 9 ==> 3 <= a[k] <= 2",
    ),
    Mistake(
        "arrays that may overlap",
        "copy.c",
        "    requires \\separated(to + (0 .. n-1), from + (0 .. n-1));\n",
        "",
    ),
    Mistake(
        "sums over the summands",
        "prefix_sums.c",
        "    requires \\separated(a + (0 .. n-1), sums + (0 .. n-1));\n",
        "",
    ),
    Mistake(
        "sums that overflow",
        "prefix_sums.c",
        "-1000 <= a[k] <= 1000;\n    assigns",
        "-1000 <= a[k];\n    assigns",
    ),
    Mistake(
        "read-only memory is written",
        "reverse.c",
        "requires \\valid(a + (0 .. n-1))",
        "requires \\valid_read(a + (0 .. n-1))",
    ),
    # code
    Mistake("one turn too many", "fill.c", "for (int i = 0; i < n; i++)", "for (int i = 0; i <= n; i++)"),
    Mistake("one turn too few", "copy.c", "for (int i = 0; i < n; i++)", "for (int i = 0; i < n - 1; i++)"),
    Mistake("an index swapped", "partition.c", "            a[below] = other;", "            a[i] = other;"),
    Mistake("the wrong comparison", "max.c", "if (a[i] > largest)", "if (a[i] < largest)"),
    Mistake("a middle that overflows", "binary_search.c", "low + (high - low) / 2", "(low + high) / 2"),
    Mistake("the last element of a row is missed", "matrix.c", "j < COLUMNS; j++", "j < COLUMNS - 1; j++"),
    Mistake(
        "an alias that is written",
        "max.c",
        "            largest = a[i];\n",
        "            largest = *((int *)a + i) = a[i];\n",
    ),
    Mistake(
        "a look before the array",
        "insertion_sort.c",
        "while (j > 0 && a[j - 1] > value)",
        "while (a[j - 1] > value && j > 0)",
    ),
    Mistake("a colour that is not put back", "dutch_flag.c", "            a[blue] = 2;\n", ""),
    # arithmetic and callees
    Mistake("the smallest number", "abs.c", "requires num > -2147483647 - 1;", "requires num >= -2147483647 - 1;"),
    Mistake("a strictly positive absolute value", "abs.c", "ensures \\result >= 0", "ensures \\result > 0"),
    Mistake("numbers of any sign", "dist.c", "requires x > 0 && y > 0", "requires x > -2000000000 && y > 0"),
    Mistake("a sum that is one too large", "pos_sum.c", "        y++;\n", "        y += 2;\n"),
    Mistake("a sum that overflows", "pos_sum.c", "0 < y <= 1000000", "0 < y"),
    Mistake(
        "a callee that promises too little",
        "gcd.c",
        "    ensures big % \\result == 0 && small % \\result == 0;\n",
        "",
    ),
    Mistake(
        "a callee that promises what cannot be",
        "gcd.c",
        "    ensures \\result > 0;\n    ensures big",
        "    ensures \\result > 0 && \\result < 0;\n    ensures big",
    ),
    Mistake("a caller that does not keep to what is required", "gcd.c", "    if (a > b) {", "    if (a < b) {"),
    Mistake("a caller that may pass zeros", "gcd.c", " && (a != 0 || b != 0);", ";"),
)


def outcome(mistake: Mistake, seconds: float) -> tuple[Verified, float]:
    """What verify says of a mistake, and the CPU seconds that it took."""
    before = processor_seconds()
    with TemporaryDirectory() as folder:
        source = Path(folder, mistake.program)
        source.write_text(mistake.text())
        return verified(source, "--max-time", str(seconds)), processor_seconds() - before


def verified(source: Path, *options: str) -> Verified:
    """What verify says of a file."""
    with TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        words = ("verify", str(source), "--quiet", "--out", str(Path(folder, "out")), *options)
        return verify([source], parse(words)[1])


def processor_seconds() -> float:
    """What this process and those that it waited for took so far."""
    own, others = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def rows(mistakes: Sequence[Mistake], seconds: float) -> Iterator[str]:
    """The table, line by line."""
    yield "| mistake | program | verdict | what is said | CPU s |"
    yield "| --- | --- | --- | --- | ---: |"
    for mistake in mistakes:
        found, spent = outcome(mistake, seconds)
        program, said = Path(mistake.program).stem, "; ".join(filter(None, map(said_of, found.functions)))
        yield f"| {mistake.name} | {program} | {found.verdict} | {said} | {spent:.1f} |"


def said_of(proved: Proved) -> str:
    """Why a proof is none, in a word."""
    if proved.broken is not None:
        return f"{proved.broken.kind} in `{proved.broken.call}`"
    left = [f"{each.subject.kind} {each.ending}" for each in proved.obligations if each.ending != "proved"]
    return "" if proved.verdict == "safe" else [*left, *proved.reasons][0]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="for one program")
    parser.add_argument("--only", default="", help="mistakes whose names contain this")
    chosen = parser.parse_args()
    for line in rows([each for each in MISTAKES if chosen.only in each.name], chosen.seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
