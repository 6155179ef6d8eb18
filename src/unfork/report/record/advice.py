"""Where a run spent its work, by run.db, and what to try if it does not end.

Each advice rests on figures (new states, queries, refused joins) and cites them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from unfork.engine.protocols.whereabouts import NOWHERE, SourceSpot
from unfork.report.record.tables import AttentionRow, ForkRow, Forks, Queries, RefusalRow, Tables
from unfork.report.record.text import plural
from unfork.report.record.unreached import Hindrance, Unreached, untaken
from unfork.world.inputs.command import CommandLine, SymbolicArgument, SymbolicArguments

MOST_EDGES = 2_000_000
"""The largest execution graph, in edges, in which forks along paths are counted."""
COUNTED = 4
"""They are counted for this many locations."""
_LATE = 4
"""The last 1/_LATE of a run's forks are late."""
Pair = tuple[SourceSpot, SourceSpot]
_LOOP_SHARE = 0.2
"""A loop with this share of new states gets advice."""
_FUNCTION_SHARE = 0.5
_SOLVER_SHARE = 0.3
"""A location with this share of the run's time in the solver gets advice."""
_SLOW_QUERY = 0.1
"""From this average (seconds a query), queries are slow, rather than many."""
_FASTER = 2.0
"""A strategy must complete this many times as many paths for its work."""
_REFUSED_SHARE = 0.1
_STALE_SHARE = 0.5
_STANDSTILL = 0.1
"""From this share of the run without a new branch, there is advice on what to try for one."""
_INPUT = (Hindrance.INFEASIBLE, Hindrance.CONSTANT)
_TIME = (Hindrance.WAITING, Hindrance.UNTESTED)
_ENTRY = (Hindrance.POINTER, Hindrance.UNCALLED)
"""What more symbolic input, more time, or another entry may overcome."""
_SHOWN_LEVELS = 8
_LEAST_LEVELS = 5
"""Paths must have taken this many turns before a bound on turns is advised."""
_COMPARABLE = 16
"""Strategies are compared from this many paths on."""
_BY_VALUE = ("hot variable", "live variable")
"""Reasons of refusals that follow from --similar."""
_BY_SHAPE = (
    *("different objects", "unwritten memory", "different activations", "different stacks", "library objects"),
    *("variable-length arrays", "variadic arguments", "different variadic arguments", "different input heaps"),
    "untouched parts of the input heap",
)
"""Reasons why no join of two states exists: their memory has different shapes."""


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A loop, with the forks in it and in its callees; ``late`` of them are late."""

    loop: SourceSpot
    forks: int
    born: int
    late: int
    deepest: Forks
    """The location in it with most new states."""


@dataclass(frozen=True, slots=True)
class WaitingPlaces:
    """A location with the number of states that waited there when the run stopped."""

    at: SourceSpot
    states: int


@dataclass(frozen=True, slots=True)
class HotSpots:
    """Locations by work, highest first. ``strategy`` is the one with these forks and queries; "" if there is but
    one.

    ``late`` is the number of late forks.
    """

    strategy: str
    attention: tuple[AttentionRow, ...]
    forks: tuple[Forks, ...]
    loops: tuple[LoopPlace, ...]
    queries: tuple[Queries, ...]
    refused: tuple[RefusalRow, ...]
    waiting: tuple[WaitingPlaces, ...]
    late: int

    @property
    def born(self) -> int:
        """The number of new states from all forks."""
        return sum(fork.born for fork in self.forks)


def hot_spots(tables: Tables, strategy: str, *, is_first: bool) -> HotSpots:
    """The hot spots of ``strategy``; run.db knows the paths of the first strategy only."""
    rows = sorted(tables.fork_places(strategy=strategy), key=lambda row: (-row.born, -row.forks, *_line(row.at)))
    forked = list(tables.forked()) if is_first else []
    levels = _levels(tables, [(row.at, row.loop) for row in rows[:COUNTED]], forked) if is_first else {}
    forks = [row._replace(levels=levels.get((row.at, row.loop), ())) for row in rows]
    late = forked[len(forked) - len(forked) // _LATE :]
    queries = sorted(
        tables.query_places(strategy=strategy), key=lambda row: (-row.seconds, -row.queries, *_line(row.at))
    )
    attention = sorted(tables.attention(strategy=strategy), key=lambda row: (-row.work, row.function or ""))
    refused = sorted(tables.refusals(), key=lambda row: (-row.times, *_line(row.at), row.reason))
    left = Counter(end.at for end in tables.ends(ended="left"))
    waiting = sorted(left.items(), key=lambda each: (-each[1], *_line(each[0])))
    return HotSpots(
        strategy,
        tuple(attention),
        tuple(forks),
        _loops(forks, Counter(fork.loop for fork in late)),
        tuple(queries),
        tuple(refused),
        tuple([WaitingPlaces(*each) for each in waiting]),
        len(late),
    )


def _line(at: SourceSpot) -> tuple[str, int]:
    """Sort key of locations; unknown ones come first."""
    return at.file or "", at.line or 0


def _loops(forks: Sequence[Forks], late: Mapping[SourceSpot, int]) -> tuple[LoopPlace, ...]:
    within: dict[SourceSpot, list[Forks]] = {}
    for fork in forks:
        if fork.loop != NOWHERE:
            within.setdefault(fork.loop, []).append(fork)
    loops = [
        LoopPlace(
            loop,
            sum(fork.forks for fork in inside),
            sum(fork.born for fork in inside),
            late.get(loop, 0),
            inside[0],
        )
        for loop, inside in within.items()
    ]
    return tuple(sorted(loops, key=lambda loop: -loop.born))


def _levels(tables: Tables, pairs: Sequence[Pair], forked: Sequence[ForkRow]) -> Mapping[Pair, tuple[int, ...]]:
    """For each location, the number of forks that were the first there on their path, the second and so on.

    After a join the longest path counts. Empty for too large a graph.
    """
    if tables.count("forks", "joins") > MOST_EDGES or not pairs:
        return {}
    numbers = {pair: number for number, pair in enumerate(pairs)}
    where = {state: numbers[at, loop] for state, at, loop in forked if (at, loop) in numbers}
    largest = max([child for _, child in tables.links()], default=0)
    depths = [array("L", bytes(array("L").itemsize * (largest + 1))) for _ in pairs]
    for parent, child in tables.links():
        at = where.get(parent)
        for number, depth in enumerate(depths):
            here = depth[parent] + (at == number)
            if here > depth[child]:
                depth[child] = here
    counts: list[Counter[int]] = [Counter() for _ in pairs]
    for state, number in where.items():
        counts[number][depths[number][state] if state <= largest else 0] += 1
    return {
        pair: tuple([count[level] for level in range(max(count, default=-1) + 1)])
        for pair, count in zip(pairs, counts, strict=True)
    }


@dataclass(frozen=True, slots=True)
class Advice:
    """Try ``options``, for the reason ``because``, about ``at``. ``weight`` (0 to 1) is its share of the trouble."""

    options: str
    because: str
    at: SourceSpot
    weight: float


def advice(
    summary: Mapping[str, Any],
    spots: HotSpots,
    last_news: tuple[int, int] | None,
    command: CommandLine,
    growth: Sequence[tuple[float, int]],
    found: Unreached,
) -> tuple[Advice, ...]:
    """What to try, most promising first; nothing for a complete exploration.

    ``command`` started the program; ``last_news`` has the number of the last state that covered a new branch, and of
    the last state of all; ``growth`` has the seconds of each new branch, and ``found`` what was not reached.
    """
    if summary["stopped_by"] is None:
        return ()
    rules = (
        *_unwinding(summary, spots),
        *_strategies(summary, spots),
        *_joining(summary, spots),
        *_refusals(summary, spots),
        *_queries(summary, spots),
        *_capacity(summary),
        *_smaller(summary, command),
        *_contracts(summary, spots),
        *_stale(summary, last_news),
        *_standstill(summary, growth, found),
    )
    return tuple(sorted(rules, key=lambda each: -each.weight))


def _unwinding(summary: Mapping[str, Any], spots: HotSpots) -> Iterator[Advice]:
    options = summary["options"]
    for loop in spots.loops[:1]:
        share = loop.born / max(spots.born, 1)
        levels = loop.deepest.levels
        turns, growth = _turns(levels)
        if share < _LOOP_SHARE or len(levels) < _LEAST_LEVELS:
            continue
        born = f"{loop.born:,} of {spots.born:,} new states come from the loop at {location(loop.loop)}"
        paths = f"paths fork up to {len(levels):,} times at line {loop.deepest.at.line}"
        if options["unwind"] is None or turns < options["unwind"]:
            forks = ", ".join(f"{count:,}" for count in levels[:_SHOWN_LEVELS])
            more = ", ..." * (len(levels) > _SHOWN_LEVELS)
            yield Advice(
                f"--unwind {turns}",
                f"{born}; {paths}. Forks there, by turn: {forks}{more}, up to {growth:.1f} times as many each turn. "
                "Paths that turn more often end as bounded",
                loop.loop,
                share,
            )
        if options["loops"] == "exact" and _is_late(loop, spots):
            yield Advice(
                "--loops abstract",
                f"{born}, {loop.late:,} of the last {spots.late:,} forks too; {paths}. It takes a loop for any number "
                "of turns at once, where its turns change numbers alone (unfork show --loops tells), and what it "
                "forgets may come out as an alarm",
                loop.loop,
                share * 0.3,
            )


def _is_late(loop: LoopPlace, spots: HotSpots) -> bool:
    return loop.late * 2 > spots.late


def _turns(levels: Sequence[int]) -> tuple[int, float]:
    """(turns for which half of the forks so far suffice, growth by turn).

    An incomplete level grows too little, so the largest growth counts.
    """
    peak = max(range(len(levels)), key=lambda level: levels[level], default=0)
    growth = max([after / before for before, after in pairwise(levels[: peak + 1])], default=1.0)
    budget, forks, visits = sum(levels) / 2, 0.0, 0
    while visits < len(levels) and forks + levels[0] * growth**visits <= budget:
        forks += levels[0] * growth**visits
        visits += 1
    return max(visits - 1, 1), growth


def _strategies(summary: Mapping[str, Any], spots: HotSpots) -> Iterator[Advice]:
    standings = [each for each in summary["strategies"] if each["work"]]
    if len(standings) < 2:
        return
    best, second = sorted(standings, key=lambda each: -each["paths"] / each["work"])[:2]
    rates = [each["paths"] * 1e6 / each["work"] for each in (best, second)]
    if best["name"] == spots.strategy or best["paths"] < _COMPARABLE or rates[0] < _FASTER * rates[1]:
        return
    yield Advice(
        f"--strategy {best['name']}",
        f"{best['name']} brought {plural(best['paths'], 'path')} to an end, {rates[0]:,.0f} for each million of work; "
        f"{second['name']}, the next best, {second['paths']:,}, which is {rates[1]:,.0f}. Alone it has all of the time",
        NOWHERE,
        0.6,
    )


def _joining(summary: Mapping[str, Any], spots: HotSpots) -> Iterator[Advice]:
    left = sum(each.states for each in spots.waiting)
    if summary["strategies"] or summary["merges"]["done"] or summary["options"]["merge"] != "none" or left < 2:
        return
    most = spots.waiting[0]
    if most.states >= 2:
        yield Advice(
            "--strategy join",
            f"{most.states:,} of {left:,} waiting states are at {location(most.at)}, and this run joins none",
            most.at,
            0.9 * most.states / left,
        )


def _refusals(summary: Mapping[str, Any], spots: HotSpots) -> Iterator[Advice]:
    reasons: Counter[str] = Counter()
    for refused in spots.refused:
        reasons[refused.reason] += refused.times
    for reason, count in reasons.most_common(1):
        strategies = {refused.strategy for refused in spots.refused if refused.reason == reason}
        done = summary["merges"]["done"] if spots.strategy in strategies else 0
        share = count / (count + done)
        most = next(refused for refused in spots.refused if refused.reason == reason)
        said = (
            f'{count:,} joins were refused ({done:,} done): "{reason}", {most.times:,} of them at {location(most.at)}'
        )
        if share < _REFUSED_SHARE:
            continue
        if reason in _BY_VALUE:
            yield Advice("--similar always", f"{said}. Then such states are joined too", most.at, 0.7 * share)
        elif reason in _BY_SHAPE:
            yield Advice(
                "--strategy match",
                f"{said}. No join of these exists; one may still cover the other",
                most.at,
                0.5 * share,
            )
        else:
            yield Advice("--strategy learn", f"{said}. To learn needs no joins", most.at, 0.4 * share)


def _queries(summary: Mapping[str, Any], spots: HotSpots) -> Iterator[Advice]:
    solver, seconds = summary["solver"], max(summary["seconds"], 0.001)
    for most in spots.queries[:1]:
        share, average = most.seconds / seconds, most.seconds / most.queries
        if share < _SOLVER_SHARE:
            continue
        unknown = f"; {solver['unknown']:,} of all had no answer" if solver["unknown"] else ""
        said = (
            f"{most.seconds:.1f} of {seconds:.1f} s went into {most.queries:,} queries at {location(most.at)}, "
            f"{average:.3f} s each{unknown}"
        )
        if average >= _SLOW_QUERY:
            other = "z3" if summary["options"]["solver"] == "bitwuzla" else "bitwuzla"
            yield Advice(f"--solver {other}", said, most.at, share)
            limit = summary["options"]["solver-timeout"]
            if 4 * average < limit:
                yield Advice(
                    f"--solver-timeout {max(4 * average, 0.1):.1f}",
                    f"{said}; now one may take {limit:g} s. Paths whose query takes longer are given up, and the "
                    "verdict says so",
                    most.at,
                    0.5 * share,
                )


def _capacity(summary: Mapping[str, Any]) -> Iterator[Advice]:
    given_up = [each for each in summary["given_up"] if each["reason"] == "capacity"]
    count = sum(each["paths"] for each in given_up)
    if count:
        total = count + summary["paths"]["completed"]
        size = summary["options"]["max-size"]
        yield Advice(
            f"--max-size {2 * size}",
            f"{plural(count, 'path')} of {total:,} were given up as too large for --max-size {size}: "
            f"{given_up[0]['detail']}",
            NOWHERE,
            0.5 * count / total,
        )


def _smaller(summary: Mapping[str, Any], command: CommandLine) -> Iterator[Advice]:
    given = list(_inputs(command))
    states = summary["states"]
    if given:
        total = sum(each.size for each in given)
        most = max(given, key=lambda each: each.size)
        yield Advice(
            f"{most.smaller} for {most.words}",
            f"{most.size:,} of {plural(total, 'symbolic byte')} come from {most.words}; {states['left']:,} of "
            f"{plural(states['created'], 'state')} still wait. Errors that need a larger input are then out of sight",
            NOWHERE,
            0.4 * states["left"] / max(states["created"], 1),
        )


@dataclass(frozen=True, slots=True)
class _Input:
    """Symbolic input: its words on the command line, its bytes, and words for less of it."""

    words: str
    size: int
    smaller: str


def _inputs(command: CommandLine) -> Iterator[_Input]:
    for word in command.words:
        match word:
            case SymbolicArgument(length):
                yield _Input(f"--sym-arg {length}", length, f"--sym-arg {_half(length)}")
            case SymbolicArguments(least, most, length):
                few = (least, most - 1, length) if most > max(least, 1) else (least, most, _half(length))
                yield _Input(f"--sym-args {least} {most} {length}", most * length, "--sym-args {} {} {}".format(*few))
    for each in command.symbolic_variables():
        words = f"--sym-env {each.name}"
        yield _Input(f"{words} {each.length}", each.length, f"{words} {_half(each.length)}")
    for name, size in command.named:
        yield _Input(f"--sym-file {name} {size}", size, f"--sym-file {name} {_half(size)}")
    if command.stdin:
        yield _Input(f"--sym-stdin {command.stdin}", command.stdin, f"--sym-stdin {_half(command.stdin)}")
    count, size = command.files
    if count:
        yield _Input(f"--sym-files {count} {size}", count * size, f"--sym-files {count} {_half(size)}")


def _half(size: int) -> int:
    return max(size // 2, 1)


def _contracts(summary: Mapping[str, Any], spots: HotSpots) -> Iterator[Advice]:
    born: Counter[str] = Counter()
    first: dict[str, SourceSpot] = {}
    for fork in spots.forks:
        if fork.at.function is not None:
            born[fork.at.function] += fork.born
            first.setdefault(fork.at.function, fork.at)
    born.pop(summary["options"]["function"], None)
    for name, count in born.most_common(1):
        share = count / max(spots.born, 1)
        if share >= _FUNCTION_SHARE:
            yield Advice(
                f"unfork verify --function {name}",
                f"{count:,} of {spots.born:,} new states come from {name}: with a contract, it is proved once, and "
                "proofs of its callers do not enter it",
                first[name],
                0.4 * share,
            )


def _stale(summary: Mapping[str, Any], last_news: tuple[int, int] | None) -> Iterator[Advice]:
    if last_news is None or not last_news[1]:
        return
    since = 1 - last_news[0] / last_news[1]
    if since >= _STALE_SHARE:
        enough = summary["seconds"] * last_news[0] / last_news[1]
        yield Advice(
            f"--max-time {max(round(1.5 * enough), 1)}",
            f"the last test for a new branch came from state {last_news[0]:,} of {last_news[1]:,}: if tests are what "
            "you want, there will hardly be more",
            NOWHERE,
            0.3 * since,
        )


def _standstill(summary: Mapping[str, Any], growth: Sequence[tuple[float, int]], found: Unreached) -> Iterator[Advice]:
    """Advice by what stands before most of the untaken branch sides, for a run whose last part covered none."""
    total = max(summary["seconds"], 0.001)
    idle = 1 - growth[-1][0] / total if growth else 0.0
    sides = len(found.sides)
    if idle < _STANDSTILL or not sides:
        return
    since = f"nothing new for {idle:.0%} of the run"
    timeout = 2 * summary["options"]["solver-timeout"]
    for hindrances, options, reason in (
        ((Hindrance.UNKNOWN,), f"--solver-timeout {timeout:g}", "stand behind conditions that the solver gave up on"),
        (_INPUT, "more symbolic input", "stand behind conditions that no path with this input has met"),
        (_TIME, "--search target:{file}:{line}", "stand behind branches that waiting states may still decide"),
        (_ENTRY, "--function {function}", "are in functions that only pointers call, or nothing: run one alone"),
    ):
        behind = untaken(found, hindrances)
        if behind:
            first = next(each for each in found.obstacles if each.hindrance in hindrances)
            yield Advice(
                options.format(file=first.at.file, line=first.at.line, function=first.function),
                f"{since}, and {behind:,} of {plural(sides, 'branch side')} not taken {reason}",
                first.at,
                0.8 * idle * behind / sides,
            )


def location(spot: SourceSpot) -> str:
    """FILE:LINE in FUNCTION."""
    return "the C library" if spot.file is None else f"{spot.file}:{spot.line} in {spot.function}"
