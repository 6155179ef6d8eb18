"""Does a proof of mlkem-native end when its function is broken? Each proved function is changed in three ways.

A loop goes one turn too far, a reduction is dropped or a constant or an operator is another, an index is one too large:
the script makes the changes itself, in a copy of the sources, and what must come out is `unsafe` or `unknown`. A change
that the contract allows is listed with the reason (EQUIVALENT).

    git clone https://github.com/pq-code-package/mlkem-native DIR && git -C DIR checkout d1b2fe782888
    python -m bench.mutants_of_proofs --sources DIR [--functions GLOB] [--seconds S] [--minutes M]
"""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.mistakes import processor_seconds, said_of, verified
from unfork.commands.verify.function_proof import Proved
from unfork.errors import CompileError, InputError
from unfork.program.c.syntax import Layout, blank

COMMIT = "d1b2fe782888bdb761a50336012923180be7f502"
SOURCES = "mlkem/src"
FLAGS = "-DCBMC -I {root}/mlkem/src -I {root}/mlkem -DMLK_CONFIG_PARAMETER_SET=768 -w"
NAMESPACE = "PQCP_MLKEM_NATIVE_MLKEM768_"
WAYS = 3
TRIES = 9
"""So many changes that a contract allows may be tried."""
_MEMORY = "the contract is about memory alone, and this value is stored, not used in an address"
_LESS = "the contract only bounds the result, which stays below"
_SIGN = "the same: all these bits are copies of the sign"
EQUIVALENT = (
    ("mlk_ct_cmask_neg_i16", r"line 214: `\(16 - 1\)`", _SIGN),
    ("mlk_montgomery_reduce", r"line (71|75|8\d|9\d): ", "the contract says nothing of the result"),
    ("mlk_scalar_decompress_d4", r"line 135: ", _LESS),
    ("*shake128_absorb_once", r"`\(4 \* 0x1F", _MEMORY),
    ("*shake128x4_absorb_once", r"`\(4 \* (0|0x1F) \+", _MEMORY),
    ("*shake256*", r"`\(4 \* 0x1F", _MEMORY),
    ("*sha3_*", r"`\(4 \* 0x06", _MEMORY),
    ("*sha3_*", r"`\(4 \* 25 \+ 5\)`", "a local array that is larger than what is used"),
    ("*indcpa_dec", r"line 626: ", "a local array that is larger than what is used"),
    ("*check_sk", r"line 83: ", "the value is overwritten where it would be returned"),
    ("*check_sk", r"line 109: ", "the key is read elsewhere, within its bounds"),
    ("*keypair", r"line 281: ", "the value is overwritten where it would be returned"),
    ("*keypair", r"line 286: ", "a local array is never null"),
    ("*keypair", r"line (291|293|299): ", "any result is allowed that the rest may have"),
    ("*_enc", r"line 370: ", "the value is overwritten where it would be returned"),
    ("*_enc", r"line 375: ", "a local array is never null"),
    ("*_enc", r"line (379|381|387): ", "any result is allowed that the rest may have"),
    (
        "mlk_keccak_absorb_once*",
        r"line (67|93): `\+` for `-`",
        "less than a block is left, so the branch is never taken",
    ),
    ("mlk_keccakf1600x4_*_bytes_c", r"line (103|151): `-` for `\+`", "the same: it is times 0"),
    ("*keccakf1600x4_permute", r"line 187: `-` for `\+`", "the same: it is times 0"),
    ("mlk_keccakf1600_permute_c", r"line 2[67]\d: ", _MEMORY),
    ("mlk_keccakf1600_permute_c", r"line 285: `\(round\) \+ 1`", "the same array's next element: rounds are even here"),
    ("mlk_poly_compress_d4_c", r"line 67: ", _MEMORY),
    ("mlk_poly_tobytes_c", r"line (604|613|617): ", f"{_MEMORY}; the index is one of 3 * i to 3 * i + 2"),
    ("mlk_poly_tobytes_c", r"line 595: ", "2 * i + 1 is an index, too"),
    ("mlk_poly_frombytes_c", r"line (656|657): ", "3 * i + 2 is an index, too"),
    ("mlk_poly_frombytes_c", r"line 664: `\(8 \+ 1\)`", "the mask keeps 12 bits, which is all that is promised"),
    ("mlk_poly_frombytes_c", r"line 665: `\(4 - 1\)`", "5 bits beside t2 << 4 still are 12 bits"),
    ("*poly_frommsg", r"line 721: `\\\|`", "another of the two values is selected: the contract bounds both"),
    ("*poly_tomsg", r"line 746: `\(4 \* 0", _MEMORY),
    ("mlk_fqmul", r"line 61: `\(res\) \+ 1`", "the contract's bound is not the least one: 2497 of 3329"),
    ("mlk_rej_uniform_c", r"line 66: `\(pos \+ 0\) \+ 1`", "two more bytes are there: pos + 3 <= buflen"),
)
"""Changes that contracts allow: names of functions, how the changes are shown, and the reason."""
HEAD = ("function", "change", "verdict", "what is said", "CPU s")

