"""Explains a run directory: the run, one test, one error, or why a state ended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from unfork.clang.escape import quoted, shown
from unfork.errors import InputError
from unfork.inputs.test_file import from_json
from unfork.inputs.testcase import Error, Exit, TestCase, TestInput, readable_number
from unfork.report.ancestry import Ancestry, Birth, origin
from unfork.report.database import Connection, DatabaseError, read_database
from unfork.report.heap_svg import picture
from unfork.report.heap_text import drawn
from unfork.report.proofs import is_of_proofs, proof_lines
from unfork.report.text import final_lines, plural
from unfork.state.state import UNDEFINED_REGISTERS

_BYTES_SHOWN = 64
_NEEDED = frozenset(
    "program options errors alarms paths states forks instructions solver seconds coverage stopped_by bounds_hit "
    "given_up tests verdict".split()
)
"""The keys of a summary that are read here."""
_STEPS = 200
"""The most forks and joins that a history shows."""
_SIDES = 3
"""The most other sides of a fork that are shown."""
_CONDITIONS = 40
"""The most conditions that are shown of what was learnt."""
_SHOWN = 20
"""The most covered states that are named."""
_LONGEST_NUMBER = 18
"""The most digits of a state's number that the database can hold."""


def show(root: Path, what: str | None) -> list[str]:
    """Explain ``what`` in the run ``root``: a test, an error or a state by name, or the run itself for None.

    A number of six digits is a test; any other is a state. Raises InputError.
    """
    if not root.is_dir():
        raise InputError(f"{root}: no such run directory")
    proofs = kept_proofs(root)
    if proofs is not None:
        if what is not None:
            raise InputError(f"{what}: {root} holds proofs (unfork verify), which are shown as a whole")
        return proof_lines(proofs, str(root))
    if what is None:
        return _run(root)
    name = what.removeprefix(str(root) + "/").removeprefix("state:")
    stem = Path(name).name.split(".")[0]
    if name.startswith("errors/"):
        return _error(root, stem)
    if name.startswith("tests/") or (len(stem) == 6 and stem.isdigit() and not what.startswith("state:")):
        return _test(root, stem)
    if name.isdecimal() and len(name) <= _LONGEST_NUMBER:
        return _state(root, int(name))
    raise InputError(f"{what}: no test, error or state of {root} (say tests/000001, errors/000001 or a state's number)")


