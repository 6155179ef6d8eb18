"""Conditions on parameters that the comments of a function state: "length must be a multiple of 16".

A sentence counts if it says that something must be so, of a parameter that it names, or of the only one of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from unfork.commands.projects.function_comments import FunctionComment
from unfork.commands.scan.fault_needs import ArgumentNeed


class StatedLimit(Enum):
    """How a condition bounds a number, or the bytes of an object."""

    AT_LEAST = "at least"
    AT_MOST = "at most"
    MULTIPLE = "a multiple of"
    POWER = "a power of two"
    NOT_ZERO = "not zero"
    NOT_NULL = "not null"
    ENDED = "ended by a NUL"
    OTHER = "as the comment says"


@dataclass(frozen=True, slots=True)
class StatedCondition:
    """A condition on a parameter. Its words begin at an ``offset`` of ``comment``."""

    parameter: str
    limit: StatedLimit
    value: int
    comment: FunctionComment
    offset: int

    def excludes(self, need: ArgumentNeed) -> bool:
        """Whether no call that respects it brings about a fault with this need of the parameter."""
        if need.is_null:
            return self.limit is StatedLimit.NOT_NULL
        match self.limit:
            case StatedLimit.AT_LEAST:
                return need.most is not None and need.is_outside(self.value - 1 - need.most)
            case StatedLimit.AT_MOST:
                return need.least is not None and not need.is_object and need.is_outside(need.least - self.value - 1)
            case StatedLimit.MULTIPLE:
                return _is_divided(need, self.value)
            case StatedLimit.POWER:
                return need.is_no_power
            case StatedLimit.NOT_ZERO:
                return need.least == need.most == 0
            case StatedLimit.ENDED:
                return need.is_object and not need.is_text
            case StatedLimit.OTHER:
                return True
        return False


def _is_divided(need: ArgumentNeed, step: int) -> bool:
    """Whether a number is never a multiple of a step, since it is of none that divides that."""
    return step > 0 and any(step % each == 0 for each in need.no_steps)


@dataclass(frozen=True, slots=True)
class ParameterNames:
    """The parameters of a function, and which of them are numbers and pointers to bytes."""

    every: tuple[str, ...]
    numbers: tuple[str, ...]
    buffers: tuple[str, ...]


NULL = r"null\b(?![-\s]*(?:terminat|byte|char))"
"""A pattern for null pointers, in comments."""
_NUMBER = r"(?:the )?(?P<{0}>0x[0-9a-f]+|\d+|[a-z_]\w*)(?P<{0}_more>\s*[-+*/^]|\()?"
_LIMITS: tuple[tuple[StatedLimit, int, str], ...] = (
    (StatedLimit.MULTIPLE, 0, r"(?:multiples? of|divisible by) {}"),
    (StatedLimit.AT_MOST, 0, r"(?:at most|no (?:more|larger|greater|longer) than|not exceed|<=) {}"),
    (StatedLimit.AT_MOST, 0, r"not be (?:more|larger|greater|longer) than {}"),
    (StatedLimit.AT_LEAST, 0, r"(?:at least|(?:no|not be) (?:less|smaller|shorter|fewer) than|>=) {}"),
    (StatedLimit.AT_LEAST, 0, r"(?:be|is|are) (?:exactly )?{}(?:\s|-)bytes?"),
    (StatedLimit.AT_LEAST, 1, r"(?:(?:greater|larger|more|longer) than|(?<![->])>) {}"),
    (StatedLimit.AT_MOST, -1, r"(?:(?:less|smaller|lower|fewer|shorter) than|<) {}"),
)
"""Words around a number, and what is added to it to make the limit."""
_PLAIN: tuple[tuple[StatedLimit, int, str], ...] = (
    (StatedLimit.POWER, 0, r"powers? of (?:two|2)\b"),
    (
        StatedLimit.NOT_NULL,
        0,
        rf"(?:not|never|non)(?:\s|-)(?:be )?(?:a )?{NULL}|!= ?null\b",
    ),
    (StatedLimit.NOT_NULL, 0, r"\bnull (?:pointers? )?(?:is|are) (?:not|never) (?:allowed|permitted|valid|accepted)"),
    (StatedLimit.ENDED, 0, r"\b(?:null?|zero|'?\\?0'?)(?:\s|-)terminated"),
    (StatedLimit.NOT_ZERO, 0, r"non-?zero\b|not (?:be )?(?:zero|0)\b|!= ?0\b"),
    (StatedLimit.AT_LEAST, 1, r"\bpositive\b"),
)


def _words(pattern: str) -> re.Pattern[str]:
    """A pattern in which each space stands for any between words."""
    return re.compile(pattern.replace(" ", r"\s+"), re.I)


_LIMIT = _words(
    "|".join(
        [
            *(f"(?P<l{at}>{words.format(_NUMBER.format(f'n{at}'))})" for at, (_, _, words) in enumerate(_LIMITS)),
            *(f"(?P<p{at}>{words})" for at, (_, _, words) in enumerate(_PLAIN)),
        ]
    )
)
_MUST = _words(
    r"\b(?:must|should|shall|has to|have to|needs? to|required?|requires|expect(?:s|ed)?|assum(?:es|ed)|caller|ensure"
    r"|make sure|can(?: )?not|can't|may not|undefined|precondition)\b|[@\\]pre\b"
)
"""Words without which a sentence only describes what happens."""
_FIT = r"(?:valid|initiali[sz]ed|(?:large|big|long) enough|one of|within|in (?:the )?range|the (?:length|size) of)\b"
_OTHER = _words(
    rf"\b(?:must|should|shall|has to|have to|needs? to) (?:(?!not\b|never\b)\w+ )?be (?:(?!not\b|un)\w+ )?{_FIT}"
    r"|\bcaller(?:s|'s)? (?:must|should|has to|have to|needs? to|is responsible|responsibility) (?:\w+ )?"
    rf"(?:ensure|ensuring|guarantee|make sure|check)\b[^.,;]*\b(?:is|are) (?:(?!not\b|un)\w+ )?{_FIT}"
)
"""Words that state a condition which is not one of the above."""
_SCALED = re.compile(
    r"[,.']\d|(?!u?l{0,2}\b)\w|\s*%"
    r"|[\s-]*(?:[kmgt]i?b?|(?:kilo|mega|giga|kibi|mebi|gibi)(?:byte|bit)s?|bits?|(?:[a-z]+-)?words?|pages?|blocks?"
    r"|sectors?|lines?|rows?|times|percent|dozens?|hundreds?|thousands?|millions?|(?:milli|micro|nano)?seconds?|m?s)\b",
    re.I,
)
"""What comes after the digits of a number that is not a plain one."""
_CASE = re.compile(r"\b(?:if|when(?:ever)?|unless|whether|until|while|otherwise|except|either)\b", re.I)
"""Words by which something must only be so in some cases."""
_FREE = _words(
    r"(?:\bnot|\bnever|\bno longer|n't) (?:\w+ )?"
    r"(?:required?|need(?:ed)?|have to|necessary|necessarily|expected|assumed?)\b|\bneed(?:not| not|n't)\b"
)
"""Words by which something need not be so."""
_RESULT = re.compile(r"\breturn(?:s|ed)?\b", re.I)
_NOT = _words(r"(?:\b(?:not|never|cannot)|n't) (?:\w+ ){0,2}$")
"""What comes before a limit that is turned round."""
_OR = _words(r"\bor\b(?! (?:equal|more|larger|greater|longer))")
_COUNTED = {"one": "1", "two": "2", "three": "3", "four": "4", "eight": "8", "sixteen": "16"}
_END = re.compile(r"[.;](?=\s|$)|\n\s*\n|\n(?=\s*[-+o] )|(?=[@\\](?:param|return|pre|post|brief|note|retval)\b)")
_TAG = re.compile(r"\s*(?:[@\\]param(?:\s*\[[\w, ]*\])?\s+|[-+o] )?[`'\"*]*(\w+)[`'\"*]*\s*(?:[-:=]|\t|  )?")
_PARAM = re.compile(r"[@\\]param\b")
_SIZE = re.compile(
    r"(?:^\W*|\b(?:the|its|buffer|array|data|input|output)\s+)(?:lengths?|size|count|len|number)\b", re.I
)
_INDEX = re.compile(r"(?:^\W*|\bthe\s+)(?:index|offset|position)\b", re.I)
_BUFFER = re.compile(r"\b(?:buffer|array|block|memory|pointer|string)\b", re.I)
_SIZES = re.compile(r"(?:len|length|size|sz|count|cnt|bytes)\d*$|^(?:size|len|num|count|n|max)(?:_|$)", re.I)
"""How the names of numbers look that are sizes."""
_INDICES = re.compile(r"ind|idx|off|pos|^[ijk]$", re.I)
_ENGLISH = frozenset(("a", "i", "in", "is", "to", "of", "on", "at", "by", "or", "as", "it", "for", "and", "the", "out"))
"""Words that are no names of parameters unless they are marked as such."""
_WORDS_BETWEEN = 3
"""The most words between one for a kind of parameters and what is stated of it in general."""
_LONG_NAME = 3
"""Names of so many letters may also be written in capitals."""
_DECORATION = re.compile(r"^[ \t]*(?:/[/*]+[!<]*|\*+(?!/))|\*+/", re.M)


def conditions(
    comments: Iterable[FunctionComment], parameters: ParameterNames, macros: Mapping[str, int]
) -> Iterator[StatedCondition]:
    """What comments demand of parameters."""
    for comment in comments:
        if not comment.is_near:
            continue
        text = _DECORATION.sub(lambda match: " " * len(match[0]), comment.text)
        for start, sentence in _sentences(text):
            if _MUST.search(sentence) is None or _CASE.search(sentence) or _FREE.search(sentence):
                continue
            found = list(_limits(sentence, parameters, macros))
            for limit, value, at in found or _others(sentence):
                name = _subject(sentence, at, parameters)
                if name:
                    yield StatedCondition(name, limit, value, comment, start + at)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a comment on one line each, with their offsets."""
    at = 0
    for end in [*[each.end() for each in _END.finditer(text)], len(text)]:
        if text[at:end].strip():
            yield at, re.sub(r"\s", " ", text[at:end])
        at = end


