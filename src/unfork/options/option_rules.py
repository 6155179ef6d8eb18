"""Which options go together, and what a strategy presets of those that are not named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from unfork.errors import InputError
from unfork.options.kinds import refuse
from unfork.options.options import AUTO, BUNDLED, DEFAULTS, DESCRIPTIONS, EXACT_JOINS, INFERRED, Options, flag_of
from unfork.options.strategies import (
    BUNDLES,
    DETAILS,
    EXPLORING_PRESETS,
    JOINING,
    JOINING_PRESETS,
    JOINS,
    PRUNING,
    is_exact,
)

ALONE = ("count_paths", "audit", "dump_smt", "all_errors")
"""Options that need all of one exploration; --tests paths, --loops abstract and inferred joins do, too."""
TREE_DEPTH = 2
"""Steps below a variable at which trees are folded, unless --abstract says another number."""


def alone(options: Options) -> list[str]:
    """The given options that need all of one exploration."""
    others = {
        "tests": options.tests == "paths",
        "loops": options.loops == "abstract",
        "join": options.join == INFERRED,
    }
    return [name for name in ALONE if options.is_given(name)] + [name for name, asks in others.items() if asks]


def abstractions(options: Options) -> dict[str, int]:
    """The abstractions of --abstract, each with its depth, which counts for trees alone."""
    named = [] if options.abstract == "none" else [one.partition(":") for one in options.abstract.split(",")]
    return {kind: int(depth or TREE_DEPTH) for kind, _, depth in named}


# --- presets


def complete(options: Options) -> Options:
    """One strategy: the preset that the named options choose (``JOINING_PRESETS``), overridden by them."""
    named = _named(options)
    exploring = EXPLORING_PRESETS[named.get("prune", "none")]
    joining = exploring
    if not named or any(part in named for part in JOINING):
        rows = JOINING_PRESETS.items()
        joining = next((strategy for (part, value), strategy in rows if named.get(part) == value), JOINS)
    values = {part: BUNDLES[exploring].options[part] for part in PRUNING}
    values |= {part: value for part, value in BUNDLES[joining].options.items() if part in JOINING}
    return replace(options, **values | named)


def preset(options: Options, strategy: str) -> Options:
    """The preset that --strategy names, overridden by what else is named, as if all of it were given."""
    values = {**BUNDLES[strategy].options, **_named(options)}
    return replace(options, **values, strategy=(AUTO,), given=(options.given | values.keys()) - {"strategy"})


def _named(options: Options) -> dict[str, Any]:
    """The parts of a strategy that are named, by themselves or by an option that serves one of their values."""
    named = {part: getattr(options, part) for part in BUNDLED if options.is_given(part)}
    for detail, (part, value) in DETAILS.items():
        if options.is_given(detail):
            named.setdefault(part, value)
    return named


# --- what is refused


@dataclass(frozen=True, slots=True)
class OptionRule:
    """Values that do not go together: if ``is_broken``, ``flag`` is refused for the ``reason``.

    The reason may name values, as in ``--join {0.join}``.
    """

    flag: str
    reason: str
    is_broken: Callable[[Options], bool]


def _looks_at_turns(flag: str, looks: Callable[[Options], bool]) -> OptionRule:
    """--loops abstract takes all turns at once: nothing that looks at single ones goes with it."""
    reason = f"abstract goes without {flag}, which looks at single turns"
    return OptionRule("--loops", reason, lambda it: it.loops == "abstract" and looks(it))


RULES: tuple[OptionRule, ...] = (
    OptionRule(
        "--predicate",
        "--join {0.join} keeps no predicates; give --join abstract:conjunctive, say",
        lambda it: bool(it.predicate) and not it.join.startswith("abstract:") and it.abstract == "none",
    ),
    OptionRule(
        "--qce",
        "ALPHA must be at least 0, BETA in (0, 1], KAPPA and ZETA at least 1",
        lambda it: not (it.qce[0] >= 0 and 0 < it.qce[1] <= 1 and it.qce[2] >= 1 and it.qce[3] >= 1),
    ),
    OptionRule(
        "--calls",
        "--calls and --max-calls need each other",
        lambda it: bool(it.calls) != (it.max_calls is not None),
    ),
    OptionRule(
        "--calls",
        "the container is made by calls, so that --requires has no heap to ask about",
        lambda it: bool(it.calls) and it.requires is not None,
    ),
    OptionRule(
        "--globals",
        "{0.globals} needs a --function other than main, and no --calls",
        lambda it: it.globals != "initial" and (it.entry == "main" or bool(it.calls)),
    ),
    OptionRule(
        "--lengths",
        "measured goes without --merge, --prune and --loops abstract, which know no unread copies",
        lambda it: it.lengths == "measured" and ((it.merge, it.prune) != ("none", "none") or it.loops == "abstract"),
    ),
    OptionRule(
        "--invariant",
        "needs --loops abstract",
        lambda it: bool(it.invariant) and it.loops != "abstract",
    ),
    OptionRule(
        "--path-sample",
        "K is 0 or at least 2: samples are compared with each other",
        lambda it: it.path_sample == 1,
    ),
    OptionRule(
        "--path-sample",
        "0 follows no path: give --count-paths another number",
        lambda it: it.count_paths and it.path_sample == 0,
    ),
    _looks_at_turns("--unwind", lambda it: it.unwind is not None),
    _looks_at_turns("--count-paths", lambda it: it.count_paths),
    _looks_at_turns("--audit", lambda it: it.audit),
    _looks_at_turns("--prune", lambda it: it.prune == "interpolate"),
    _looks_at_turns("--check nontermination", lambda it: "nontermination" in it.check),
    OptionRule(
        "--check",
        "nontermination needs --prune none: what --prune {0.prune} covers need not end",
        lambda it: "nontermination" in it.check and it.prune != "none",
    ),
    OptionRule(
        "--check",
        "cleanup says more of leaks: it needs leak",
        lambda it: "cleanup" in it.check and "leak" not in it.check,
    ),
    OptionRule(
        "--check",
        "lost says more of leaks: it needs leak",
        lambda it: "lost" in it.check and "leak" not in it.check,
    ),
    OptionRule(
        "--check",
        "indeterminate says what comes of uninitialised: it needs that",
        lambda it: "indeterminate" in it.check and "uninitialised" not in it.check,
    ),
    OptionRule(
        "--check",
        "hardening is about the bundled libc++: it goes without --cc",
        lambda it: "hardening" in it.check and it.cc is not None,
    ),
    OptionRule(
        "--hard",
        "sample needs --merge none and --prune none, and goes without --loops abstract",
        lambda it: it.hard == "sample" and ((it.merge, it.prune) != ("none", "none") or it.loops == "abstract"),
    ),
    OptionRule(
        "--abstract",
        "needs --prune subsume",
        lambda it: it.abstract != "none" and it.prune != "subsume",
    ),
    OptionRule(
        "--interpolants",
        "needs --prune interpolate",
        lambda it: it.is_given("interpolants") and it.prune != "interpolate",
    ),
    OptionRule(
        "--prune",
        "interpolate needs joins that are exact: --join {0.join} forgets values",
        lambda it: it.prune == "interpolate" and it.merge != "none" and it.join not in EXACT_JOINS,
    ),
    OptionRule(
        "--join",
        f"{INFERRED} goes without --prune {{0.prune}}: what is covered is not explored again",
        lambda it: it.join == INFERRED and it.prune != "none" and it.merge != "none",
    ),
    OptionRule(
        "--join",
        f"{INFERRED} goes without --loops abstract, which forgets too",
        lambda it: it.join == INFERRED and it.loops == "abstract",
    ),
    OptionRule(
        "--predicate",
        f"--join {INFERRED} takes none",
        lambda it: it.join == INFERRED and bool(it.predicate),
    ),
    OptionRule(
        "--join",
        f"{INFERRED} is explored by one process, not on a cluster",
        lambda it: it.join == INFERRED and it.cluster is not None,
    ),
    OptionRule(
        "--interpolants",
        "cores or wp must be among them: the others start from what these find",
        lambda it: not {"cores", "wp"}.intersection(it.interpolants),
    ),
    OptionRule(
        "--optimize",
        "must be 0 or 1, not {0.optimize}",
        lambda it: it.optimize > 1,
    ),
)
"""Checked in this order, in the options of one strategy; the first one that is broken is reported."""


def check_values(options: Options) -> None:
    """Refuse a value out of range, with an InputError that names the option."""
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
    if options.strategy == (AUTO,):
        check_together(complete(options))
    else:
        for name in options.strategy:
            check_together(preset(options, name))


def check_together(options: Options) -> None:
    """Refuse options of one strategy that do not go together, with an InputError that names one."""
    for rule in RULES:
        if rule.is_broken(options):
            raise refuse(rule.flag, rule.reason.format(options))


def _check_strategy(options: Options) -> None:
    if AUTO in options.strategy and len(options.strategy) > 1:
        raise refuse("--strategy", "auto stands alone")
    if len(set(options.strategy)) < len(options.strategy):
        raise refuse("--strategy", "names one twice")
    asking = alone(options)
    if len(options.strategy) > 1 and asking:
        flag = flag_of(asking[0])
        raise refuse("--strategy", f"only one goes with {flag}, which asks for all of one exploration")
    own = [name for name in (*BUNDLED, *DETAILS) if options.is_given(name)]
    if options.strategy == (AUTO,) and options.is_given("strategy") and own:
        flag = flag_of(own[0])
        raise refuse("--strategy", f"auto goes without {flag}, which is a strategy of its own")
    if options.is_given("strategy") and options.is_given("loops"):
        for name in set(options.strategy).difference([AUTO]):
            if not is_exact(name):
                raise refuse("--strategy", f"{name} goes without --loops, which it chooses")


def from_dict(data: dict[str, Any]) -> Options:
    """The options of a run that ``as_dict`` described, without unknown names. Raises InputError for bad values."""
    values = {}
    for name in DESCRIPTIONS:
        key = name.replace("_", "-")
        if key in data:
            values[name] = _frozen(data[key])
    try:
        options = Options(**values)
    except TypeError as problem:
        raise InputError(str(problem)) from None
    if options.strategy == (AUTO,):
        check(options)
    else:
        check_values(options)  # the run has checked the rest, and knew which options override its strategies
    return options


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value
