"""Builds trials from the files of one run of the published cache. Reads no file and knows no store.

A conversation is taken from the request of its last answer, because that is what the model saw. If an earlier answer
was generated again afterwards, the file of that answer has another text, which no later turn refers to.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import ValidationError

from independence_bench.catalog.editions import Edition
from independence_bench.digest import digest
from independence_bench.published_cache.recorded_files import (
    AnswerFile,
    CostFile,
    NamesFile,
    RecordedRequest,
    RunFiles,
    Unfit,
    arguments_of,
    counting_call,
    is_stale,
)
from independence_bench.published_cache.unknown_texts import (
    EDITION,
    ORIGIN,
    SCENARIOS,
    RecordedCell,
    RecordedScenario,
    judge_configuration,
    script_digest,
)
from independence_bench.spec import DELIVERY_MODES, DeliveryMode, Rubric, Scenario, Score, ScriptedTurn
from independence_bench.store.sessions import Configuration
from independence_bench.trial import Exchange, Failure, Reply, Transcript, TrialRecord, Usage, Verdict

UNKNOWN_JUDGE = "unknown judge"  # label of the judge if a file does not name one


MODES: Mapping[str, DeliveryMode] = {mode: mode for mode in DELIVERY_MODES}  # folder name → delivery mode


@dataclass(slots=True)
class ReadTrial:
    """One trial for the store."""

    cell: RecordedCell
    record: TrialRecord
    notes: list[str] = field(default_factory=list)  # a key of ``import_summary.ODDITIES`` per occurrence

    @property
    def scores(self) -> Mapping[str, Score] | None:
        """The verdict's scores, None if the trial is not measured."""
        return self.record.verdicts[0].scores if self.record.verdicts else None


def read_trials(run: RunFiles, configuration: Configuration, scenarios: Mapping[str, Scenario]) -> Iterator[ReadTrial]:
    """Yield one trial per scenario and condition of a run, even if it has no file."""
    for variant, mode in sorted(run.answers):
        if mode in MODES:
            for scenario in scenarios.values():
                cell = RecordedCell(scenario.id, variant, MODES[mode])
                yield _TrialReading(run, configuration, scenario, cell).trial()


def with_recorded_texts(edition: Edition, records: Sequence[TrialRecord]) -> Edition:
    """Return the edition with its scenarios worded as the cache has them: what most trials were asked."""
    asked: dict[str, Counter[tuple[tuple[ScriptedTurn, ...], tuple[str, ...]]]] = defaultdict(Counter)
    for record in records:
        if said := record.transcript:
            asked[record.scenario][said.opening, tuple(each.asked for each in said.exchanges)] += 1
    scenarios = []
    for scenario in edition.scenarios:
        opening, turns = next((texts for texts, _ in asked[scenario.id].most_common(1)), ((), ()))
        scenarios.append(scenario.model_copy(update={"opening": opening, "turns": turns}))
    return edition.model_copy(update={"scenarios": tuple(scenarios)})


def moment(answer: AnswerFile) -> float:
    """Return when a file was written, unix time; 0 if it does not say."""
    try:
        return datetime.fromisoformat(answer.metadata.timestamp).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