def _limits(
    sentence: str, parameters: ParameterNames, macros: Mapping[str, int]
) -> Iterator[tuple[StatedLimit, int, int]]:
    """The limits that a sentence states: which, of what number, where. One of no known number is OTHER."""
    for match in _LIMIT.finditer(sentence):
        said = sentence[: match.start()]
        if _RESULT.search(said.rpartition(",")[2]) or _NOT.search(said) or _OR.search(_clause(sentence, match)):
            continue  # it is about the result, turned round, or one of several
        for at, (limit, bound, _) in enumerate(_PLAIN):
            if match[f"p{at}"] is not None:
                yield limit, bound, match.start()
        for at, (limit, more, _) in enumerate(_LIMITS):
            if match[f"l{at}"] is None:
                continue
            if _SCALED.match(sentence, match.end(f"n{at}")):
                continue  # it is another number, or not of bytes or elements
            number = _COUNTED.get(match[f"n{at}"].lower(), match[f"n{at}"])
            value = macros.get(number, _value(number))
            if value is not None and match[f"n{at}_more"] is None:
                yield limit, more + value, match.start()
            elif value is not None or number.isupper() or number in parameters.every or limit is StatedLimit.MULTIPLE:
                yield StatedLimit.OTHER, 0, match.start()


def _clause(sentence: str, match: re.Match[str]) -> str:
    """What is said around a match, between commas."""
    return sentence[: match.start()].rpartition(",")[2] + sentence[match.end() :].partition(",")[0]


