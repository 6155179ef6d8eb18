"""What does a corpus cost? A seed of 64 KB beside one of 1 KB, of which a path reads 1 KB, and a thousand files.

    python -m bench.fuzz_seeds

CPU seconds of whole commands, medians of ``TIMES`` in turns, that end once the corpus was looked at. A file takes about
60,000 instructions here: ``unfork fuzz`` runs all of them natively, ``unfork run`` once they take long, and both
interpret those that take an edge of their own.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import processors
from bench.fuzz_targets import environment
from bench.tables import table

TIMES = 3
SMALL, LARGE = 1 << 10, 1 << 16
FILES = 1000
LONGEST = 600.0
MOST_RATIO, MOST_START = 1.3, 10.0
"""The targets: how much more a large seed may cost, and CPU seconds of a start."""
ONCE = ("--strategy", "plain", "--max-instructions", "1")
"""Ends a run after its corpus."""
READS = """
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned open = 0, words = 0;
  for (size_t at = 0; at < size && at < 1024; at++) {
    if (data[at] == '(') open++;
    if (data[at] == ')' && open) open--;
    if (data[at] == ' ') words++;
  }
  return open > 900 && words > 90 ? -1 : 0;
}
"""
"""Looks at the first 1,024 bytes."""
WORDS = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static const char *const words[] = {"begin", "end", "if", "while", "return", "break", "case", "goto"};
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int found = 0;
  for (size_t at = 0; at < size && at < 256; at++)
    for (unsigned word = 0; word < 8; word++)
      if (size - at >= strlen(words[word]) && !memcmp(data + at, words[word], strlen(words[word]))) found |= 1 << word;
  return found == 255 ? -1 : 0;
}
"""
"""Takes different edges with the words of a file."""


def text(count: int, seed: int) -> bytes:
    """Words, blanks and parentheses."""
    chance = random.Random(seed)
    words = [b"begin", b"end", b"(", b")", b"if", b"while", b"x", b"return", b"12", b"case"]
    made = b""
    while len(made) < count:
        made += chance.choice(words) + b" "
    return made[:count]


def spent(words: Sequence[str], folder: Path, cpu: float = LONGEST) -> float:
    """CPU seconds of a command of unfork in a folder."""
    command = [sys.executable, "-m", "unfork", *words, "--no-progress", "--cores", "1"]
    return processors.run(command, folder, environment(), 20 * LONGEST, cpu).cpu


def seeds(folder: Path) -> list[float]:
    """The CPU seconds of runs from a small and a large seed, in turns."""
    (folder / "reads.c").write_text(READS)
    costs: dict[int, list[float]] = {SMALL: [], LARGE: []}
    for size in costs:
        (folder / f"seed{size}").mkdir()
        (folder / f"seed{size}" / "seed").write_bytes(text(SMALL, 1).ljust(size, b"x"))
    for number in range(TIMES + 1):  # the first one builds
        for size, known in costs.items():
            words = ["run", "reads.c", "--corpus", f"seed{size}", "--out", f"run{size}-{number}", *ONCE]
            known.append(spent(words, folder))
    return [statistics.median(known[1:]) for known in costs.values()]


def starts(folder: Path) -> list[float]:
    """The CPU seconds of a run, and of fuzzing for a second, from many files."""
    (folder / "words.c").write_text(WORDS)
    (folder / "corpus").mkdir()
    for number in range(FILES):
        (folder / "corpus" / f"{number:04}").write_bytes(text(16 + number % 240, number))
    words = ["words.c", "--corpus", "corpus", "--corpus-out", "more", "--out"]
    spent(["fuzz", *words, "built", "--max-time", "1s"], folder)
    run = spent(["run", *words, "run", *ONCE], folder)
    return [
        run,
        statistics.median(spent(["fuzz", *words, f"fuzz{n}", "--max-time", "1s"], folder) for n in range(TIMES)),
    ]


def main() -> int:
    """Print the table. The status is 1 where a target is missed."""
    with tempfile.TemporaryDirectory(prefix="unfork-fuzz-seeds-") as name:
        small, large = seeds(Path(name))
        run, fuzz = starts(Path(name))
    ratio = large / small
    rows = [
        ((f"a seed of {SMALL:,} bytes", f"{small:.2f}", ""), True),
        ((f"a seed of {LARGE:,} bytes", f"{large:.2f}", f"{MOST_RATIO} times; it is {ratio:.2f}"), ratio <= MOST_RATIO),
        ((f"run from {FILES:,} files", f"{run:.2f}", f"{MOST_START:.0f}"), run <= MOST_START),
        ((f"a second of fuzz from {FILES:,} files", f"{fuzz:.2f}", f"{MOST_START:.0f}"), fuzz <= MOST_START),
    ]
    return table("What a corpus costs", ("what", "CPU s", "at most"), rows)


if __name__ == "__main__":
    sys.exit(main())