_STATED = re.compile(r"\b(?:__contract__|__loop__|mlk_assert\w*)\s*(?=\()")
_LOOP = re.compile(r"\b(?:for|while)\s*(?=\()")
_RELATION = re.compile(r"(?<![<>=!\-])(<=|>=|<|>)(?![<>=])")
_REDUCTION = re.compile(r"\b(mlk_\w*(?:reduce|fqmul)\w*)\s*(?=\()")
_CONSTANT = re.compile(r"(?<![\w.\"'])(?:0[xX][0-9a-fA-F]+|\d+|MLKEM_Q(?:_HALF)?)(?![\w.])")
_OPERATOR = re.compile(r"(?<=\s)(\+|-|\^|&|\|)(?=\s)")
_SHIFT = re.compile(r"(<<|>>)=?\s*(\d+)\b")
_RETURNED = re.compile(r"\breturn\s+([^;]+)")
_OTHER = {"+": "-", "-": "+", "^": "&", "&": "|", "|": "&"}
_ASSIGNMENT = re.compile(r"(?<=[;{}])\s*([\w\[\]>.*-]+\s*[-+*&|^>]{0,2}=(?!=)[^;]*;)")
_DECLARED = re.compile(
    r"(?:^|[;{}(,])\s*(?:(?:const|static|MLK_ALIGN|unsigned)\s+)*(?!return\b)\w+\s+\**\w+\s*(?:\[[^\]]*\]\s*)*$"
)


@dataclass(frozen=True, slots=True)
class Change:
    """From ``start`` to ``end`` a file's text becomes ``new``."""

    start: int
    end: int
    new: str

    def of(self, text: str) -> str:
        """The changed text."""
        return text[: self.start] + self.new + text[self.end :]

    def shown(self, text: str) -> str:
        """The change in words."""
        old = " ".join(text[self.start : self.end].split())
        line = text.count("\n", 0, self.start) + 1
        return f"line {line}: `{' '.join(self.new.split())}` for `{old}`".replace("|", "\\|")


def closing(code: str, opening: int) -> int:
    """Where the bracket at ``opening`` closes."""
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0:
            return at
    raise ValueError("a bracket does not close")


def blanked(code: str, start: int, end: int) -> str:
    """The code with blanks from ``start`` to ``end``."""
    return code[:start] + blank(code[start:end]) + code[end:]


def bodies_of(code: str, name: str) -> Iterator[tuple[int, int]]:
    """Where the bodies of a function's definitions begin and end, in a code whose contracts are blank."""
    for match in re.finditer(rf"\b{name}\s*(?=\()", code):
        end = closing(code, match.end()) + 1
        rest = code[end:]
        if rest.lstrip().startswith("{"):
            opening = end + len(rest) - len(rest.lstrip())
            yield opening, closing(code, opening)