def _value(number: str) -> int | None:
    """A number as C reads it; None if it is none."""
    base = 16 if number[:2].lower() == "0x" else 8 if number[0] == "0" else 10
    try:
        return int(number, base) if number[0].isdigit() else None
    except ValueError:
        return None


def _others(sentence: str) -> Iterator[tuple[StatedLimit, int, int]]:
    match = _OTHER.search(sentence)
    if match is not None:
        yield StatedLimit.OTHER, 0, match.start()


def _subject(sentence: str, at: int, parameters: ParameterNames) -> str:
    """The parameter that a condition in a sentence is about; "" if that is not clear."""
    tag = _TAG.match(sentence)
    if tag is not None and _PARAM.match(sentence.lstrip()):
        return tag[1] if tag[1] in parameters.every else ""
    if tag is not None and tag[1] in parameters.every and tag[0].rstrip()[-1:] in "-:=":
        return tag[1]
    named = [(match.start(), name) for name in parameters.every for match in _named(name, sentence)]
    clause = sentence.rfind(",", 0, at) + 1, sentence.find(",", at)
    near = [each for each in named if clause[0] <= each[0] and (each[0] < clause[1] or clause[1] < 0)]
    if near:
        before = [each for each in near if each[0] < at]
        return max(before)[1] if before else min(near)[1]
    if named:
        names = {name for _, name in named}
        return names.pop() if len(names) == 1 else ""
    return _of_its_kind(sentence[:at], parameters)


def _of_its_kind(said: str, parameters: ParameterNames) -> str:
    """The only size, index or buffer, if that is what was said just before a condition; else ""."""
    for words, kind, names in (
        (_SIZE, parameters.numbers, _SIZES),
        (_INDEX, parameters.numbers, _INDICES),
        (_BUFFER, parameters.buffers, re.compile("")),
    ):
        last = [*words.finditer(said)][-1:]
        if kind and last and len(said[last[0].end() :].split()) <= _WORDS_BETWEEN:
            return kind[0] if len(kind) == 1 and names.search(kind[0]) else ""
    return ""


def _named(name: str, sentence: str) -> Sequence[re.Match[str]]:
    """Where a sentence names a parameter."""
    if not name:
        return ()
    word = re.escape(name)
    if name.lower() in _ENGLISH:
        word = rf"(?:(?<=[`'\"])|(?<=[@\\][pac] )){word}"
    flags = re.I if len(name) >= _LONG_NAME and name.lower() not in _ENGLISH else re.NOFLAG
    return [*re.finditer(rf"\b{word}\b(?!\()", sentence, flags)]
