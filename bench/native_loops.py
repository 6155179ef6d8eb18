"""What machine code for hot loops brings: CPU seconds of whole runs with ``--jit never`` and with ``auto``, in pairs.

``python -m bench.native_loops`` runs a CRC over 100 kB, five times and fifty times, and SHA-256 (bench/programs). With
``--sources DIR``, a folder with the C files of zlib, also zlib's ``inflate`` of a fixed file, and a decoder of PNG
files that uses it. ``--only`` names a part of them; any other C file can be named, too, to see what a run loses that
has no hot loop. Each line has the seconds of both, their ratio, and whether both said and counted the same.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ZLIB = ("inflate.c", "inftrees.c", "inffast.c", "zutil.c", "adler32.c", "crc32.c")
WORDS = ("--strategy", "plain", "--cores", "1", "--quiet", "--no-progress", "--native-check", "never")
PAIRS = 3
CRC = """\
#include <assert.h>
#include <stdint.h>
static uint32_t table[256];
static uint8_t data[100000];
int main(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  for (int i = 0; i < 100000; i++) data[i] = (uint8_t)(i * 7 + (i >> 5));
  uint32_t c = ~0u;
  for (int round = 0; round < TIMES; round++)
    for (int i = 0; i < 100000; i++) c = table[(c ^ data[i]) & 0xff] ^ c >> 8;
  assert(~c == EXPECTED);
  return 0;
}
"""
INFLATE = """\
#include <assert.h>
#include "zlib.h"
static const unsigned char packed[] = {PACKED};
static unsigned char plain[SIZE];
int main(void) {
  z_stream stream = {0};
  stream.next_in = (unsigned char *)packed;
  stream.avail_in = sizeof packed;
  stream.next_out = plain;
  stream.avail_out = SIZE;
  assert(inflateInit(&stream) == Z_OK && inflate(&stream, Z_FINISH) == Z_STREAM_END);
  assert(stream.total_out == SIZE && crc32(0, plain, SIZE) == EXPECTED);
  return 0;
}
"""
PNG = """\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "zlib.h"
static const unsigned char file[] = {FILE};
static unsigned char rows[SIDE * (1 + 3 * SIDE)];
static unsigned number(const unsigned char *at) {
  return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}
