"""unfork completions: what a shell needs to complete the words of a command."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from unfork.cli.pages import Page, Value
from unfork.cli.streams import say
from unfork.errors import InputError
from unfork.option_kinds import near
from unfork.report.verdict import EXIT_SAFE

_COMPLETIONS_USAGE = """\
usage: unfork completions bash | zsh | fish

  Prints the completions of unfork for a shell:
  bash
      for one session: source <(unfork completions bash); for all: put them into
      ~/.local/share/bash-completion/completions/unfork
  zsh
      put them into a file _unfork in a folder of fpath
  fish
      put them into ~/.config/fish/completions/unfork.fish
"""

_BASH_BEGIN = """\
# Completions of unfork for bash, made by: unfork completions bash
_unfork_words() {
    local before="${cur%,*}," last=${cur##*,}
    if [[ $2 == list && $cur == *,* ]]; then
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "$last")
    else
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
    fi
}

_unfork_names() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

_unfork() {
    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ $cur == = ]]; then
        cur=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
"""
_BASH_END = """\
}

complete -F _unfork unfork
"""


def completions_command(words: Sequence[str], pages: Callable[[], Sequence[Page]]) -> int:
    """Print the completions for a shell. Returns the exit status."""
    if "--help" in words or "-h" in words:
        say(_COMPLETIONS_USAGE)
        return EXIT_SAFE
    if len(words) != 1 or words[0] not in SHELLS:
        meant = near(words[0], SHELLS) if words else ""
        raise InputError(f"completions takes one of {', '.join(SHELLS)}{meant}; see unfork completions --help")
    say(SHELLS[words[0]](pages()))
    return EXIT_SAFE


def bash(pages: Sequence[Page]) -> str:
    """The completions for bash 4.4 or later."""
    lines = [
        "    if ((COMP_CWORD == 1)); then",
        f"        _unfork_words {shlex.quote(' '.join([*(page.name for page in pages), '--help', '--version']))}",
        "        return",
        "    fi",
        "    case ${COMP_WORDS[1]}:$before in",
    ]
    for page in pages:
        for flag, (values, _) in page.options.items():
            if values:
                lines += [f"        {page.name}:{flag}) {_bash_value(values[0])}; return ;;"]
    lines += ["    esac", "    case ${COMP_WORDS[1]}:$cur in"]
    lines += [f"        {page.name}:-*) _unfork_words {shlex.quote(' '.join(page.options))} ;;" for page in pages]
    lines += [f"        {page.name}:*) {_bash_rest(page)} ;;" for page in pages]
    return _BASH_BEGIN + "\n".join([*lines, "    esac", ""]) + _BASH_END


def _bash_value(value: Value) -> str:
    if value.choices:
        return f"_unfork_words {shlex.quote(' '.join(value.choices))}{' list' * value.is_list}"
    return "_unfork_names -d" if value.is_directory else "_unfork_names -f" if value.is_file else ":"


def _bash_rest(page: Page) -> str:
    if page.words and not page.takes_files:
        also = "; ((${#COMPREPLY[@]})) || _unfork_names -d" if page.takes_directories else ""
        return f"_unfork_words {shlex.quote(' '.join(page.words))}{also}"
    return "_unfork_names -f" if page.takes_files else "_unfork_names -d" if page.takes_directories else ":"


def zsh(pages: Sequence[Page]) -> str:
    """The completions for zsh."""
    lines = ["#compdef unfork", "# Completions of unfork for zsh, made by: unfork completions zsh", "_unfork() {"]
    lines += ["  if (( CURRENT == 2 )); then", "    local -a commands=("]
    lines += [f"      {shlex.quote(page.name + ':' + page.purpose)}" for page in pages]
    lines += ["    )", "    _describe command commands", "    return", "  fi"]
    lines += ["  local command=$words[2]", "  shift words", "  (( CURRENT-- ))", "  case $command in"]
    for page in pages:
        lines += [f"    {page.name})", "      _arguments \\"]
        for flag, (values, brief) in page.options.items():
            lines.append(f"        {shlex.quote(_zsh_option(flag, values, brief))} \\")
        lines += [f"        {shlex.quote(_zsh_rest(page))}", "      ;;"]
    return "\n".join([*lines, "  esac", "}", "", '_unfork "$@"', ""])


def _zsh_option(flag: str, values: Sequence[Value], brief: str) -> str:
    explained = f"[{_zsh_escaped(brief)}]" if brief else ""
    joined = ("=" if flag.startswith("--") else "+") if len(values) == 1 else ""
    return f"*{flag}{joined}{explained}" + "".join(
        f":{_zsh_escaped(value.name)}:{_zsh_value(value)}" for value in values
    )


def _zsh_value(value: Value) -> str:
    if value.choices and value.is_list:
        return f"_values -s , value {' '.join(value.choices)}"
    if value.choices:
        return f"({' '.join(value.choices)})"
    return "_directories" if value.is_directory else "_files" if value.is_file else " "


def _zsh_rest(page: Page) -> str:
    if page.words and not page.takes_directories:
        return f"1: :({' '.join(page.words)})"
    names = "_files" if page.takes_files else "_directories" if page.takes_directories else " "
    return (
        f"*: :_alternative 'names\\:name\\:{names}' 'words\\:word\\:({' '.join(page.words)})'"
        if page.words
        else (f"*: :{names}")
    )


def _zsh_escaped(text: str) -> str:
    for character in "\\:[]":
        text = text.replace(character, f"\\{character}")
    return text


def fish(pages: Sequence[Page]) -> str:
    """The completions for fish."""
    lines = ["# Completions of unfork for fish, made by: unfork completions fish", "complete -c unfork -f"]
    lines += [
        f"complete -c unfork -n __fish_use_subcommand -a {page.name} -d {_fish_quoted(page.purpose)}" for page in pages
    ]
    for page in pages:
        begin = f"complete -c unfork -n '__fish_seen_subcommand_from {page.name}'"
        for flag, (values, brief) in page.options.items():
            name = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            explained = f" -d {_fish_quoted(brief)}" if brief else ""
            lines.append(f"{begin} {name}{_fish_value(values[0]) if values else ''}{explained}")
        if page.takes_files:
            lines.append(f"{begin} -F")
        elif page.takes_directories:
            lines.append(f"{begin} -a '(__fish_complete_directories)'")
        if page.words:
            lines.append(f"{begin} -a {_fish_quoted(' '.join(page.words))}")
    return "\n".join(lines) + "\n"


def _fish_value(value: Value) -> str:
    if value.choices:
        words = " ".join(value.choices)
        return f" -x -a {_fish_quoted(f'(__fish_append , {words})' if value.is_list else words)}"
    if value.is_directory:
        return " -x -a '(__fish_complete_directories)'"
    return " -r -F" if value.is_file else " -x"


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS: dict[str, Callable[[Sequence[Page]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""What makes the completions for each shell."""
