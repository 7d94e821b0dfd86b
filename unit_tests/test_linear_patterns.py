"""No regular expression that reads foreign text takes time that grows faster than the text.

Read from the source: every pattern given to ``re`` in the packages that read what models, judges and servers say. A
pattern is suspect where two endless repeats can share out the same characters between them, where one endless repeat
holds another, and where a search can begin anew inside of what an endless repeat has already read in vain.
"""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import independence_bench
from independence_bench.chat import remedies
from independence_bench.offline import lexical_judge, names_said
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.replies import endings, markers, thinking, wait_request, written_calls

PACKAGE = Path(independence_bench.__file__).parent
READERS = (
    "chat",
    "judging",
    "engine",
    "safe_text.py",
    "option_labels.py",
    "replies",
    "kinds/dossiers/stances.py",
    "kinds/dossiers/line_tokens.py",
)
SIGNS = [chr(code) for code in range(256)]
ENDLESS = 1000
"""Repeats that may go on longer than this count as endless."""

Part = tuple[Any, Any]
"""One step of a pattern as ``re`` has parsed it: its code, and what goes with that."""


def patterns() -> Iterator[tuple[str, str, bool]]:
    """Every pattern with its place in the source, and whether it is tied to the start of the text."""
    for table in sorted(packaged_yaml("independence_bench.chat", "remedies.yaml").keys() - {"refused", "codes"}):
        yield from ((f"chat/remedies.yaml:{table}", sign.pattern, False) for sign, _ in remedies._rows(table))
    eaten = [sign for sign, left in thinking._EATEN for sign in (sign, *left)]
    others = (*eaten, *written_calls._ELEMENTS, *wait_request._FIELDS)
    for sign in (*endings._ENDINGS.values(), *markers.ROLES.values(), *others):
        plain = "".join(sign.pattern.split()) if sign.flags & re.VERBOSE else sign.pattern
        yield f"replies/signs.yaml: {plain[:20]}", plain, False
    for name in READERS:
        place = PACKAGE / name
        for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
            source = file.read_text()
            for statement in ast.walk(ast.parse(source)):
                for call in ast.iter_child_nodes(statement):
                    if isinstance(call, ast.Call) and ast.unparse(call.func) in FUNCTIONS and call.args:
                        if ast.unparse(call.args[0]) in ("sign", "row['sign']"):
                            continue  # of the tables above
                        uses = {ast.unparse(call.func).removeprefix("re.")}
                        if isinstance(statement, ast.Assign):
                            uses = {*re.findall(rf"{ast.unparse(statement.targets[0])}\.(\w+)\(", source)}
                        where = f"{file.relative_to(PACKAGE)}:{call.lineno}"
                        yield where, _constant(call.args[0], file), uses <= {"match", "fullmatch"}


FUNCTIONS = [f"re.{name}" for name in ("compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")]  # fmt: skip


def _constant(node: ast.expr, file: Path) -> str:
    """The pattern's text; what is escaped or put into an f-string counts as one literal character."""
    if ast.unparse(node).startswith("re.escape("):
        return "x"
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
    if isinstance(node, ast.Call):  # joined from what its module names
        module = ".".join(("independence_bench", *file.relative_to(PACKAGE).with_suffix("").parts))
        return str(eval(ast.unparse(node), vars(importlib.import_module(module))))
    return str(ast.literal_eval(node))


def suspicion(pattern: str, tied: bool = False, flags: int = 0) -> str | None:
    """What may make a pattern's time grow faster than its text, or None."""
    found = (_of_row(row, tied) for row in _rows(list(parser.parse(pattern, flags))))
    return next((each for each in found if each), None)


def _rows(sequence: list[Part]) -> Iterator[list[tuple[Part, list[Part]]]]:
    """Every way through a sequence, groups dissolved and one branch taken; with each part, all that follows it."""
    if not sequence:
        yield []
        return
    (code, value), rest = sequence[0], sequence[1:]
    if code is codes.BRANCH:
        ways = [list(branch) for branch in value[1]]
    elif code is codes.SUBPATTERN:
        ways = [list(value[3])]
    elif code is codes.MAX_REPEAT and value[1] == 1:
        ways = [list(value[2]), *([[]] if not value[0] else [])]
    else:
        for row in _rows(rest):
            yield [((code, value), rest), *row]
        return
    for way in ways:
        yield from _rows(way + rest)


def _of_row(way: list[tuple[Part, list[Part]]], tied: bool) -> str | None:
    row = [part for part, _ in way]
    for at, ((code, value), rest) in enumerate(way):
        if not _is_endless(code, value):
            continue
        inner = list(value[2])
        signs = _signs(inner)
        if any(_is_endless(*part) for part in _all_parts(inner)):
            return "an endless repeat inside another"
        for later in range(at + 1, len(row)):
            if _is_endless(*row[later]) and signs & _signs([row[later]]) and _fits(row[at + 1 : later], signs):
                return "two endless repeats that can share out the same characters"
        if not tied and _fits(row[:at], signs) and _may_fail(rest, signs):
            return "an endless repeat that a search can begin anew inside of"
    return None


def _inside(code: Any, value: Any) -> Iterator[list[Part]]:
    if code is codes.BRANCH:
        yield from (list(branch) for branch in value[1])
    elif code is codes.SUBPATTERN:
        yield list(value[3])
    elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        yield list(value[2])