def kept_proofs(root: Path) -> dict[str, Any] | None:
    """The data of summary.json if unfork verify wrote it."""
    try:
        data = json.loads((root / "summary.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) and is_of_proofs(data) else None


def read_summary(root: Path) -> dict[str, Any]:
    """The data of summary.json. Raises InputError if it is missing, damaged or no summary."""
    path = root / "summary.json"
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{root} holds no summary.json: no run directory, or the run was cut off") from None
    except (OSError, ValueError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None
    if not isinstance(data, dict) or data.get("tool") != "unfork" or not data.keys() >= _NEEDED:
        raise InputError(f"{path} is not a summary of unfork")
    return data


def _run(root: Path) -> list[str]:
    lines = _summary(root)
    try:
        with closing(read_database(root / "run.db")) as database:
            return [*lines, *_tables(database)]
    except (InputError, DatabaseError) as problem:
        return [*lines, "", f"what is in run.db cannot be told: {shown(str(problem))}"]


def _summary(root: Path) -> list[str]:
    """What the summary says or, if the run left none, what else it left."""
    if (root / "summary.json").exists():
        data = read_summary(root)
        return [f"program: {' '.join(shown(name) for name in data['program'])}", *final_lines(data, str(root))]
    tests, errors = (sorted((root / folder).glob("[0-9]*.*")) for folder in ("tests", "errors"))
    count = sum(1 for file in tests if file.suffix == ".json")
    if not (count or (root / "run.db").exists()):
        raise InputError(f"{root} holds no summary.json and no tests: no run directory")
    texts = [file for file in errors if file.suffix == ".txt"]
    lines = [f"{file.read_text('utf-8').splitlines()[0]} [errors/{file.name}]" for file in texts]
    return ["cut off: the run left no summary.json", *lines, f"{plural(count, 'test')} in {shown(str(root))}/tests"]


def _tables(database: Connection) -> list[str]:
    """What run.db says about a run."""
    lines: list[str] = []
    ends = database.execute("SELECT ended, COUNT(*) FROM states GROUP BY ended ORDER BY 2 DESC").fetchall()
    if ends:
        lines += ["", "how states ended:", *(f"  {count:>8,}  {shown(str(end))}" for end, count in ends)]
    forks = database.execute(
        "SELECT file, line, function, COUNT(*) FROM forks WHERE file IS NOT NULL "
        "GROUP BY file, line, function ORDER BY 4 DESC, 1, 2 LIMIT 10"
    ).fetchall()
    lines += _covering(database)
    if forks:
        lines += ["", "where forks led to, most first:"]
        lines += [f"  {count:>8,}  {shown(file)}:{line} in {shown(name)}" for file, line, name, count in forks]
    open_edges = database.execute(
        "SELECT file, line, function, COUNT(*) FROM coverage WHERE covered = 0 AND file IS NOT NULL "
        "GROUP BY file, line, function ORDER BY 1, 2 LIMIT 10"
    ).fetchall()
    if open_edges:
        lines += ["", "branches met with a side that was never taken:"]
        lines += [f"  {shown(file)}:{line} in {shown(name)}" for file, line, name, _ in open_edges]
    return lines


def _test(root: Path, stem: str) -> list[str]:
    path = root / "tests" / f"{stem}.json"
    test = read_test(path)
    lines = [f"test {stem} of {' '.join(shown(name) for name in test.program)}", f"expected: {expected(test)}"]
    lines += [*world_text(test), *inputs_text(test), *heap_text(test)]
    if test.branches:
        lines += ["", f"written for {plural(len(test.branches), 'branch edge')}:"]
        lines += [f"  {shown(name)}" for name in test.branches]
    return [*lines, *_finder(root, f"tests/{stem}.json"), *_origin(root, f"tests/{stem}.json")]


def _finder(root: Path, name: str) -> list[str]:
    """The strategy that a test comes from, in a run that was a race."""
    try:
        strategies = json.loads((root / "summary.json").read_text()).get("strategies", ())
    except (OSError, ValueError):
        return []
    finders = [strategy["name"] for strategy in strategies if name in strategy["tests"]]
    if not finders and strategies:
        finders = [strategies[0]["name"]]
    return [f"found by the strategy {shown(finder)}" for finder in finders]


def _origin(root: Path, name: str) -> list[str]:
    """The state that a test comes from, if run.db knows it."""
    if not (root / "run.db").is_file():
        return []
    with closing(read_database(root / "run.db")) as database:
        known = origin(database, name)
        return [] if known is None else ["", f"from state {known[0]}", *_history(database, *known)]


def read_test(path: Path) -> TestCase:
    """The test in a file. Raises InputError."""
    try:
        return from_json(path.read_text("utf-8"), str(path))
    except FileNotFoundError:
        raise InputError(f"{path}: no such test") from None
    except (OSError, UnicodeError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None


def expected(test: TestCase) -> str:
    """What a test expects, in words."""
    match test.expect:
        case Exit(None):
            return "abort()"
        case Exit(status):
            return f"exit status {status}"
        case Error() as error:
            return error.words()
        case None:
            return "nothing: the path was cut before its end"


def inputs_text(test: TestCase) -> list[str]:
    """The inputs of a test, one per line."""
    if not test.inputs:
        return ["inputs: none"]
    lines = ["inputs:"]
    undefined = [entry for entry in test.inputs if is_undefined(entry)]
    for entry in test.inputs:
        if entry in undefined:
            continue
        number = readable_number(entry)
        value = f" = {number}" if number is not None else ""
        kind = "" if entry.kind == "symbolic" else f" ({entry.kind})"
        lines.append(f"  {shown(entry.name)}{value}{kind}  {plural(len(entry.data), 'byte')}: {in_hex(entry.data)}")
    if undefined:
        lines.append(f"  and {plural(len(undefined), 'undefined value')}, 0 here")
    return lines


def is_undefined(entry: TestInput) -> bool:
    """Whether an input is an undefined value that is 0, of which there may be many."""
    return entry.name.startswith(UNDEFINED_REGISTERS) and not any(entry.data)


def heap_text(test: TestCase) -> list[str]:
    """The heap that a test gives its function."""
    heap = test.command.heap
    return [] if heap is None else ["", "the heap that it is given:", *drawn(heap)]


def drawing(root: Path, what: str | None) -> str:
    """An SVG picture of the heap that a test gives its function, or that an error left. Raises InputError."""
    name = (what or "").removeprefix(str(root) + "/")
    stem = Path(name).name.split(".")[0]
    if name.startswith("errors/"):
        path = root / "errors" / f"{stem}.svg"
        try:
            return path.read_text("utf-8")
        except OSError:
            raise InputError(f"{path}: no picture of a heap") from None
    if not stem.isdigit():
        raise InputError("--svg draws the heap of a test or of an error: name one")
    test = read_test(root / "tests" / f"{stem}.json")
    if test.command.heap is None:
        raise InputError(f"test {stem} gives no heap to a function")
    return picture(test.command.heap)


def world_text(test: TestCase) -> list[str]:
    """The arguments, standard input, files and output of a test, one per line, escaped."""
    words = [quoted(word.encode("utf-8", "surrogateescape")) for word in test.args]
    lines = [f"arguments: {' '.join(words)}"] if words else []
    if test.stdin:
        lines.append(f"standard input: {contents(test.stdin)}")
    lines += [f"file {shown(name)}: {contents(data)}" for name, data in test.files]
    if test.stdout:
        lines.append(f"prints: {contents(test.stdout)}")
    return lines


def in_hex(data: bytes) -> str:
    """Bytes in hexadecimal, as many as a line has room for."""
    return data[:_BYTES_SHOWN].hex(" ") + (" ..." if len(data) > _BYTES_SHOWN else "")


def contents(data: bytes) -> str:
    """Bytes as text in quotes, as many as a line has room for."""
    if len(data) <= _BYTES_SHOWN:
        return quoted(data)
    return f"{quoted(data[:_BYTES_SHOWN])}... ({len(data):,} bytes)"


def _error(root: Path, stem: str) -> list[str]:
    path = root / "errors" / f"{stem}.txt"
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError:
        raise InputError(f"{path}: no such error") from None
    test = root / "tests" / f"{stem}.json"
    if not test.is_file():
        return lines
    loaded = read_test(test)
    return [*lines, "", *world_text(loaded), *inputs_text(loaded), *heap_text(loaded)]


def _state(root: Path, number: int) -> list[str]:
    with closing(read_database(root / "run.db")) as database:
        row = database.execute(
            "SELECT ended, detail, file, line, function, instructions, depth, test FROM states WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            children = database.execute("SELECT child FROM forks WHERE parent = ?", (number,)).fetchall()
            if not children:
                raise InputError(f"{root} has no state {number}")
            names = ", ".join(str(child) for (child,) in children)
            lines = [f"state {number} forked into {names}", *_covered(database, number)]
            return [*lines, *_history(database, number, {})]
        ended, detail, file, line, function, instructions, depth, test = row
        place = f" at {shown(file)}:{line} in {shown(function)}" if file is not None else ""
        lines = [f"state {number} ended: {shown(ended)}{place}"]
        if detail:
            lines.append(f"  {shown(detail)}")
        lines.append(f"  {plural(instructions, 'instruction')}, {plural(depth, 'fork')} along the path")
        lines.append(f"  test: {test or 'none'}")
        lines += [*_cover(database, number), *_covered(database, number)]
        return [*lines, *_history(database, number, {})]


def _covering(database: Connection) -> list[str]:
    """The states that cover the most others."""
    rows = database.execute(
        "SELECT coverer, COUNT(*), COUNT(DISTINCT learnt) FROM prunes WHERE coverer IS NOT NULL "
        "GROUP BY coverer ORDER BY 2 DESC, 1 LIMIT 10"
    ).fetchall()
    if not rows:
        return []
    return ["", "states that cover most others:", *[f"  {count:>8,}  by state {state}" for state, count, _ in rows]]


def _cover(database: Connection, number: int) -> list[str]:
    """Which state covers this one, under which names, and the conditions that were met."""
    row = database.execute("SELECT coverer, renamed, learnt FROM prunes WHERE id = ?", (number,)).fetchone()
    if row is None or row[0] is None:
        return []
    coverer, renamed, learnt = row
    lines = [f"  covered by state {coverer}" + (f", with objects {shown(renamed)}" if renamed else "")]
    if learnt is not None:
        kept = database.execute("SELECT condition FROM learnt WHERE id = ? ORDER BY rowid", (learnt,)).fetchall()
        lines.append(f"  what was learnt there asks for {plural(len(kept), 'condition')}:")
        lines += [f"    {shown(condition)}" for (condition,) in kept[:_CONDITIONS]]
        lines += [f"    ... and {len(kept) - _CONDITIONS} more"] if len(kept) > _CONDITIONS else []
    return lines


def _covered(database: Connection, number: int) -> list[str]:
    """Which states this one covers."""
    rows = database.execute("SELECT id FROM prunes WHERE coverer = ? ORDER BY id", (number,)).fetchall()
    if not rows:
        return []
    names = ", ".join(str(row[0]) for row in rows[:_SHOWN])
    return [f"  it covers {plural(len(rows), 'state')}: {names}" + (", ..." if len(rows) > _SHOWN else "")]


def _history(database: Connection, number: int, taken: Mapping[int, int]) -> list[str]:
    """The forks and joins that led to a state, latest first. ``taken`` gives the parents on one path, by join."""
    lines: list[str] = []
    for birth in Ancestry(database).births(number, taken):
        if len(lines) == _STEPS:
            lines.append("  ... and what came before")
            break
        lines.append(_joined(birth, taken) if birth.is_join else _forked(database, birth))
    return ["how it came to be, latest first:", *lines] if lines else []


def _forked(database: Connection, birth: Birth) -> str:
    """A line about a fork, and the side of it that the path took."""
    others = database.execute(
        "SELECT DISTINCT file, line, function FROM forks WHERE parent = ? AND child <> ? ORDER BY child",
        (birth.parent, birth.child),
    )
    elsewhere = [f"{shown(other[0])}:{other[1]}" for other in others if other[0] is not None and other != birth.place]
    if len(elsewhere) > _SIDES:
        elsewhere[_SIDES:] = ["..."]
    text = f"  {birth.parent} -> {birth.child}, on to {_where(birth.place)}"
    return text + (f", not {', '.join(elsewhere)}" if elsewhere else "")


def _joined(birth: Birth, taken: Mapping[int, int]) -> str:
    """A line about a join, and the parent with which the history goes on."""
    side = "this path is that of" if birth.child in taken else "what follows is of"
    parents = " and ".join(map(str, birth.parents))
    return f"  {parents} joined to {birth.child} at {_where(birth.place)}; {side} {birth.parent}"


def _where(place: Sequence[Any]) -> str:
    file, line, function = place
    return f"{shown(file)}:{line} in {shown(function)}" if file is not None else "unknown place"
