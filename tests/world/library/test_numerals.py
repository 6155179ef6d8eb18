"""The text of a symbolic integer is what the system's printf makes of it, for each number that has one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.power import every
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term_table import symbol
from unfork.world.library.numerals import RADIX, Conversion, Numeral

DRIVER = """#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    unsigned long number = strtoul(line, 0, 10);
    if (words[2][0] == '8') printf(words[1], number);
    else printf(words[1], (unsigned)number);
    putchar('\\n');
  }
}
"""
FIELDS = ("", "-14", "+", " ", "+08", "+.3", ".0", "-12.5", "012.5", "# 0-+3", "#.0", "#012")
KINDS = [(length, size, letter) for length, size in (("hh", 1), ("h", 2), ("", 4), ("l", 8)) for letter in "diuoxX"]


@pytest.fixture(scope="module")
def printf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("printf")
    (folder / "driver.c").write_text(DRIVER)
    subprocess.run(["gcc", "-w", "driver.c", "-o", "printf"], cwd=folder, check=True)
    return folder / "printf"


def boundaries(size: int, radix: int) -> list[int]:
    """Numbers at which a digit is added, and their negatives."""
    powers = {radix**count for count in range(64) if radix**count <= 1 << 8 * size} | {1 << 8 * size - 1}
    near = {power + more for power in powers for more in (-1, 0, 1)}
    return sorted({sign * number % (1 << 8 * size) for number in near for sign in (1, -1)})


@pytest.mark.parametrize(("length", "size", "letter"), every([*KINDS], 3))
def test_texts_are_those_of_the_systems_printf(printf: Path, length: str, size: int, letter: str) -> None:
    value = symbol("value", 8 * size)
    numbers = boundaries(size, RADIX.get(letter, 10))
    lines = "".join(f"{number}\n" for number in numbers)
    for field in FIELDS:
        template = f"%{field}{length}{letter}"
        done = subprocess.run([printf, template, str(size)], input=lines, capture_output=True, text=True, check=True)
        numeral = Numeral(_conversion(field, size, letter), value)
        characters, count = numeral.characters(), numeral.length()
        for number, expected in zip(numbers, done.stdout.split("\n"), strict=False):
            model = Model({value: number})
            text = bytes([evaluate(one, model) for one in characters[: evaluate(count, model)]])
            assert text.decode() == expected, (template, number)


def _conversion(field: str, size: int, letter: str) -> Conversion:
    parts = re.fullmatch(r"([-+ #0]*)(\d*)(?:\.(\d*))?", field)
    assert parts is not None
    return Conversion(parts[1], int(parts[2] or 0), None if parts[3] is None else int(parts[3]), size, letter)