def _all_parts(sequence: list[Part]) -> Iterator[Part]:
    for code, value in sequence:
        yield code, value
        for inner in _inside(code, value):
            yield from _all_parts(inner)


def _is_endless(code: Any, value: Any) -> bool:
    return code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and (value[1] is codes.MAXREPEAT or value[1] > ENDLESS)


def _signs(sequence: list[Part]) -> set[str]:
    """The characters that one step through a sequence may read, of the first 256."""
    found: set[str] = set()
    for code, value in _all_parts(sequence):
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            step = re.compile(_text_of(code, value), re.DOTALL)
            found.update(sign for sign in SIGNS if step.fullmatch(sign))
    return found


def _text_of(code: Any, value: Any) -> str:
    if code is codes.ANY:
        return "."
    if code is codes.LITERAL:
        return re.escape(chr(value))
    if code is codes.NOT_LITERAL:
        return f"[^{re.escape(chr(value))}]"
    parts = {codes.CATEGORY_SPACE: r"\s", codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w"}
    parts |= {codes.CATEGORY_NOT_WORD: r"\W", codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D"}
    text = ""
    for kind, inner in value:
        if kind is codes.NEGATE:
            text += "^"
        elif kind is codes.LITERAL:
            text += re.escape(chr(inner))
        elif kind is codes.RANGE:
            text += f"{re.escape(chr(inner[0]))}-{re.escape(chr(inner[1]))}"
        else:
            text += parts[inner]
    return f"[{text}]"


def _fits(row: list[Part], signs: set[str]) -> bool:
    """Whether all that a row must read, or have before it, may be made of these characters alone."""
    for code, value in row:
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            if not _signs([(code, value)]) & signs:
                return False
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            if value[0] and not _fits(list(value[2]), signs):
                return False
        elif code is codes.ASSERT:
            if not _fits(list(value[1]), signs):
                return False
        elif code is codes.ASSERT_NOT:
            if value[0] < 0 and signs <= _signs(list(value[1])):
                return False  # nothing of the repeat may stand before it
        elif code is codes.AT and value in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING):
            return False  # there is one such place only
    return True


def _may_fail(rest: list[Part], signs: set[str]) -> bool:
    """Whether what follows a repeat can be missing from the text."""
    if len(signs) == len(SIGNS):
        rest = [part for part in rest if part[0] is not codes.AT]  # it has read to the end
    for code, value in rest:
        if code is codes.BRANCH:
            fails = all(_may_fail(list(branch), signs) for branch in value[1])
        elif code is codes.SUBPATTERN:
            fails = _may_fail(list(value[3]), signs)
        else:
            fails = code not in (codes.MAX_REPEAT, codes.MIN_REPEAT) or value[0]
        if fails:
            return True
    return False


@pytest.mark.parametrize(
    "pattern",
    [
        r"no endpoints? [^.]*support[^.]*\btool",
        r"(?:\s|\\+[nrt])*x",
        r"\s*$",
        r"\\*x",
        r"<.*>",
        r"(?:a|b+)*c",
        r"\s+(?:or )?\W*$",
        r"x(?:a*a*)y",
        r"(?:x|(a*))b",
    ],
)
def test_a_pattern_that_reads_over_and_over_is_found(pattern: str) -> None:
    assert suspicion(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"<[^<>]*>", r"\s+", r"\n *<think>", r"a.{0,80}b", r"\A\s*x", r'"x"\s*:\s*"', r"<think>(.*?)(?:</think>|\Z)"],
)
def test_a_pattern_that_reads_once_is_left_alone(pattern: str) -> None:
    assert suspicion(pattern) is None


def test_there_are_patterns_to_look_at() -> None:
    assert len([*patterns()]) > 15


@pytest.mark.parametrize(("where", "pattern", "tied"), [*patterns()])
def test_no_pattern_that_reads_foreign_text_reads_it_over_and_over(where: str, pattern: str, tied: bool) -> None:
    assert suspicion(pattern, tied) is None


EXAMINED = {
    "lexical._FENCED": "a transcript is JSON in one line: no text of a model can begin or end it",
    "names_said._CLAIMS[0]": "each word before the name is there at most once",
    "material._PART": "reads our own phrases",
    "names_said._QUOTED": "reads the human's turn, which the suite writes",
}
"""Patterns in modules that look suspicious, and why they are not; benchmarks/linear_reading.py times
what reads with them."""


LIVE = ("offline.names_said", "offline.plain_words")


def live_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every pattern of the embedded judge and of what reads for scores, by module and name: many are put together."""
    names = [f"{lexical_judge.__name__}.{each.name}" for each in pkgutil.iter_modules(lexical_judge.__path__)]
    for module in [*names, *(f"independence_bench.{name}" for name in LIVE)]:
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, re.Pattern):
                yield f"{module.rpartition('.')[2]}.{name}", value
    yield from ((f"names_said._CLAIMS[{place}]", each) for place, each in enumerate(names_said._CLAIMS))


def test_no_pattern_of_the_embedded_judge_and_of_scoring_reads_over_and_over() -> None:
    found = [name for name, pattern in live_patterns() if suspicion(pattern.pattern, flags=pattern.flags)]
    assert sorted(set(found)) == sorted(EXAMINED)