static int paeth(int a, int b, int c) {
  int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
int main(void) {
  z_stream stream = {0};
  stream.next_out = rows;
  stream.avail_out = sizeof rows;
  assert(inflateInit(&stream) == Z_OK && !memcmp(file, "\\x89PNG\\r\\n\\x1a\\n", 8));
  for (const unsigned char *chunk = file + 8; memcmp(chunk + 4, "IEND", 4); chunk += 12 + number(chunk)) {
    assert(crc32(0, chunk + 4, 4 + number(chunk)) == number(chunk + 8 + number(chunk)));
    if (memcmp(chunk + 4, "IDAT", 4)) continue;
    stream.next_in = (unsigned char *)chunk + 8;
    stream.avail_in = number(chunk);
    inflate(&stream, Z_NO_FLUSH);
  }
  assert(stream.total_out == sizeof rows);
  for (int y = 0; y < SIDE; y++) {
    unsigned char *row = rows + y * (1 + 3 * SIDE) + 1, *above = row - 1 - 3 * SIDE;
    for (int x = 0; x < 3 * SIDE; x++) {
      int a = x < 3 ? 0 : row[x - 3], b = y ? above[x] : 0, c = y && x >= 3 ? above[x - 3] : 0;
      row[x] += row[-1] == 1 ? a : row[-1] == 2 ? b : row[-1] == 3 ? (a + b) / 2 : row[-1] == 4 ? paeth(a, b, c) : 0;
    }
  }
  assert(crc32(0, rows, sizeof rows) == EXPECTED);
  return 0;
}
"""


def listed(data: bytes) -> str:
    """Bytes as C lists them."""
    return ",".join(map(str, data))


def text_of(size: int) -> bytes:
    """A file that is as compressible as prose."""
    rng = random.Random(size)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randrange(2, 9))) for _ in range(900)]
    return " ".join(rng.choices(words, k=size // 3)).encode()[:size]


def inflating(size: int) -> str:
    """The program that inflates so many bytes."""
    data = text_of(size)
    program = INFLATE.replace("PACKED", listed(zlib.compress(data, 9))).replace("SIZE", str(size))
    return program.replace("EXPECTED", f"{zlib.crc32(data):#x}u")


def paeth(a: int, b: int, c: int) -> int:
    """The predictor of the PNG specification, section 9.4."""
    p = a + b - c
    return min((a, b, c), key=lambda x: abs(p - x))


def filtered(rows: list[bytes], number: int) -> bytes:
    """A row under the filter that its number asks for."""
    row, kind = rows[number], number % 5
    above = rows[number - 1] if number else bytes(len(row))
    out = bytearray([kind])
    for x, value in enumerate(row):
        a, b, c = (row[x - 3], above[x], above[x - 3]) if x >= 3 else (0, above[x], 0)
        out.append(value - (0, a, b, (a + b) // 2, paeth(a, b, c))[kind] & 255)
    return bytes(out)


def decoding(side: int) -> str:
    """The program that decodes a picture of so many rows and columns."""
    rng = random.Random(side)
    rows = [bytes((x * y + rng.randrange(9)) // 3 & 255 for x in range(3 * side)) for y in range(side)]
    packed = zlib.compress(b"".join(filtered(rows, y) for y in range(side)), 9)
    header = side.to_bytes(4) * 2 + bytes((8, 2, 0, 0, 0))
    chunks = [
        (b"IHDR", header),
        *[(b"IDAT", packed[i : i + 8192]) for i in range(0, len(packed), 8192)],
        (b"IEND", b""),
    ]
    file = b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4) for kind, data in chunks
    )
    decoded = b"".join(bytes([y % 5]) + row for y, row in enumerate(rows))
    program = PNG.replace("FILE", listed(file)).replace("SIDE", str(side))
    return program.replace("EXPECTED", f"{zlib.crc32(decoded):#x}u")


def checking(times: int) -> str:
    """The program that computes a CRC so many times."""
    data = bytes((i * 7 + (i >> 5)) & 255 for i in range(100_000))
    return CRC.replace("TIMES", str(times)).replace("EXPECTED", f"{zlib.crc32(data * times):#x}u")


def programs(sources: Path | None, scratch: Path) -> dict[str, list[str]]:
    """What is run, by name: the words for the compiler's input."""
    texts = {"crc-5": checking(5), "crc-50": checking(50)}
    if sources is not None:
        texts |= {f"inflate-{size // 1000}k": inflating(size) for size in (100_000, 1_000_000)}
        texts |= {f"png-{side}": decoding(side) for side in (32, 256)}
    chosen: dict[str, list[str]] = {}
    for name, text in texts.items():
        file = scratch / f"{name}.c"
        file.write_text(text)
        chosen[name] = [str(file)]
        if "zlib.h" in text:
            assert sources is not None
            chosen[name] += [*(str(sources / each) for each in ZLIB), "-I", str(sources)]
    chosen["sha256"] = [str(HERE / "programs" / "sha256.c")]
    return chosen


def spent(words: list[str], jit: str, out: Path) -> tuple[float, tuple[object, ...]]:
    """CPU seconds of a run and of all its processes, and what it came to."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "unfork", "run", *words, *WORDS, "--jit", jit, "--out", str(out)]
    subprocess.run(command, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = json.loads((out / "summary.json").read_text())
    counts = (summary["verdict"], summary["instructions"], summary["paths"]["completed"], summary["forks"])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, counts


def main() -> None:
    """Print a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, help="a folder with zlib's C files")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="programs, or C files (default: all programs)")
    given = parser.parse_args()
    print("program\tnever\tauto\tratio\tinstructions\tsame", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        known = programs(given.sources, Path(scratch))
        for name in given.only or known:
            words = known.get(name, [name])
            runs = [
                (jit, *spent(words, jit, Path(scratch) / f"{Path(name).stem}-{jit}-{pair}"))
                for pair in range(PAIRS)
                for jit in ("never", "auto")
            ]
            never, auto = (min(seconds for which, seconds, _ in runs if which == jit) for jit in ("never", "auto"))
            same = len({counts for _, _, counts in runs}) == 1
            done = runs[0][2][1]
            print(f"{name}\t{never:.2f}\t{auto:.2f}\t{never / auto:.2f}\t{done:,}\t{same}", flush=True)


if __name__ == "__main__":
    main()