def code_of(text: str) -> str:
    """The text with blanks for comments, directives and whatever is stated."""
    code = Layout(text).code
    for match in reversed(list(_STATED.finditer(code))):
        code = blanked(code, match.start(), closing(code, match.end()) + 1)
    return code


def changes(code: str, start: int, end: int) -> list[Change]:
    """The changes of a body, those of each kind in turn; then assignments are dropped, and results changed."""
    loops = list(_of_loops(code, start, end))
    for match in _LOOP.finditer(code, start, end):
        code = blanked(code, match.start(), closing(code, match.end()) + 1)
    indices = sorted(_of_indices(code, start, end), key=_likelihood)
    sums = list(_of_arithmetic(code, start, end))
    in_turn = zip_longest(loops, sums, indices)
    statements = [Change(*match.span(1), ";") for match in _ASSIGNMENT.finditer(code, start, end)]
    returns = [Change(*match.span(1), f"({match[1]}) + 1") for match in _RETURNED.finditer(code, start, end)]
    return [*[change for each in in_turn for change in each if change is not None], *statements, *returns]


def _of_loops(code: str, start: int, end: int) -> Iterator[Change]:
    """A turn too many."""
    for match in _LOOP.finditer(code, start, end):
        head = match.end() + 1
        limit = closing(code, match.end())
        if match[0].startswith("for"):
            head = code.index(";", head) + 1
            limit = code.index(";", head)
        for relation in _RELATION.finditer(code, head, limit):
            new = {"<": "<=", ">": ">=", "<=": "<= 1 +", ">=": ">= -1 +"}[relation[1]]
            yield Change(relation.start(), relation.end(), new)


def _of_indices(code: str, start: int, end: int) -> Iterator[Change]:
    """An element too far."""
    for match in re.finditer(r"(?<=[\w\])])\s*\[", code[start:end]):
        opening = start + match.end() - 1
        if not _DECLARED.search(code[start : start + match.start()]):
            shut = closing(code, opening)
            yield Change(opening + 1, shut, f"({code[opening + 1 : shut]}) + 1")


def _likelihood(change: Change) -> int:
    """Where an index that is one more may be too large: where it is no number, or a large one."""
    number = re.match(r"\(\s*(\d+)\s*\)", change.new)
    return -int(number[1]) if number else -sys.maxsize


def _of_arithmetic(code: str, start: int, end: int) -> Iterator[Change]:
    """A reduction less, a shift by another number, another operator, another constant."""
    for match in _REDUCTION.finditer(code, start, end):
        shut = closing(code, match.end())
        first = code[match.end() + 1 : shut].split(",", maxsplit=1)[0]
        yield Change(match.start(), shut + 1, f"(int16_t)({first})")
    for match in re.finditer(r"\[", code[start:end]):
        code = blanked(code, start + match.end(), closing(code, start + match.start()))
    for match in _SHIFT.finditer(code, start, end):
        yield Change(*match.span(2), f"({match[2]} {'-' if match[1] == '>>' else '+'} 1)")
    operators = [Change(*match.span(), _OTHER[match[1]]) for match in _OPERATOR.finditer(code, start, end)]
    constants = [Change(*match.span(), f"(4 * {match[0]} + 5)") for match in _CONSTANT.finditer(code, start, end)]
    for pair in zip_longest(operators, constants):
        yield from (each for each in pair if each is not None)


def _place(root: Path, name: str) -> tuple[Path, str, list[Change]] | None:
    """The file that defines a function, its text, and the changes of it."""
    texts = {file: file.read_text() for file in sorted((root / SOURCES).rglob("*.[ch]"))}
    named = rf"#define\s+(\w+)\s+MLK_NAMESPACE\w*\({name.removeprefix(NAMESPACE)}\)"
    plain = next((match[1] for text in texts.values() if (match := re.search(named, text))), name)
    for file, text in texts.items():
        if plain in text:
            code = code_of(text)
            bodies = list(bodies_of(code, plain))
            if bodies:
                return file, text, [change for body in bodies for change in changes(code, *body)]
    return None


