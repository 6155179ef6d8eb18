"""Which options go together, and which of their values make sense."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from unfork.errors import InputError
from unfork.options.kinds import refuse
from unfork.options.options import AUTO, BUNDLED, DEFAULTS, DESCRIPTIONS, EXACT_JOINS, INFERRED, Options, flag_of
from unfork.options.strategies import BUNDLES, DETAILS, JOINING, PRUNING, WITH_JOINS, WITHOUT_JOINS, brings, is_exact

ALONE = ("count_paths", "audit", "dump_smt", "all_errors")
"""Options that ask for all of one exploration, as --tests paths and --loops abstract do."""
TREE_DEPTH = 2
"""Steps below a variable from which on trees are folded."""


def alone(options: Options) -> list[str]:
    """The options that were given and ask for all of one exploration."""
    others = {
        "tests": options.tests == "paths",
        "loops": options.loops == "abstract",
        "join": options.join == INFERRED,
    }
    return [name for name in ALONE if options.is_given(name)] + [name for name, asks in others.items() if asks]


def abstractions(options: Options) -> dict[str, int]:
    """The abstractions that --abstract names, each with its depth, which only trees look at."""
    named = [] if options.abstract == "none" else [one.partition(":") for one in options.abstract.split(",")]
    return {kind: int(depth or TREE_DEPTH) for kind, _, depth in named}


def complete(options: Options) -> Options:
    """The options with what the named ones bring (``RULE``), as one strategy; what is named stands."""
    named = {part: getattr(options, part) for part in BUNDLED if options.is_given(part)}
    for detail, (part, value) in DETAILS.items():
        if options.is_given(detail):
            named.setdefault(part, value)
    joining = [part for part in JOINING if part in named]
    pruning = brings("prune", named.get("prune")) or WITHOUT_JOINS
    brought = next((name for part in joining if (name := brings(part, named[part]))), WITH_JOINS)
    merging = brought if joining or not named else pruning
    parts = {part: BUNDLES[pruning].options[part] for part in PRUNING}
    parts |= {part: value for part, value in BUNDLES[merging].options.items() if part in JOINING}
    return replace(options, **parts | named)


def check_values(options: Options) -> None:
    """Refuse a value that no user may ask for, with an InputError that names the option."""
    for name, description in DESCRIPTIONS.items():
        value = getattr(options, name)
        if value != DEFAULTS[name] and value is not None:
            try:
                description.kind.check(value)
            except ValueError as problem:
                raise refuse(flag_of(name), str(problem)) from None


def check(options: Options) -> None:
    """Refuse options that make no sense, alone or together, with an InputError that names one."""
    check_values(options)
    _check_strategy(options)
    if not options.is_given("strategy"):
        options = complete(options)
    if options.predicate and not options.join.startswith("abstract:") and options.abstract == "none":
        raise refuse("--predicate", f"--join {options.join} keeps no predicates; give --join abstract:conjunctive, say")
    alpha, beta, kappa, zeta = options.qce
    if not (alpha >= 0 and 0 < beta <= 1 and kappa >= 1 and zeta >= 1):
        raise refuse("--qce", "ALPHA must be at least 0, BETA in (0, 1], KAPPA and ZETA at least 1")
    if bool(options.calls) != (options.max_calls is not None):
        raise refuse("--calls", "--calls and --max-calls need each other")
    if options.calls and options.requires is not None:
        raise refuse("--calls", "the container is made by calls, so that --requires has no heap to ask about")
    if options.globals != "initial" and (options.entry == "main" or options.calls):
        raise refuse("--globals", f"{options.globals} needs a --function other than main, and no --calls")
    _check_loops(options)
    _check_checks(options)
    relies_on_all = (options.merge, options.prune) != ("none", "none") or options.loops == "abstract"
    if options.hard == "sample" and relies_on_all:
        raise refuse("--hard", "sample needs --merge none and --prune none, and goes without --loops abstract")
    if options.abstract != "none" and options.prune != "subsume":
        raise refuse("--abstract", "needs --prune subsume")
    if options.is_given("interpolants") and options.prune != "interpolate":
        raise refuse("--interpolants", "needs --prune interpolate")
    if options.prune == "interpolate" and options.merge != "none" and options.join not in EXACT_JOINS:
        raise refuse("--prune", f"interpolate needs joins that are exact: --join {options.join} forgets values")
    _check_inferred(options)
    if not {"cores", "wp"}.intersection(options.interpolants):
        raise refuse("--interpolants", "cores or wp must be among them: the others start from what these find")
    if options.optimize > 1:
        raise refuse("--optimize", f"must be 0 or 1, not {options.optimize}")


def _check_checks(options: Options) -> None:
    """Refuse checks that need what the other options do not give."""
    if "nontermination" in options.check and options.prune != "none":
        raise refuse("--check", f"nontermination needs --prune none: what --prune {options.prune} covers need not end")
    for name in ("cleanup", "lost"):
        if name in options.check and "leak" not in options.check:
            raise refuse("--check", f"{name} says more of leaks: it needs leak")
    if "indeterminate" in options.check and "uninitialised" not in options.check:
        raise refuse("--check", "indeterminate says what comes of uninitialised: it needs that")
    if "hardening" in options.check and options.cc is not None:
        raise refuse("--check", "hardening is about the bundled libc++: it goes without --cc")


def _check_inferred(options: Options) -> None:
    """Refuse what cannot be explored again from the beginning as if nothing had been explored before."""
    if options.join != INFERRED:
        return
    if options.prune != "none" and options.merge != "none":
        raise refuse(
            "--join", f"{INFERRED} goes without --prune {options.prune}: what is covered is not explored again"
        )
    if options.loops == "abstract":
        raise refuse("--join", f"{INFERRED} goes without --loops abstract, which forgets too")
    if options.predicate:
        raise refuse("--predicate", f"--join {INFERRED} takes none")
    if options.cluster is not None:
        raise refuse("--join", f"{INFERRED} is explored by one process, not on a cluster")


def _check_loops(options: Options) -> None:
    if options.invariant and options.loops != "abstract":
        raise refuse("--invariant", "needs --loops abstract")
    single = [name for name in ("unwind", "count_paths", "audit") if getattr(options, name) != DEFAULTS[name]]
    single += ["prune"] if options.prune == "interpolate" else []
    if options.loops == "abstract" and (single or "nontermination" in options.check):
        flag = flag_of(single[0]) if single else "--check nontermination"
        raise refuse("--loops", f"abstract goes without {flag}, which looks at single turns")


def _check_strategy(options: Options) -> None:
    if AUTO in options.strategy and len(options.strategy) > 1:
        raise refuse("--strategy", "auto stands alone")
    if len(set(options.strategy)) < len(options.strategy):
        raise refuse("--strategy", "names one twice")
    asking = alone(options)
    if len(options.strategy) > 1 and asking:
        flag = flag_of(asking[0])
        raise refuse("--strategy", f"only one goes with {flag}, which asks for all of one exploration")
    own = [name for name in BUNDLED if options.is_given(name)]
    if options.is_given("strategy") and own:
        flag = flag_of(own[0])
        raise refuse("--strategy", f"goes without {flag}, which is a strategy of its own")
    if options.is_given("strategy") and options.is_given("loops"):
        for name in set(options.strategy).difference([AUTO]):
            if not is_exact(name):
                raise refuse("--strategy", f"{name} goes without --loops, which it chooses")


def from_dict(data: dict[str, Any]) -> Options:
    """The options that as_dict described; unknown names are left out, bad values raise InputError."""
    values = {}
    for name in DESCRIPTIONS:
        key = name.replace("_", "-")
        if key in data:
            values[name] = _frozen(data[key])
    try:
        options = Options(**values)
    except TypeError as problem:
        raise InputError(str(problem)) from None
    check(options)
    return options


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value
