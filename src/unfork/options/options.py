"""Every option: default, meaning and soundness note. Help and documentation are made from it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from unfork.options.error_kinds import ERROR_KINDS
from unfork.options.kinds import (
    EXACT,
    OVER,
    UNDER,
    Description,
    choice,
    list_of,
    none_of,
    numbers,
    option,
    port,
    refuse,
    seconds,
    size,
    sized,
    subset,
    switch,
    text,
    texts,
    whole,
    wholes,
    word,
)
from unfork.options.standards import standard
from unfork.options.strategies import BUNDLES

VERSION = "0.1.0"
SEARCHERS = ("coverage", "cover", "dfs", "bfs", "random-path", "random-state")
AUTO = "auto"
STRATEGIES = tuple(BUNDLES)
BUNDLED = ("search", "merge", "similar", "join", "prune", "abstract", "hard")
"""The options that a strategy presets."""
CHANGEABLE = ("max_time", "max_memory", "max_instructions", "max_forks", "max_tests", "max_errors", "cores", "json")
"""The options that `unfork resume` may change, besides those of ``SHOWING``."""
SHOWING = ("quiet", "verbose", "no_progress", "serve")
CHECKS = (
    *("memory", "div", "shift", "unreachable", "overflow", "leak", "uninitialised", "shift-base", "bounds"),
    *("nontermination", "cleanup", "lost", "indeterminate", "race", "deadlock", "hardening"),
)
EXACT_JOINS = ("summary", "ite")
INFERRED = "abstract:inferred"
JOINS = (*EXACT_JOINS, "havoc", INFERRED)
DOMAINS = ("sign", "parity", "boolean", "interval")
LATTICES = ("simple", "conjunctive", "disjunctive")
ABSTRACTIONS = ("list", "array", "tree")
CALLER = "unfork_calls"
"""The generated function that makes the calls of --calls."""
TEST_FORMATS = ("json", "ktest", "xml", "c")
RUN_FORMATS = ("sarif", "junit", "lcov", "cobertura", "gcc", "witness")
"""Formats of a whole run."""
FORMATS = (*TEST_FORMATS, *RUN_FORMATS)
_WHAT, _INPUTS, _ORDER, _MERGE, _PRUNE = "What to look for", "Inputs", "Order", "Merging", "Pruning"
_TESTS, _LIMITS, _SOLVER, _OUTPUT, _COMPILER = "Tests", "Limits", "Solver", "Output", "Compiler"


def _searcher(name: str) -> None:
    if name in SEARCHERS:
        return
    kind, _, target = name.partition(":")
    file, _, line = target.rpartition(":")
    if kind == "target" and file and line.isdigit() and int(line) > 0:
        return
    raise none_of(name, SEARCHERS, "target:FILE:LINE")


def _name(name: str) -> None:
    if not name:
        raise ValueError("an empty name")


def _strategy(name: str) -> None:
    if name not in (AUTO, *STRATEGIES):
        raise none_of(name, (AUTO, *STRATEGIES))


def _join(how: str) -> None:
    if how in JOINS:
        return
    kind, _, names = how.partition(":")
    if kind != "abstract" or not names:
        raise none_of(how, JOINS, "abstract:[WHAT:]DOMAIN,...")
    for name in [one.rpartition(":")[2] for one in names.split(",")]:
        if name not in DOMAINS + LATTICES:
            raise none_of(name, DOMAINS + LATTICES)


def _abstract(how: str) -> None:
    if how == "none":
        return
    for name in how.split(","):
        kind, colon, depth = name.partition(":")
        if kind not in ABSTRACTIONS or (colon and kind != "tree"):
            raise none_of(name, ("none", *ABSTRACTIONS), "tree:DEPTH")
        if colon and not (depth.isdecimal() and int(depth) >= 1):
            raise ValueError(f"{name!r}: the depth is a number from 1 on")


_NAMES = list_of("NAME,...", _name)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run. ``given`` names those that the user set, even to the default."""

    function: str = option(
        "main",
        text("NAME"),
        _WHAT,
        "function to start in; if it is not main, its arguments may be anything, and what they point to is made when "
        "it is first read",
        EXACT,
    )
    check: tuple[str, ...] = option(
        ("memory", "div", "shift", "unreachable", "race", "deadlock"),
        subset(*CHECKS),
        _WHAT,
        "kinds of faults to look for",
        EXACT,
    )
    abort: str = option(
        "auto",
        choice("auto", "error", "end"),
        _WHAT,
        "whether abort() is an error; auto: not in programs that use __VERIFIER_*, __CPROVER_* or reach_error",
        EXACT,
    )
    all_errors: bool = option(False, switch(), _WHAT, "report every occurrence, not one error per kind and line", EXACT)
    native_check: str = option(
        "auto",
        choice("auto", "always", "never"),
        _WHAT,
        "run the tests of errors natively too, compiled with sanitizers and enclosed; what that denies is an alarm "
        "(auto: if the system allows it; always: or refuse the run)",
        EXACT,
    )

    sym_arg: tuple[tuple[int], ...] = option(
        (),
        wholes(("LEN",), True),
        _INPUTS,
        "a symbolic argument of up to LEN bytes; it comes before the words after --",
        UNDER,
    )
    sym_args: tuple[tuple[int, int, int], ...] = option(
        (),
        wholes(("MIN", "MAX", "LEN"), True),
        _INPUTS,
        "MIN to MAX symbolic arguments of up to LEN bytes each; the run starts once for each number of them",
        UNDER,
    )
    sym_stdin: int | None = option(None, whole("N", 0), _INPUTS, "N symbolic bytes on standard input", UNDER)
    sym_files: tuple[int, int] | None = option(
        None,
        wholes(("COUNT", "SIZE"), False),
        _INPUTS,
        "COUNT symbolic files A, B, C, ... of SIZE bytes each",
        UNDER,
    )
    sym_file: tuple[tuple[str, int], ...] = option(
        (), sized(("NAME", "SIZE")), _INPUTS, "a symbolic file NAME of SIZE bytes", UNDER
    )
    sym_env: tuple[tuple[str, int], ...] = option(
        (), sized(("NAME", "LEN")), _INPUTS, "an environment variable: not set, or up to LEN symbolic bytes", UNDER
    )
    input_size: int | None = option(
        None,
        whole("N", 0),
        _INPUTS,
        "the most bytes of a fuzzer's input: of a target, of --input-stdin, or of the file that @@ names (none: 64)",
        UNDER,
    )
    input_stdin: bool = option(
        False, switch(), _INPUTS, "standard input is a fuzzer's input, of any size up to --input-size", UNDER
    )
    corpus: tuple[str, ...] = option(
        (),
        texts("DIR"),
        _INPUTS,
        "begin with the files in DIR as inputs of a fuzz target: those that add coverage, and what is beside their "
        "paths; larger files than --input-size are left out (which is the size of the largest, if it is not given)",
        EXACT,
    )
    fuzzer: str = option(
        "none",
        choice("none", "auto", "libfuzzer", "own"),
        _INPUTS,
        "also run mutated inputs of a fuzz target, or arguments of a scan's entry, natively, with counters of edges, "
        "enclosed as by --native-check: by libFuzzer, or by mutations of our own; auto: libFuzzer where a clang has it "
        "(unfork fuzz and scans: auto)",
        EXACT,
    )
    dictionary: str | None = option(
        None, text("FILE"), _INPUTS, "words for the mutations of --fuzzer, as libFuzzer and AFL++ write them", EXACT
    )
    env: tuple[str, ...] = option((), texts("NAME=VALUE"), _INPUTS, "set the environment variable NAME", EXACT)
    sym_stdout: bool = option(
        False, switch(), _INPUTS, "standard output is a file, in which the program may seek, instead of a pipe", EXACT
    )
    file: tuple[str, ...] = option(
        (), texts("HOST=GUEST"), _INPUTS, "give the program a read-only copy of the file HOST, by the name GUEST", EXACT
    )
    fail: int = option(0, whole("N", 0), _INPUTS, "let up to N system calls of a path fail", EXACT)
    calls: tuple[str, ...] = option(
        (),
        _NAMES,
        _INPUTS,
        "try sequences of calls of these functions, on the container that --function makes, or on zeros",
        UNDER,
    )
    max_calls: int | None = option(None, whole("N", 1), _INPUTS, "the most calls in a sequence", UNDER)
    requires: str | None = option(
        None,
        text("NAME"),
        _INPUTS,
        "a C function with the same parameters that says which inputs of --function are allowed",
        EXACT,
    )
    globals: str = option(
        "initial",
        choice("initial", "written", "symbolic"),
        _INPUTS,
        "what global variables hold when --function is called: their initial values, or anything (then pointers may "
        "also point to them), all of them or those that the program writes",
        UNDER,
    )
    sizes: str = option(
        "ignore",
        choice("ignore", "pair"),
        _INPUTS,
        "pair: a parameter named like a size behind a pointer to bytes says how many; a member of a struct how many "
        "elements another one points to, and a pointer where the object of one before it ends, if the program's code "
        "shows that",
        UNDER,
    )
    lengths: str = option(
        "each",
        choice("each", "measured"),
        _INPUTS,
        "measured: the length of a text of the input is one value, below --max-size; each: a path for each length",
        UNDER,
    )
    exceptions: str = option(
        "error",
        choice("error", "caller"),
        _INPUTS,
        "what leaves a function run alone is an error, or its caller's",
        UNDER,
    )
    callbacks: str = option(
        "all",
        choice("all", "passed"),
        _INPUTS,
        "which of the program's functions of its type a pointer in the input of --function may lead to: all, or those "
        "whose address the program takes",
        UNDER,
    )
    max_objects: int | None = option(None, whole("N", 1), _INPUTS, "most objects given to a function run alone", UNDER)

    max_threads: int = option(8, whole("N", 1), _INPUTS, "the most threads that the program makes", UNDER)
    context_bound: int | None = option(
        None, whole("N", 0), _INPUTS, "how often threads that could go on are interrupted", UNDER
    )

    search: tuple[str, ...] = option(
        ("coverage",),
        list_of("coverage|cover|dfs|bfs|random-path|random-state|target:FILE:LINE", _searcher),
        _ORDER,
        "which state comes next; several take turns",
        EXACT,
    )
    strategy: tuple[str, ...] = option(
        (AUTO,),
        list_of(f"{AUTO}|{'|'.join(STRATEGIES)},...", _strategy),
        _ORDER,
        "presets of options, which named options override; several race, and auto is a race. Without --strategy, the "
        "named options choose the preset (unfork strategies lists them)",
        f"{EXACT}; over with prove alone",
    )
    cores: int | None = option(
        None,
        whole("N", 1),
        _ORDER,
        "processor cores for all strategies together; if there are more than strategies, several processes share the "
        "states of one; none: as many as affinity and control group grant",
        EXACT,
    )
    jit: str = option(
        "auto",
        choice("auto", "never"),
        _ORDER,
        "make machine code of hot loops over known values, and of formulas to try inputs on",
        EXACT,
    )
    cluster: str | None = option(
        None,
        text("local|ADDRESS"),
        _ORDER,
        "explore strategies other than the first on this Ray cluster: local (started for the run, on this machine), "
        "auto (the one that this machine is part of), HOST:PORT (docs/cluster.md)",
        EXACT,
    )
    seed: int = option(0, whole("N", 0), _ORDER, "seed of every random choice", EXACT)

    merge: str = option(
        "dynamic",
        choice("dynamic", "none", "static", "all", "marked", "function"),
        _MERGE,
        "where states meet to be joined: a state that lags behind a similar one catches up (dynamic), in topological "
        "order after branches (static), at every join point (all), where the source says so (marked), at returns "
        "(function)",
        EXACT,
    )
    join: str = option(
        "summary",
        word("summary|ite|abstract:[WHAT:]DOMAIN,...|abstract:inferred|havoc", _join),
        _MERGE,
        "how values that differ are joined: exactly (summary, ite); keeping only what domains say (abstract: sign, "
        "parity, boolean, interval, and simple, conjunctive, disjunctive over predicates); or keeping nothing "
        "(havoc). WHAT is a variable or a type; values without a domain are joined by ite. abstract:inferred finds "
        "predicates that both states prove, and explores again, with more of them or with ite at the places to blame, "
        "where a failure does not replay",
        f"{EXACT}; {OVER} with abstract and havoc",
    )
    predicate: tuple[str, ...] = option(
        (),
        texts("[WHAT:]EXPRESSION"),
        _MERGE,
        "a predicate in C, for --join abstract:simple, conjunctive or disjunctive; v is the joined value, other names "
        "are variables; WHAT as in --join. With --abstract: what must be the same in states that cover each other; v "
        "is each variable",
        f"{OVER}; {UNDER} with --abstract",
    )
    similar: str = option(
        "qce",
        choice("qce", "always", "live"),
        _MERGE,
        "when joining pays: if it is estimated to cost few queries (qce), always, or if nothing that is still read "
        "differs (live)",
        EXACT,
    )
    qce: tuple[float, ...] = option(
        (1e-4, 0.5, 10.0, 1.0),
        numbers(("ALPHA", "BETA", "KAPPA", "ZETA")),
        _MERGE,
        "parameters of --similar qce: part of all queries that a join may add, weight of a branch's side (0.5: the "
        "sides share it; Kuznetsov12: 0.8), most turns of loops of unknown length, cost of a query about joined values",
        EXACT,
    )
    delta: int = option(
        8,
        whole("N", 0),
        _MERGE,
        "how many of a state's last places count when another one is to catch up with it (--merge dynamic)",
        EXACT,
    )
    loops: str = option(
        "exact",
        choice("exact", "run", "abstract"),
        _MERGE,
        "how loops run that look at one element after another: in one step, with a path for each kind of exit (exact; "
        "not with --unwind, --prune interpolate, --check nontermination or --tests paths), or turn by turn (run). "
        "abstract takes all loops of the program for any number of turns at once, and knows only what is proved of "
        "each turn",
        f"{EXACT}; {OVER} with abstract",
    )
    loop_turns: int = option(
        256,
        whole("N", 1),
        _MERGE,
        "the turns of a loop that --loops exact takes in one step; the loop then goes on as a path of its own, with "
        "twice as many, up to 256",
        EXACT,
    )
    invariant: tuple[str, ...] = option(
        (),
        texts("FILE:LINE:EXPRESSION"),
        _MERGE,
        "a condition in C that holds whenever a turn of the loop at that line begins (--loops abstract): it is "
        "proved, then used; if it is not proved, that is an alarm",
        EXACT,
    )
    prune: str = option(
        "none",
        choice("none", "subsume", "interpolate"),
        _PRUNE,
        "drop a state if an earlier one at its place can do everything that it can (subsume), or if it meets the "
        "conditions under which finished parts of the program were safe (interpolate; joins must be exact)",
        EXACT,
    )
    interpolants: tuple[str, ...] = option(
        ("cores", "slacken", "wp"),
        subset("cores", "slacken", "wp", "bitwuzla"),
        _PRUNE,
        "what --prune interpolate learns conditions from: unsat cores (cores), intervals around their numbers "
        "(slacken), weakest preconditions, also of sides that no path took (wp); bitwuzla is accepted and adds nothing",
        EXACT,
    )
    abstract: str = option(
        "none",
        word("none|list|array|tree[:DEPTH],...", _abstract),
        _PRUNE,
        "compare less of states (--prune subsume): segments of lists count as one node (list), arrays as the cells "
        "that were accessed (array), everything below DEPTH (2) in trees as one node (tree); numbers in variables "
        "count as far as --predicate says",
        UNDER,
    )
    tests: str = option(
        "coverage",
        choice("coverage", "paths", "errors"),
        _TESTS,
        "which paths get a test: those that cover a new branch, every path, or only errors (which always get one)",
    )
    formats: tuple[str, ...] = option(
        ("json",),
        subset(*FORMATS),
        _TESTS,
        "formats of tests (json always; ktest, xml, c: C or C++), and of other tools for a whole run (docs/formats.md)",
    )

    corpus_out: str | None = option(
        None,
        text("DIR"),
        _TESTS,
        "write the input of a fuzz target to this folder as soon as a test shows something new; those of errors to "
        "DIR-crashes",
    )

    unwind: int | None = option(
        None,
        whole("N", 1),
        _LIMITS,
        "end a path that goes back to the head of a loop more than N times after entering it; not in the C library",
        UNDER,
    )
    max_time: float | None = option(
        None, seconds("S"), _LIMITS, "stop after S seconds; also with a unit: 90s, 2min, 1h", UNDER
    )
    max_memory: int | None = option(
        4000,
        size("MB", 50, 1 << 20),
        _LIMITS,
        "at 80 % of it caches are dropped, then states, which are counted; also with a unit: 4GB",
        UNDER,
    )
    max_instructions: int | None = option(None, whole("N", 1), _LIMITS, "stop after N instructions", UNDER)
    max_forks: int | None = option(None, whole("N", 1), _LIMITS, "stop after N forks", UNDER)
    max_depth: int | None = option(None, whole("N", 1), _LIMITS, "end a path after N forks along it", UNDER)
    max_tests: int | None = option(None, whole("N", 1), _LIMITS, "stop after N tests", UNDER)
    max_errors: int | None = option(None, whole("N", 1), _LIMITS, "stop after N errors", UNDER)
    stop_at: tuple[str, ...] = option(
        (), subset(*ERROR_KINDS), _LIMITS, "stop at the first error of one of these kinds", UNDER
    )
    max_size: int = option(4096, size("N", 1, 1), _LIMITS, "the most bytes of an object whose size is symbolic", UNDER)

    solver: str = option(
        "bitwuzla",
        choice("bitwuzla", "z3"),
        _SOLVER,
        "the solver; hard queries go to the other one too",
        EXACT,
    )
    solver_timeout: float = option(10.0, seconds("S"), _SOLVER, "give up a query after S seconds", EXACT)
    hard: str = option(
        "wait",
        choice("wait", "sample"),
        _SOLVER,
        "what a path does at a hard query: wait for the answer up to --solver-timeout, or go on after a small share of "
        "work with values that it is known to have (sample; without joins and pruning)",
        f"{EXACT}; {UNDER} with sample, which never comes to safe once a query was given up",
    )
    dump_smt: str | None = option(None, text("DIR"), _SOLVER, "write every query as SMT-LIB 2")
    audit: bool = option(False, switch(), _SOLVER, "prove joins, covers and proofs again with the other solver", EXACT)
    count_paths: bool = option(
        False,
        switch(),
        _SOLVER,
        "count one by one the single paths that joined states stand for, as long as a state stands for at most K of "
        "--path-sample, here 1,000",
        EXACT,
    )
    path_sample: int = option(
        8,
        whole("K", 0),
        _SOLVER,
        "follow at most K single paths of each joined state, chosen by lot, to estimate how many paths were explored "
        "(0: none; only a run of one strategy in one process does)",
        EXACT,
    )

    out: str | None = option(None, text("DIR"), _OUTPUT, "run directory (default unfork-out-N, link unfork-last)")
    json: str | None = option(None, text("FILE|-"), _OUTPUT, "also write the summary there; - is standard output")
    quiet: bool = option(False, switch(), _OUTPUT, "print nothing but usage errors")
    no_progress: bool = option(False, switch(), _OUTPUT, "no progress display")
    serve: int | None = option(
        None,
        port(),
        _OUTPUT,
        "show the run as a page while it goes on, only on this machine; without PORT on a free one",
    )
    verbose: bool = option(False, switch(), _OUTPUT, "print warnings, and where they come from")

    cc: str | None = option(None, text("PATH"), _COMPILER, "C compiler (clang) to use instead of the bundled one")
    cflags: str = option(
        "", text('"..."'), _COMPILER, "further options for the compiler; with -O1 and higher it hides some faults"
    )
    std: tuple[str, ...] = option(
        (),
        texts("STD", standard),
        _COMPILER,
        "standard of C or C++ for the files of that language, unless --cflags name another (none: gnu17, gnu++17)",
    )
    include: tuple[str, ...] = option((), texts("DIR"), _COMPILER, "directory of header files", flag="-I")
    define: tuple[str, ...] = option((), texts("NAME[=V]"), _COMPILER, "preprocessor definition", flag="-D")
    data_model: str = option(
        "LP64",
        choice("LP64", "ILP32"),
        _COMPILER,
        "widths of types of C: in ILP32, long and pointers have 32 bits, as on i386 (docs/svcomp.md: limits); "
        "bitcode has its own",
        EXACT,
    )
    libc: str = option(
        "musl", choice("musl", "none"), _COMPILER, "C library: musl, or only what unfork models itself", EXACT
    )
    optimize: int = option(
        1, whole("0|1", 0), _COMPILER, "1: simplify the IR without erasing behaviour; 0: keep the compiler's IR", EXACT
    )

    given: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Turn words of a command line (str) into values. Raises TypeError and InputError."""
        for name, description in DESCRIPTIONS.items():
            value, default = getattr(self, name), DEFAULTS[name]
            if value is default or (value is None and default is None):
                continue
            try:
                object.__setattr__(self, name, description.kind.accept(value))
            except TypeError as problem:
                raise TypeError(f"Options: {name}: {problem}") from None
            except ValueError as problem:
                raise refuse(flag_of(name), str(problem)) from None

    @property
    def entry(self) -> str:
        """The function that the run starts in: with --calls, the generated one."""
        return CALLER if self.calls else self.function

    def is_given(self, name: str) -> bool:
        """Whether the user set option ``name``."""
        return name in self.given or getattr(self, name) != DEFAULTS[name]


def flag_of(name: str) -> str:
    """The flag of the option in field ``name``."""
    return DESCRIPTIONS[name].flag or f"--{name.replace('_', '-')}"


DESCRIPTIONS: dict[str, Description] = {
    field.name: field.metadata["option"] for field in fields(Options) if "option" in field.metadata
}
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Options)}


def as_dict(options: Options) -> dict[str, Any]:
    """The options as plain data, for summary.json: tuples become lists."""
    return {name.replace("_", "-"): _plain(getattr(options, name)) for name in DESCRIPTIONS}


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
