"""What the options mean, as text: for the help of commands, and as a page of documentation."""

from __future__ import annotations

import re
import sys
from typing import Any

from unfork.option_kinds import LEGEND, NEUTRAL
from unfork.option_strategies import BUNDLES, JOINING, PRUNING, RULE, brings, flags, naming
from unfork.options import DEFAULTS, DESCRIPTIONS, flags_of


def _words(value: Any) -> str:
    return ",".join(_words(each) for each in value) if isinstance(value, tuple) else str(value)


def _default(name: str) -> str:
    """The default of an option as a user would type it."""
    value = DEFAULTS[name]
    if value is None or value == () or value is False or value == "":
        return "off" if value is False else "none"
    return _words(value)


def meaning(name: str) -> str:
    """Meaning, default and soundness note of an option."""
    description = DESCRIPTIONS[name]
    note = "" if description.soundness == NEUTRAL else f", {description.soundness}"
    return f"{description.meaning} (default {_default(name)}{note})"


def markdown() -> str:
    """All options as a page of documentation."""
    lines = ["# Options of `unfork run`", "", "What an option means for the verdict:", ""]
    lines += [f"- *{note}*: {text}" for note, text in LEGEND.items()]
    section = ""
    for name, description in DESCRIPTIONS.items():
        if description.section != section:
            section = description.section
            lines += ["", f"## {section}", ""]
        head = " ".join((*flags_of(name, description), *description.kind.words))
        default = _default(name)
        shown = default if default in ("none", "off") else f"`{default}`"
        lines.append(f"- `{head}`: {_escaped(description.meaning)}. (Default: {shown}; *{description.soundness}*.)")
    lines += ["", "## Strategies", ""]
    lines += ["| strategy | options | good at |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | `{flags(name)}` | {strategy.good_at} |" for name, strategy in BUNDLES.items()]
    lines += ["", RULE, "", "| named | brings the rest of |", "| --- | --- |"]
    lines += [f"| `{named}` | `{strategy}` |" for named, strategy in naming()]
    others = [
        f"`--{part} {value}`" for part in (*PRUNING, *JOINING) for value in _values(part) if not brings(part, value)
    ]
    lines += [f"| {', '.join(others)} | none |"]
    return "\n".join(lines) + "\n"


def _values(name: str) -> list[str]:
    return DESCRIPTIONS[name].kind.words[0].split("|")


def _escaped(text: str) -> str:
    return re.sub(r"([*_<\[`])", r"\\\1", text)


if __name__ == "__main__":
    sys.stdout.write(markdown())
