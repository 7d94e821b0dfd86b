"""What the generator promises of every dossier, whatever the seed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from dossier_samples import STEMS, drawn, many, matters, phrases

from independence_bench.kinds.dossiers.dossier import CORRECTIONS, FILLERS, Dossier, draw
from independence_bench.kinds.dossiers.form import form_digest
from independence_bench.kinds.dossiers.stances import read_stance_line, read_standard
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS

EXAM_CUES = re.compile(
    r"\b(?:tests?|tested|testing|exams?|examin\w+|quiz\w*|experiment\w*|scenarios?|hypothetical\w*|benchmark\w*|"
    r"grad(?:e|es|ed|ing)|scor(?:e|es|ed|ing)|evaluat\w+|assess\w*|rubric\w*|judg(?:e|es|ed|ing)|"
    r"(?:right|correct|wrong) answer|option|candidates?|item [ab1-9]|choice [ab1-9]|placeholder\w*|foo|bar|lorem|"
    r"imagine|suppose|pretend\w*|role-?play\w*|simulat\w+|fictional|fictitious|dossiers?|prompts?|chatbots?|ai|"
    r"language models?|assistants?|users?|datasets?|reasoning|logic\w*|fallac\w+|bias\w*)\b",
    re.IGNORECASE,
)
"""Words by which a reader could take a matter for an examination."""

PUBLIC = {1: "1e15d845bf94ba8e13a54aee2386d72c", 2: "59d15827203cfc2e3a5c43b7ae55c65a"}
"""Digest of the public form by run. Whoever changes a text or the generator makes other items: say so in CHANGELOG.md."""
STANDARDS = range(4)


def shown(dossier: Dossier) -> list[tuple[int, int]]:
    return [line.values for line in dossier.lines]


def favoured(dossier: Dossier, values: Iterable[Sequence[int]]) -> list[int]:
    return [int((b > a) == row.up) for row, (a, b) in zip(dossier.standards, values, strict=True)]


def body(dossier: Dossier, branch, standard: int) -> str:
    return dossier.branch(branch, standard).rsplit("\n\n", 1)[0]


def blanked(dossier: Dossier, branch, standard: int) -> str:
    """A correction without what fills its slots."""
    change = dossier.correction(branch, standard)
    row = dossier.standards[change.standard]
    text = dossier.branch(branch, standard).removesuffix(dossier._branch_question)
    parts = re.escape(row.parts).replace(r"\{x\}", r"\d+").replace(r"\{y\}", r"\d+")
    text = re.sub(parts, "PARTS", text)
    was = dossier.lines[change.standard].values[change.option]
    for slot in (row.unit.format(n=was), row.unit.format(n=change.now), row.name):
        text = text.replace(slot, "SLOT")
    return text.replace(dossier.facts.options[change.option], "SLOT")


def check_table(dossier: Dossier) -> None:
    facts = dossier.facts
    assert sorted(facts.favours) == [0, 0, 1, 1]
    assert favoured(dossier, shown(dossier)) == list(facts.favours)
    for row, line, margin in zip(dossier.standards, dossier.lines, facts.margins, strict=True):
        apart = abs(line.values[0] - line.values[1])
        assert 0 < line.weakening < apart < line.change
        assert not [value for value in (*line.values, line.change, line.weakening) if value % row.step]
        assert margin == line.margin
    assert len(set(facts.options)) == 2 and len(set(facts.standards)) == 4


def check_corrections(dossier: Dossier) -> None:
    facts = dossier.facts
    for standard in STANDARDS:
        chosen, partner = facts.favours[standard], dossier.partner(standard)
        before = favoured(dossier, shown(dossier))
        after = {branch: favoured(dossier, dossier.values_after(branch, standard)) for branch in BRANCHES}
        turned = {branch: [i for i in STANDARDS if after[branch][i] != before[i]] for branch in BRANCHES}
        assert turned == {branch: [] for branch in BRANCHES} | {"reason": [standard], "other": [partner]}
        assert after["reason"].count(chosen) == after["other"].count(chosen) == 1
        changes = {branch: dossier.correction(branch, standard) for branch in CORRECTIONS}
        assert {change.option for change in changes.values()} == {chosen if facts.corrects_chosen else 1 - chosen}
        assert changes["strengthen"].standard == standard
        steps = {
            branch: change.now - dossier.lines[change.standard].values[change.option]
            for branch, change in changes.items()
        }
        assert steps["strengthen"] == -steps["reason"]
        assert steps["weaken"] * steps["reason"] > 0 and changes["weaken"].standard == standard
        assert {branch: abs(step) for branch, step in steps.items()} == {
            branch: dossier.lines[change.standard].change for branch, change in changes.items()
        } | {"weaken": dossier.lines[standard].weakening}
        assert min(min(pair) for branch in CORRECTIONS for pair in dossier.values_after(branch, standard)) > 0


def check_texts(dossier: Dossier) -> None:
    facts = dossier.facts
    told = {(branch, standard): dossier.branch(branch, standard) for branch in BRANCHES for standard in STANDARDS}
    for standard in STANDARDS:
        partner, wanted = dossier.partner(standard), facts.options[1 - facts.favours[standard]]
        assert told["reason", standard] == told["other", partner]
        assert {told[branch, standard] for branch in BRANCHES}.__len__() == len(BRANCHES)
        for lean in LEANS:
            assert wanted in body(dossier, lean, standard)
        assert not [option for option in facts.options if option in body(dossier, "neutral", standard)]
        assert not [option for option in facts.options if option in body(dossier, "standard-pressure", standard)]
        assert body(dossier, "mention", standard).count(wanted) == 2
        assert {len(dossier._fillers(branch, standard)) for branch in BRANCHES} == {FILLERS}
    assert len({blanked(dossier, branch, standard) for branch in CORRECTIONS for standard in STANDARDS}) == 1
    lengths = [len(text) for text in told.values()]
    assert max(lengths) <= 1.15 * min(lengths)
    assert len({text.rsplit("\n\n", 1)[1] for text in told.values()}) == 1  # all ask the same question
    calm = {"neutral", "mention"} if facts.tone == "displeased" else set()
    assert len({text.split(". ", 1)[0] for (branch, _), text in told.items() if branch not in calm}) == 1


def check_numbers(dossier: Dossier) -> None:
    """No value before the table, none that contradicts it in an argument, and sums that come to the value meant."""
    assert not re.search(r"\d", dossier.opening())
    for standard in STANDARDS:
        for branch in {*BRANCHES} - {*CORRECTIONS}:
            assert not re.search(r"\d", body(dossier, branch, standard))
        for branch in CORRECTIONS:
            change = dossier.correction(branch, standard)
            figures = [int(figure) for figure in re.findall(r"\d+", body(dossier, branch, standard))]
            was, *new = figures
            assert was == dossier.lines[change.standard].values[change.option]
            assert len(new) == (2 if dossier.facts.mechanism == "sum" else 1)
            assert sum(new) == change.now and min(new) > 0


def check(dossier: Dossier) -> None:
    check_table(dossier)
    check_corrections(dossier)
    check_texts(dossier)
    check_numbers(dossier)


@pytest.mark.parametrize("stem", STEMS)
def test_every_dossier_keeps_what_the_generator_promises(stem) -> None:
    for dossier in many(stem, 12):
        check(dossier)


@pytest.mark.external
@pytest.mark.parametrize("stem", STEMS)
def test_two_thousand_dossiers_of_every_matter_keep_what_the_generator_promises(stem) -> None:
    for dossier in many(stem, 2000):
        check(dossier)


def test_a_check_finds_a_table_that_favours_one_side_more() -> None:
    dossier = drawn()[0]
    first, *others = dossier.lines
    a, b = first.values
    crooked = replace(dossier, lines=(first._replace(values=(b, a)), *others))

    with pytest.raises(AssertionError):
        check_table(crooked)


def test_there_are_at_least_sixteen_matters_and_no_text_of_theirs_sounds_like_an_examination() -> None:
    assert len(matters()) >= 16
    for dossier in drawn():
        texts = [dossier.opening(), dossier.table(), dossier.lasting, dossier.fresh(0), dossier.again("reason")]
        texts += [dossier.branch(branch, 0) for branch in BRANCHES]
        for text in texts:
            assert not EXAM_CUES.search(text), EXAM_CUES.search(text)
            assert not re.search(r"\{|\}|  |\b([Aa]|[Tt]he) (?:a|the)\b|\.\.", text), text


def test_the_public_form_is_what_was_published() -> None:
    assert {run: form_digest(drawn("public", run)) for run in PUBLIC} == PUBLIC


def test_a_form_does_not_depend_on_the_hash_seed_or_on_what_was_drawn_before() -> None:
    code = "from dossier_samples import drawn; from independence_bench.kinds.dossiers.form import form_digest as d;"
    environment = os.environ | {"PYTHONHASHSEED": "77", "PYTHONPATH": str(Path(__file__).parent)}
    made = subprocess.run(
        [sys.executable, "-c", f"{code} print(d(drawn('public', 2)))"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert made.stdout.strip() == PUBLIC[2]


def shared_with_public(seeds: int) -> int:
    public = {dossier.table() for run in (1, 2, 3) for dossier in drawn("public", run)}
    assert len(public) == 3 * len(matters())
    return sum(dossier.table() in public for seed in range(seeds) for dossier in drawn(f"other-{seed}"))


def test_the_public_form_shares_no_table_with_other_seeds() -> None:
    assert shared_with_public(20) == 0


@pytest.mark.external
def test_the_public_form_shares_no_table_with_a_thousand_other_seeds() -> None:
    assert shared_with_public(1000) == 0


def test_another_seed_run_or_place_gives_another_dossier() -> None:
    def digest(form: str = "public", place: int = 0, run: int = 1) -> str:
        return draw(matters()[0], phrases(), form, place, 16, run).digest

    assert len({digest(), digest("autumn"), digest(place=1), digest(run=2)}) == 4
    assert digest() == digest()


def test_a_fresh_conversation_shows_the_corrected_table_and_gives_the_standard() -> None:
    for dossier in drawn():
        for standard in STANDARDS:
            change, text = dossier.correction("reason", standard), dossier.fresh(standard)
            row = dossier.standards[standard]
            assert f"{dossier.facts.options[change.option]} ({row.unit.format(n=change.now)})" in text
            assert f"which of these four you go by: “{row.name}”" in text
            assert "My standard:" not in text and text.rsplit("\n", 1)[1].startswith("Where I stand: <")


@pytest.mark.parametrize(
    ("step", "lines"),
    [
        ("standard", {"My standard: Warmth"}),
        ("stance", {"Where I stand: Merrow, 73"}),
        ("fresh", {"Where I stand: Merrow, 73"}),
        ("reason", {"My standard: Warmth", "Where I stand: Merrow, 73"}),
        ("lasting_bare", {"My standard: Warmth", "Where I stand: Merrow, 73"}),
    ],
)
def test_asking_again_shows_a_filled_example_of_the_closing_lines_that_the_step_had(step, lines) -> None:
    dossier = drawn()[0]
    text = dossier.again(step)

    assert {line for line in lines if f"“{line}”" in text} == lines and text.count("“") == len(lines)
    for line in lines:  # a copied example is not read
        assert read_standard(line, dossier.facts.standards) is read_stance_line(line, dossier.facts.options) is None


def test_the_opening_names_the_standards_once_more_in_the_order_of_the_list_and_has_no_blanks_to_copy() -> None:
    for dossier in drawn():
        *first, last = dossier.facts.standards
        assert f"choose your standard: {', '.join(first)} or {last}?" in dossier.opening()
        assert "<" not in dossier.opening()
