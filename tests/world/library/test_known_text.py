"""The text of known arguments is what the system's printf makes of them, or is left to musl."""

from __future__ import annotations

import random
import struct
import subprocess
from pathlib import Path

import pytest

from tests.support.power import examples
from tests.support.runs import explore, written
from unfork.report.record.kept_run import read_test
from unfork.world.library.known_text import MOST, STAR, Directive, _float_text, _integer_text, parts_of
from unfork.world.library.numerals import Conversion

DRIVER = r"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char line[200];
  while (fgets(line, sizeof line, stdin)) {
    char *format = strtok(line, "\t"), *kind = strtok(0, "\t");
    unsigned long word = strtoul(strtok(0, "\t"), 0, 10);
    double number;
    memcpy(&number, &word, 8);
    switch (*kind) {
    case 'f': printf(format, number); break;
    case '8': printf(format, word); break;
    default: printf(format, (unsigned)word); break;
    }
    putchar('\n');
  }
}
"""
FIELDS = ("", "-14", "+", " ", "+08", "+.3", ".0", "-12.5", "012.5", "# 0-+3", "#.0", "#012", "+-020.12", "# .7", "025")
FLOATS = (0.0, -0.0, 1.0, 0.1, -2.5, 0.5, 1.5, 999999.5, 1e15, 1e16, 123456.789, 5e-324, 1.7976931348623157e308, 1e-5)


@pytest.fixture(scope="module")
def printf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("printf")
    (folder / "driver.c").write_text(DRIVER)
    subprocess.run(["gcc", "-w", "driver.c", "-o", "printf"], cwd=folder, check=True)
    return folder / "printf"


def said_by_system(printf: Path, questions: list[tuple[str, str, int]]) -> list[str]:
    lines = "".join(f"{template}\t{kind}\t{word}\n" for template, kind, word in questions)
    done = subprocess.run([printf], input=lines, capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def directive(template: str) -> Directive:
    parts = parts_of(template.encode())
    assert parts is not None and isinstance(parts[1], Directive)
    return parts[1]


def test_integers(printf: Path) -> None:
    numbers = [0, 1, 7, 8, 9, 10, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1, 10**9]
    asked = [
        (f"%{field}{length}{letter}", "8" if length in ("l", "z", "j", "ll") else "4", number)
        for field in FIELDS
        for length in ("hh", "h", "", "l", "ll", "z", "j")
        for letter in "diuoxX"
        for number in numbers
    ]
    for (template, _, number), expected in zip(asked, said_by_system(printf, asked), strict=True):
        part = directive(template)
        conversion = Conversion(part.flags, part.width, part.precision, part.size, part.letter)
        value = number & (1 << 8 * part.size) - 1
        assert _integer_text(conversion, value).decode() == expected, (template, number)


def test_floats(printf: Path) -> None:
    choose, of_floats = random.Random(4), [field for field in FIELDS if "#" not in field]
    words = [struct.unpack("<Q", struct.pack("<d", value))[0] for value in FLOATS]
    while len(words) < 60:
        word = choose.getrandbits(64)
        if word >> 52 & 0x7FF != 0x7FF:
            words.append(word)
    asked = [(f"%{field}{letter}", "f", word) for field in of_floats for letter in "fFeEgG" for word in words]
    for (template, _, word), expected in zip(asked, said_by_system(printf, asked), strict=True):
        part = directive(template)
        text = _float_text(word, part.flags, part.width, part.precision, part.letter)
        assert text.decode() == expected, (template, word)


@pytest.mark.parametrize(
    "template", ["%n", "%p", "%m", "%ls", "%lc", "%Lf", "%a", "%llf", "%hs", "%1$d", "%'d", "%", "%-%", "%q", "% %"]
)
def test_what_is_rare_is_left_to_musl(template: str) -> None:
    assert parts_of(f"a {template}".encode()) is None


def test_formats_are_taken_apart() -> None:
    assert parts_of(b"no directive") == (b"no directive",)
    assert parts_of(b"%d%%\n") == (b"", Directive("", 0, None, 4, "d"), b"", b"%", b"\n")
    assert directive("%-+*.*hhx") == Directive("-+", STAR, STAR, 1, "x")
    assert directive("%.s").precision == 0
    assert directive("%.3lf") == directive("%.3f")
    assert directive(f"%{MOST + 1}d").width == MOST + 1


def statement(choose: random.Random) -> str:
    """A call that prints known values, some of which run as musl's code in any case."""
    flags = "".join(choose.sample("-+ 0#", choose.randrange(3)))
    width, precision = choose.choice(["", "", "7", "12", "*"]), choose.choice(["", "", ".0", ".3", ".*"])
    length, letter = choose.choice(
        [("", letter) for letter in "diuoxXcsfgEpm%"] + [(size, "d") for size in ("hh", "h", "l", "ll", "z")]
    )
    if letter == "%":
        flags = width = precision = ""
    stars = [str(choose.randint(-9, 9)) for _ in range((width == "*") + (precision == ".*"))]
    number = choose.choice([0, 1, -1, 7, 255, -300, 2**31 - 1, 10**9, choose.getrandbits(31)])
    value = {
        "s": '"a string"',
        "f": "0.1 * 37",
        "g": "1e9 / 7",
        "E": "-12.75",
        "p": "(void *)0",
        "m": None,
        "%": None,
    }.get(letter, f"(long){number}" if length in ("l", "ll", "z") else str(number))
    arguments = ", ".join([f'"<%{flags}{width}{precision}{length}{letter}>\\n"', *stars, *([value] if value else [])])
    if choose.random() < 0.3:
        return f'size = snprintf(text, {choose.randint(1, 20)}, {arguments}); printf("%d %s|", size, text);'
    return choose.choice(
        [f"printf({arguments});", f"fprintf(stdout, {arguments});", 'puts("text"); fputs("more", stdout);']
    )


def test_what_is_printed_at_once_is_what_musl_prints(tmp_path: Path) -> None:
    choose = random.Random(9)
    lines = "\n".join(statement(choose) for _ in range(examples(150, 3)))
    main = "int main(int count, char **words) { char text[32]; int size; if (count != 1) return 1;"
    program = f"#include <stdio.h>\n{main}\n{lines}\nreturn 0; }}\n"
    source = written(program, tmp_path)
    at_once = explore(source, tmp_path / "at_once", "--prune", "none")
    by_musl = explore(source, tmp_path / "by_musl", "--prune", "interpolate")
    [one], [other] = at_once.tests, by_musl.tests
    printed = read_test(one).stdout
    assert printed and printed == read_test(other).stdout
    assert 3 * at_once.summary["instructions"] < by_musl.summary["instructions"]