def broken(root: Path, source: Path, name: str, options: list[str]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """A row for each change of a proved function, and whether it is no longer proved, or may be: three are not."""
    place = _place(root, name)
    if place is None:
        yield (name, "not found in the sources", "", "", ""), False
        return
    file, text, possible = place
    done = tries = 0
    for change in possible:
        if done == WAYS or tries == TRIES:
            return
        before = processor_seconds()
        with contextlib.suppress(CompileError, InputError):
            _proof(source, name, options, file, text, Change(change.start, change.end, "@"))
            continue  # the preprocessor leaves out what is here
        try:
            proof = _proof(source, name, options, file, text, change)
        except (CompileError, InputError):
            continue  # the change makes no program
        shown = change.shown(text)
        reason = next((why for where, how, why in EQUIVALENT if fnmatch(name, where) and re.search(how, shown)), "")
        done += proof.verdict != "safe"
        tries += 1
        said = reason if proof.verdict == "safe" else said_of(proof)
        cells = (name, shown, proof.verdict, said, f"{processor_seconds() - before:.1f}")
        yield cells, proof.verdict != "safe" or bool(reason)


def _proof(source: Path, name: str, options: list[str], file: Path, text: str, change: Change) -> Proved:
    """What verify says of a function while a file is changed."""
    file.write_text(change.of(text))
    try:
        return verified(source, "--function", name, *options).functions[0]
    finally:
        file.write_text(text)


def rows(root: Path, pattern: str, seconds: float, end: float) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The rows of all functions that are proved and whose name matches, each once."""
    options = ["--cflags", FLAGS.format(root=root), "--max-time", str(seconds)]
    seen: set[str] = set()
    for source in sorted((root / SOURCES).rglob("*.c")):
        try:
            proofs = verified(source, *options[:2], "--max-time", str(5 * seconds)).functions
        except (CompileError, InputError) as error:
            print(f"{source.name}: {str(error).partition(chr(10))[0]}", file=sys.stderr)
            continue
        for proof in proofs:
            name = proof.function
            is_new = name not in seen and fnmatch(name, pattern)
            seen.add(name)
            if time.monotonic() > end:
                return
            if is_new and proof.verdict == "safe":
                yield from broken(root, source, name, options)


def main() -> int:
    """Print the table; 1 if a broken function is proved that may not be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True, help=f"mlkem-native at commit {COMMIT}")
    parser.add_argument("--functions", default="*", help="a pattern of names")
    parser.add_argument("--seconds", type=float, default=10.0, help="for one proof")
    parser.add_argument("--minutes", type=float, default=15.0, help="after which no other function is begun")
    chosen = parser.parse_args()
    if not (chosen.sources / SOURCES).is_dir():
        print(f"{chosen.sources}: no {SOURCES} here", file=sys.stderr)
        return 2
    print(f"| {' | '.join(HEAD)} |\n| --- | --- | --- | --- | ---: |")
    status, count, survivors = 0, 0, 0
    with TemporaryDirectory() as scratch:
        root = Path(scratch, "sources")
        shutil.copytree(chosen.sources / "mlkem", root / "mlkem")
        for cells, is_good in rows(root, chosen.functions, chosen.seconds, time.monotonic() + 60 * chosen.minutes):
            print(f"| {' | '.join(cells)} |" + ("" if is_good else " **proved**"), flush=True)
            status |= not is_good
            count += 1
            survivors += cells[2] == "safe"
    print(f"\n{count} changes, of which {survivors} are still proved")
    return status


if __name__ == "__main__":
    sys.exit(main())