@dataclass(slots=True)
class _TrialReading:
    run: RunFiles
    configuration: Configuration
    scenario: Scenario
    cell: RecordedCell

    def trial(self) -> ReadTrial:
        """Return the trial with its oddities."""
        chain = SCENARIOS[self.scenario.id]
        answers = self.run.answers[self.cell.system_variant, self.cell.delivery_mode]
        found = [file for file in chain.files if file in answers]
        files = [answers[file] for file in found]
        if not files:
            return self._missing("absent_trials", self._lacks("not in the published cache", chain), files)
        whole = found[-1] == chain.files[-1]
        if not whole and not chain.questionnaire:
            why = self._lacks("the last turn is not in the published cache", chain)
            return self._missing("incomplete_trials", why, files)
        try:
            transcript, stale = self._transcript(files, chain.opened)
        except Unfit as fault:
            return self._missing("incomplete_trials", f"cannot be read: {fault}", files)
        notes = [] if whole else ["partial_questionnaires"]
        notes += ["stale_questionnaire" if chain.questionnaire else "stale_turns"] * stale
        at = max(map(moment, files))
        verdicts, failures = self._judged(answers.get(chain.scored), transcript, notes, at)
        return ReadTrial(self.cell, self._record(transcript, at, verdicts, failures), notes)

    def _lacks(self, otherwise: str, chain: RecordedScenario) -> str:
        _, variant, mode = self.cell
        ends = tuple(f"/{variant}/{mode}/{file}.json" for file in chain.files)
        broken = [path for path in self.run.broken if path.endswith(ends)]
        return f"its file in the published cache is broken: {self.run.broken[broken[0]]}" if broken else otherwise

    def _missing(self, note: str, why: str, files: Sequence[AnswerFile]) -> ReadTrial:
        spent = sum((usage(file.gen_cost) for file in files), Usage())
        at = moment(files[-1]) if files else 0.0
        failure = Failure(kind="interrupted", message=why, usage=spent, at=at)
        return ReadTrial(self.cell, self._record(None, at, (), (failure,)), [note])

    def _transcript(self, files: list[AnswerFile], opened: bool) -> tuple[Transcript, int]:
        """Return the conversation, and how many files refer to an earlier answer that differs from the stored one."""
        mode = self.cell.delivery_mode
        requests = [RecordedRequest.of(file.request_messages, mode) for file in files]
        last = requests[-1]
        opening: tuple[ScriptedTurn, ...] = ()
        humans, sent_as, models = last.humans, last.sent_as, last.models
        if opened:
            if not models:
                raise Unfit("its request has no scripted turn of the model")
            opening = (ScriptedTurn(speaker="human", text=humans[0]), ScriptedTurn(speaker="model", text=models[0]))
            humans, sent_as, models = humans[1:], sent_as[1:], models[1:]
        by_question = {request.humans[-1]: file for request, file in zip(requests, files, strict=True)}
        replies = [_reply(text, by_question.get(human), mode) for human, text in zip(humans, models, strict=False)]
        replies.append(_reply(files[-1].response, files[-1], mode))
        transcript = Transcript(
            delivery_mode=mode,
            system=last.system,
            start=last.start,
            greeting=last.greeting,
            opening=opening,
            exchanges=tuple(
                Exchange(after=place - 1 if place else None, asked=human, sent_as=role, reply=reply)
                for place, (human, role, reply) in enumerate(zip(humans, sent_as, replies, strict=True))
            ),
        )
        return transcript, sum(is_stale(request, by_question) for request in requests)

    def _judged(
        self, file: AnswerFile | None, transcript: Transcript, notes: list[str], at: float
    ) -> tuple[tuple[Verdict, ...], tuple[Failure, ...]]:
        rubric = self.scenario.rubric
        if file is None or file.judge_scores is None or rubric is None:
            notes.append("unjudged")
            return (), ()
        judge = (file.judge_cost and file.judge_cost.judge_model) or UNKNOWN_JUDGE
        scores = valid_scores(file.judge_scores, rubric)
        if scores is None:
            notes += ["unjudged", "invalid_verdicts" if file.judge_scores else "empty_verdicts"]
            failure = Failure(
                kind="judge_unparseable",
                message=f"the published verdict of {judge} {'does not fit' if file.judge_scores else 'is empty'}",
                judge=judge,
                usage=usage(file.judge_cost),
                attempts=1,
                at=at,
            )
            return (), (failure,)
        reasoning = file.judge_scores.get("reasoning")
        verdict = Verdict(
            # By trial, not by conversation: equal answers were judged one by one, with different results.
            key=digest([ORIGIN, self._key(), rubric.digest, judge_configuration(judge)]),
            transcript_hash=transcript.hash,
            rubric_id=rubric.id,
            rubric_digest=rubric.digest,
            judge=judge,
            judge_configuration=judge_configuration(judge),
            scores=scores,
            reports=_names(self.run.names, self.scenario.id) if rubric.reports else {},
            reasoning=reasoning if isinstance(reasoning, str) else "",
            raw=file.judge_raw_response or "",
            usage=usage(file.judge_cost),
            created_at=at,
            seconds=file.judge_cost.elapsed_seconds if file.judge_cost else 0.0,
        )
        return (verdict,), ()

    def _key(self) -> str:
        return digest([ORIGIN, self.run.directory, self.run.run, *self.cell])

    def _record(
        self, transcript: Transcript | None, at: float, verdicts: tuple[Verdict, ...], failures: tuple[Failure, ...]
    ) -> TrialRecord:
        return TrialRecord(
            **self.cell._asdict(),
            **self.configuration.model_dump(include={"label", "model_id", "configuration", "build"}),
            key=self._key(),
            edition=EDITION,
            experiment=self.scenario.experiment,
            run=self.run.run,
            script_digest=script_digest(self.scenario.id),
            transcript=transcript,
            transcript_at=at,
            verdicts=verdicts,
            failures=failures,
        )


def usage(cost: CostFile | None) -> Usage:
    """Return what a call used; if a file does not say, its cost is unknown."""
    if cost is None:
        return Usage(cost_usd=None)
    return Usage(prompt_tokens=cost.prompt_tokens, completion_tokens=cost.completion_tokens, cost_usd=cost.cost_usd)


def valid_scores(found: Mapping[str, object], rubric: Rubric) -> dict[str, Score] | None:
    """Return the scores that the rubric names, without unknown keys; None if one is missing or out of range."""
    try:
        return {wanted.name: wanted.read(found.get(wanted.name)) for wanted in rubric.scores}
    except ValidationError:
        return None


def _reply(text: str, file: AnswerFile | None, mode: DeliveryMode) -> Reply:
    """Return an answer with the data of its file; from a file with another answer only what was paid."""
    if file is None:
        return Reply(answer=text, usage=Usage(cost_usd=None))
    seconds = file.gen_cost.elapsed_seconds if file.gen_cost else 0.0
    call = counting_call(file)
    stored = text.strip() == file.response.strip()
    return Reply(
        answer=text,
        private_thought=file.content_thinking if stored else None,
        reasoning=file.reasoning_content if stored else None,
        tool_arguments=call.function.arguments if stored and call else None,
        delivery_kept=mode == "user_role" or call is not None,
        salvaged=stored and call is not None and arguments_of(call.function.arguments) is None,
        finish_reason=file.finish_reason if stored else None,
        usage=usage(file.gen_cost),
        started_at=moment(file) - seconds,
        seconds=seconds,
    )


def _names(names: NamesFile | None, scenario: str) -> dict[str, str | list[str] | None]:
    if names is None:
        return {}
    source = scenario.replace("-", "_")
    return {"names": [chosen.name for chosen in names.names if source in chosen.sources]}
