"""How fast are concrete code and plain paths, beside KLEE? Seconds, paths, instructions a second and MB.

``python -m bench.throughput [NAME...] [--klee PATH --clang PATH]`` explores small programs with one path, or path by
path to the end. KLEE's seconds were measured on another machine (-O0 bitcode), unless ``--klee`` names one to run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import factorial

from bench.measure import EXAMPLES, PROGRAMS, Case, compare

CONCRETE = (
    Case(PROGRAMS / "crc32.c", "5x100 kB", (), 2.7, target=1.0, paths=1),
    Case(PROGRAMS / "sha256.c", "100 KiB", (), 5.2, target=1.0, paths=1),
    # A tenth of the 5 million iterations that take KLEE 27 seconds.
    Case(PROGRAMS / "arithmetic.c", "500,000", (), 2.7, paths=1),
)


def many_paths() -> Iterator[Case]:
    """Every program at its sizes; the numbers of paths are derived in the programs' headers."""
    for n, length, klee, target in ((3, 3, 0.1, None), (4, 5, 0.4, None), (5, 5, 2.9, 10.0)):
        paths = 3 * length * (length + 1) ** (n - 1)
        yield Case(EXAMPLES / "echo.c", f"{n},{length}", (f"N={n}", f"L={length}"), klee, target=target, paths=paths)
    for size, klee in zip((4, 5, 6, 7), (0.7, 0.9, 2.8, 7.4), strict=True):
        target = 3.0 if size == 7 else None
        yield Case(EXAMPLES / "regexp.c", str(size), (f"SIZE={size}",), klee, verdict="unsafe", target=target)
    for size, klee in zip((4, 5, 6, 7), (0.5, 0.8, 1.8, 7.2), strict=True):
        target = 3.0 if size == 7 else None
        yield Case(EXAMPLES / "regexp_safe.c", str(size), (f"SIZE={size}",), klee, target=target)
    for source, seconds in (
        (EXAMPLES / "bubble_sort.c", (0.7, 4.7, 38.0)),
        (PROGRAMS / "insertion_sort.c", (0.7, 4.4, 33.0)),
    ):
        for k, klee in zip((4, 5, 6), seconds, strict=True):
            target = 0.5 if (source.stem, k) == ("bubble_sort", 6) else None
            yield Case(source, str(k), (f"K={k}",), klee, target=target, paths=factorial(k))
    for k, klee, paths in ((4, 1.1, 33), (5, 8.9, 194), (6, 83.0, 1359)):
        yield Case(PROGRAMS / "selection_sort.c", str(k), (f"K={k}",), klee, paths=paths)
    for other in (1, 2):
        for size, klee in ((10, 0.3), (12, 1.0)):
            defines = (f"MAX={size}", f"OTHER={other}")
            yield Case(EXAMPLES / "malloc_diamond.c", f"{size} (+{other})", defines, klee, paths=1 << size)
    for bits, klee in ((8, 1.6), (10, 6.2)):
        yield Case(PROGRAMS / "popcount.c", str(bits), (f"BITS={bits}",), klee, paths=1 << bits)
    for k, klee in ((8, 0.3), (32, 0.9), (128, 3.5)):
        yield Case(PROGRAMS / "binary_search.c", str(k), (f"K={k}",), klee, paths=2 * k + 1)


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", (*CONCRETE, *many_paths())))
