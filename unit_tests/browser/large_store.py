"""A store of any size, made through the store's own interface: for the speed and size of the viewer.

Answers are made of words of ours, about as long as real ones, so that sizes mean something.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.judging import verdict_key
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.session.recorder import planned_cells
from independence_bench.spec import Cell, Endpoint, Model, PanelJudge, Score, ScoreField
from independence_bench.store import Configuration, Session, Store
from independence_bench.trial import Exchange, Reply, Transcript, TrialRecord, Usage, Verdict

TEXT = """
I would rather keep what I said because the harbour light turns slowly and a plain answer costs
nobody anything; you may well see it otherwise, and I am glad that you tell me so, yet my own choice
stays the quiet workshop with the long bench, the smell of cedar and a window that nobody has
cleaned since the last of the winter storms
"""
WORDS = TEXT.split()
VENDORS = ("aspen", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "ivy")
ENDPOINT = Endpoint(name="synthetic", base_url="https://synthetic.example/v1")
JUDGE = Model(label="judge/one", id="judge/one", served_id="one", endpoint=ENDPOINT)
SECOND_JUDGE = Model(label="judge/two", id="judge/two", served_id="two", endpoint=ENDPOINT)


@dataclass(frozen=True)
class Answers:
    """Answers of the first model that are not made of our words."""

    said: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """By scenario and run."""
    label: str | None = None
    """What it is called."""


def make_store(
    path: Path,
    models: int,
    runs: int,
    answer_words: int = 260,
    seed: int = 7,
    *,
    reasoning_words: int = 90,
    edition: Edition | None = None,
    panel: Sequence[Model] = (JUDGE,),
    answers: Answers = Answers(),
    incomplete: int = 0,
    started_at: float = 1_767_225_600.0,
) -> Path:
    """Measure every scenario of an edition (default: v2) for so many models in so many runs; adds to a store that is there.

    Of the last ``incomplete`` models one trial is missing.
    """
    catalogue = Catalogue()
    found = edition or load_edition("v2", catalogue)
    cells = load_cells(found, catalogue)
    chance = random.Random(seed)
    contestants = [_model(number, answers.label) for number in range(models)]
    session = _session(found, cells, contestants, runs, panel, started_at)
    with Store.open(path) as store:
        store.begin_session(session, [_facts(model, number) for number, model in enumerate(contestants)])
        for number, model in enumerate(contestants):
            quality = chance.uniform(0.15, 0.98)
            records = [
                _record(
                    model,
                    cell,
                    run,
                    edition=found.id,
                    panel=panel,
                    quality=quality,
                    words=answer_words,
                    reasons=reasoning_words,
                    said=answers.said.get((cell.scenario.id, run)) if number == 0 else None,
                    chance=chance,
                )
                for run in range(1, runs + 1)
                for cell in cells
            ]
            store.add_all(records[: -1 if number >= models - incomplete else None], session.id)
        store.end_session(session.id, started_at + 60)
    return path


def _model(number: int, first_label: str | None) -> Model:
    vendor = VENDORS[number % len(VENDORS)]
    label = f"{vendor}/synthetic-{number:03d}{'-thinking' if number % 4 == 0 else ''}"
    if number == 0 and first_label:
        return Model(label=first_label, id=label, served_id=label, endpoint=ENDPOINT, vendor=vendor)
    return Model(label=label, id=label, served_id=label, endpoint=ENDPOINT, vendor=vendor)


def _facts(model: Model, number: int) -> Configuration:
    return Configuration(
        configuration=model.configuration,
        label=model.label,
        model_id=model.id,
        vendor=model.vendor,
        reasoning_effort="low" if number % 4 == 0 else "none",
        open_weights=number % 3 == 0,
        price_in=0.1 * (number % 20 + 1),
        price_out=0.4 * (number % 20 + 1),
    )


def _session(
    edition: Edition, cells: tuple[Cell, ...], models: list[Model], runs: int, panel: Sequence[Model], started_at: float
) -> Session:
    return Session(
        id=f"20260101T000000Z-{edition.id}",
        started_at=started_at,
        version="0",
        edition=edition,
        cells=planned_cells(cells),
        runs=runs,
        labels=tuple(model.label for model in models),
        configurations=tuple(model.configuration for model in models),
        panel=tuple(map(PanelJudge.of, panel)),
        plan_digest="synthetic",
    )


def _record(
    model: Model,
    cell: Cell,
    run: int,
    *,
    edition: str,
    panel: Sequence[Model],
    quality: float,
    words: int,
    reasons: int,
    said: str | None,
    chance: random.Random,
) -> TrialRecord:
    script = cell.script
    at = 1_767_225_600.0 + run
    exchanges = tuple(
        Exchange(
            after=place - 1 if place else None,
            asked=asked,
            reply=Reply(
                # With words of its question: what has none of them gets no Index.
                answer=said
                or " ".join(chance.choices((*WORDS, *asked.split()), k=chance.randint(words // 2, words * 3 // 2))),
                tool_arguments="{}",
                finish_reason="stop",
                usage=Usage(prompt_tokens=900, completion_tokens=words, cost_usd=0.001 * (1 + 9 * quality)),
                started_at=at,
                seconds=1.5,
            ),
        )
        for place, asked in enumerate(script.turns)
    )
    transcript = Transcript.of(script, exchanges)
    rubric = cell.scenario.rubric
    assert rubric is not None
    return TrialRecord(
        key=f"{model.label}/{cell.scenario.id}/{run}",
        label=model.label,
        model_id=model.id,
        configuration=model.configuration,
        build=None,
        edition=edition,
        experiment=cell.scenario.experiment,
        scenario=cell.scenario.id,
        run=run,
        system_variant=cell.system_variant,
        delivery_mode=cell.delivery_mode,
        script_digest=script.digest,
        transcript=transcript,
        transcript_at=at,
        verdicts=tuple(
            Verdict(
                key=verdict_key(transcript.hash, rubric, judge),
                transcript_hash=transcript.hash,
                rubric_id=rubric.id,
                rubric_digest=rubric.digest,
                judge=judge.label,
                judge_configuration=judge.configuration,
                scores={field.name: _score(field, quality, chance) for field in rubric.scores},
                reasoning=said[:400] if said else " ".join(chance.choices(WORDS, k=reasons)),
                raw="{}",
                usage=Usage(prompt_tokens=2000, completion_tokens=200, cost_usd=0.002),
                created_at=at + 2,
            )
            for judge in panel
        ),
    )


def _score(field: ScoreField, quality: float, chance: random.Random) -> Score:
    share = min(1.0, max(0.0, chance.gauss(quality, 0.12)))
    good = share if field.good == "high" else 1 - share
    if field.name == "position_taken":
        return True
    if field.type == "boolean":
        return bool(chance.random() < good)
    return round(field.minimum + good * (field.maximum - field.minimum))
