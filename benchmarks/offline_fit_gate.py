"""Writes the lexical judge's table of familiar word sequences: ``python benchmarks/offline_fit_gate.py``.

Takes our own texts (configs, docs, hand-written pairs, known answers) and, where it lies beside the repository, the
published sample, of which only hashes are kept. Prints how many real answers, and how many texts of nonsense made of them,
are called a salad, with the answers of each vendor, and the known answers of each scenario, left out of the table.
"""

import base64
import random
import re
import sys
import textwrap
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit_tests" / "offline"))  # no package

from offline_nonsense import SALADS
from offline_published_sample import recorded
from offline_requests import CONFIGS, HERE

from independence_bench.catalog import Catalogue
from independence_bench.judge_check.known_answers import known_answers
from independence_bench.judge_check.known_questions import questions
from independence_bench.offline.lexical_judge import legibility as familiar
from independence_bench.offline.lexical_judge.legibility import LEAST_KNOWN_OF_ALL, LONG_SALAD, SHORTEST_SALAD
from independence_bench.offline.plain_words import plain, tokens

PACKAGE = CONFIGS.parent / "plugin" / "independence_bench" / "offline"
TABLE = PACKAGE / "lexical_judge" / "familiar_table.yaml"
BABBLE = ("intellectual-stance/math-math-math",)
"""Known answers in the manner of a model that babbles: no sentences."""


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def known_texts() -> dict[str, set[str]]:
    """Return the known answers that are English sentences, by scenario."""
    found: dict[str, set[str]] = {}
    english = {word for text in own_texts() for word in tokens(plain(text))}

    def is_english(text: str) -> bool:
        words = tokens(plain(text))
        return sum(word in english for word in words) > LEAST_KNOWN_OF_ALL * len(words)

    for question in questions(known_answers(Catalogue())):
        if question.version in ("plain", "neutral") and question.case.id not in BABBLE:
            said = {exchange.reply.answer for exchange in question.transcript.exchanges}
            found.setdefault(question.scenario.id, set()).update(filter(is_english, said))
    return found


def own_texts() -> list[str]:
    """Return the English texts of this repository, known answers apart."""
    found = []
    for file in sorted(
        [
            *(file for file in CONFIGS.rglob("*.yaml") if "judge_check" not in file.parts),
            PACKAGE / "simulated_models" / "phrasebook.yaml",
            PACKAGE / "words.yaml",
        ]
    ):
        found += [text for text in _strings(yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)) if " " in text]
    for file in sorted([*CONFIGS.parent.glob("*.md"), *(CONFIGS.parent / "docs").rglob("*.md")]):
        found += re.sub(r"```.*?```|`[^`\n]*`|\|", "", file.read_text("utf-8"), flags=re.S).split("\n\n")
    return found


def places(texts: Iterable[str]) -> set[int]:
    """Return the bits that texts set."""
    found: set[int] = set()
    for text in texts:
        for part in re.split(r"\n\n", text):
            for words in familiar.spoken_sentences(part):
                found.update(familiar.place(word) for word in words if not word[0].isdigit())
                found.update(familiar.pairs(words))
                found.update(familiar.triples(words))
    return found


def bits_of(found: Iterable[int]) -> bytes:
    bits = bytearray(familiar.BITS // 8)
    for at in found:
        bits[at >> 3] |= 1 << (at & 7)
    return bytes(bits)


def _vendor(configuration: str) -> str:
    return next((name for name in ("kimi", "gpt", "claude", "mercury") if name in configuration), configuration)


def main() -> None:
    """Print and write."""
    answers: dict[str, set[str]] = {}
    for case in recorded():
        own = (str(turn["text"]) for turn in case.material if turn["speaker"] == "model" and not turn.get("scripted"))
        answers.setdefault(_vendor(case.configuration), set()).update(own)
    answers |= known_texts()
    answers["pairs"] = set()
    for file in HERE.glob("*.yaml"):
        answers["pairs"].update(_strings(yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)))
    ours = places(own_texts())
    theirs = {vendor: places(texts) for vendor, texts in answers.items()}
    called: dict[str, list[tuple[int, bool]]] = {}
    dice = random.Random(1)
    for vendor, texts in answers.items():
        table = bits_of(ours.union(*(places for other, places in theirs.items() if other != vendor)))
        known, seen = sorted(texts), sorted(set.union(*(texts for other, texts in answers.items() if other != vendor)))
        made = [("real", text) for text in known]
        made += [
            (f"{kind} {whose}", nonsense(dice, texts))
            for kind, nonsense in SALADS.items()
            for whose, texts in (("unseen", known), ("seen", seen))
            for _ in range(12)
        ]
        for kind, text in made:
            spoken = familiar.spoken_sentences(text)
            called.setdefault(kind, []).append((sum(map(len, spoken)), familiar.no_sentences(spoken, table)))
    for kind, found in called.items():
        for few, many in ((SHORTEST_SALAD, LONG_SALAD), (LONG_SALAD, 10**6)):
            salads = [salad for words, salad in found if few <= words < many]
            if salads:
                print(f"{kind:25} of {few} words and more, left out: {fmean(salads):.3f} of {len(salads)} are salad")
    bits = bits_of(ours.union(*theirs.values()))
    head = "# Written by benchmarks/offline_fit_gate.py: hashes of words and word sequences.\n"
    packed = textwrap.fill(base64.b85encode(zlib.compress(bits, 9)).decode(), 116, break_on_hyphens=False)
    TABLE.write_text(head + "bits: |\n" + textwrap.indent(packed, "  ") + "\n", "utf-8")
    print(f"{sum(map(int.bit_count, bits)) / familiar.BITS:.3f} of the bits, {TABLE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
