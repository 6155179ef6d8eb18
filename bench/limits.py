"""Does --max-time hold? Seconds asked and taken of programs that once took two to four times what they were given.

``python -m bench.limits [--time SECONDS] [--programs NAMES]``: seconds of the whole process, those of the run by
summary.json, and how many tests were written. The limit holds within 2 s and a tenth.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.tables import markdown

CASES = 9_000
FUNCTIONS = 20_000
ELEMENTS = 100_000


def switch() -> str:
    """One fork into 9,001 states, each of which is worth a test."""
    cases = "\n".join(f"    case {i}: return {i * 7 % 9001};" for i in range(CASES))
    return f"""#include <unfork.h>
int pick(int x) {{ switch (x) {{
{cases}
    default: return -1; }} }}
int main(void) {{ int x; unfork_symbolic(&x, sizeof x, "x"); return pick(x) & 1; }}
"""


def unwritten(body: str) -> str:
    """A loop over a local array that nobody wrote."""
    loop = f"for (int i = 0; i < {ELEMENTS}; i++) {body}"
    return f"int main(void) {{ int a[{ELEMENTS}]; long s = 0; {loop} return s & 1; }}\n"


def functions(body: str) -> str:
    """Many functions, each called once."""
    defined = "\n".join(f"int f{i}(int x) {{ {body.replace('NUMBER', str(i))} }}" for i in range(FUNCTIONS))
    called = "\n".join(f"  s += f{i}(s);" for i in range(FUNCTIONS))
    return f"""#include <unfork.h>
{defined}
int main(void) {{ int s; unfork_symbolic(&s, sizeof s, "s");
{called}
  return s & 1; }}
"""


def query() -> str:
    """One query that no solver answers."""
    return """#include <unfork.h>
int main(void) { unsigned long long a, b; unfork_symbolic(&a, 8, "a"); unfork_symbolic(&b, 8, "b");
  unfork_assume(a > 1 && b > 1 && a < (1ull << 32) && b < (1ull << 32));
  return a * b == 0x7fffffffffffffe7ull; }
"""


def strings() -> str:
    """Lengths and copies of symbolic strings."""
    return """#include <string.h>
#include <unfork.h>
int main(void) { char s[400], t[400]; unfork_symbolic(s, sizeof s, "s"); s[399] = 0;
  strcpy(t, s); return strlen(t) == 200 && !strcmp(t + 100, s + 90); }
"""


def errors() -> str:
    """Thousands of errors, each replayed."""
    checks = "\n".join(f"  if (x == {i}) unfork_check(x != {i});" for i in range(3_000))
    return f"""#include <unfork.h>
int main(void) {{ unsigned x; unfork_symbolic(&x, sizeof x, "x");
{checks}
  return 0; }}
"""


def paths() -> str:
    """More paths than any time suffices for."""
    return """#include <unfork.h>
int main(void) { unsigned char s[24]; int n = 0; unfork_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 24; i++) if (s[i] > i) n += s[i] & 3; else n ^= i;
  return n > 7; }
"""


def printing() -> str:
    """Numbers that are not known, printed one after the other."""
    return """#include <stdio.h>
#include <unfork.h>
int main(void) { int v[300]; unfork_symbolic(v, sizeof v, "v");
  for (int i = 0; i < 300; i++) printf("%d: %x, ", v[i], v[i]); return 0; }
"""


PROGRAMS: dict[str, tuple[Callable[[], str], tuple[str, ...]]] = {
    "a switch of 9,000 cases": (switch, ()),
    "the same, --merge none": (switch, ("--merge", "none")),
    "the same, --tests paths": (switch, ("--tests", "paths")),
    "a sum of 100,000 unwritten ints": (lambda: unwritten("s += a[i];"), ()),
    "a branch on each of them": (lambda: unwritten("if (a[i] > 3) s++;"), ()),
    "20,000 functions": (lambda: functions("return x + NUMBER;"), ()),
    "20,000 functions that branch": (lambda: functions("return x > NUMBER ? x + NUMBER : x;"), ()),
    "a factorisation": (query, ("--solver-timeout", "1000")),
    "string functions": (strings, ()),
    "3,000 errors": (errors, ()),
    "paths without end, --tests paths": (paths, ("--tests", "paths", "--merge", "none")),
    "the same, joined, --audit": (paths, ("--merge", "static", "--similar", "always", "--audit")),
    "the same, joined, --tests paths": (paths, ("--merge", "static", "--similar", "always", "--tests", "paths")),
    "the same, --prune interpolate": (paths, ("--prune", "interpolate")),
    "printf": (printing, ()),
}


def measured(name: str, folder: Path, seconds: float) -> list[str]:
    """A row of the table."""
    make, options = PROGRAMS[name]
    source, out = folder / "program.c", folder / "out"
    source.write_text(make())
    command = [
        sys.executable,
        "-m",
        "unfork",
        "run",
        str(source),
        "--max-time",
        f"{seconds:g}",
        "--out",
        str(out),
        *options,
    ]
    began = time.monotonic()
    done = subprocess.run([*command, "--no-progress"], capture_output=True, text=True, check=False)
    taken = time.monotonic() - began
    found = out / "summary.json"
    if not found.exists():
        return [name, f"{seconds:g}", f"{taken:.1f}", "-", done.stderr.strip().removeprefix("unfork: "), "-"]
    data = json.loads(found.read_text("utf-8"))
    tests = f"{data['tests']:,}" + (f" ({left:,} not written)" if (left := data.get("tests_unwritten")) else "")
    return [name, f"{seconds:g}", f"{taken:.1f}", f"{data['seconds']:.1f}", data["stopped_by"] or "the end", tests]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--programs", default="", help="parts of names, separated by commas")
    given = parser.parse_args()
    wanted = [one for one in given.programs.split(",") if one]
    rows = []
    for name in PROGRAMS:
        if wanted and not any(part in name for part in wanted):
            continue
        with tempfile.TemporaryDirectory(prefix="unfork-limits-") as folder:
            rows.append(measured(name, Path(folder), given.time))
        print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    head = ("program", "asked (s)", "process (s)", "run (s)", "stopped by", "tests")
    print(markdown(head, rows))


if __name__ == "__main__":
    main()
