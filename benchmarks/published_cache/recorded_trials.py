"""Builds trials from the files of one run of the published cache. Reads no file and knows no store.

A conversation is taken from the request of its last answer, because that is what the model saw. If an earlier answer
was generated again afterwards, the file of that answer has another text, which no later turn refers to.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from independence_bench.catalog.editions import Edition
from independence_bench.digest import digest
from independence_bench.spec import DELIVERY_MODES, DeliveryMode, Scenario, ScriptedTurn
from independence_bench.store.sessions import Configuration
from independence_bench.trial import Exchange, Failure, Reply, Transcript, TrialRecord, Usage, Verdict
from published_cache.recorded_files import (
    AnswerFile,
    CostFile,
    NamesFile,
    RecordedRequest,
    RunFiles,
    Unfit,
    arguments_of,
    counting_call,
    message_text,
)
from published_cache.unknown_texts import (
    ORIGIN,
    SCENARIOS,
    RecordedCell,
    RecordedScenario,
    published_trial,
    published_verdict,
)

UNKNOWN_JUDGE = "unknown judge"  # label of the judge if a file does not name one


def read_trials(
    run: RunFiles, configuration: Configuration, scenarios: Mapping[str, Scenario]
) -> Iterator[TrialRecord]:
    """Yield one trial per scenario and condition of a run, even if it has no file."""
    for variant, mode in sorted(run.answers):
        if mode in DELIVERY_MODES:
            for scenario in scenarios.values():
                cell = RecordedCell(scenario.id, variant, mode)
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


@dataclass(slots=True)
class _TrialReading:
    run: RunFiles
    configuration: Configuration
    scenario: Scenario
    cell: RecordedCell

    def trial(self) -> TrialRecord:
        """Return the trial."""
        chain = SCENARIOS[self.scenario.id]
        answers = self.run.answers[self.cell.system_variant, self.cell.delivery_mode]
        found = [file for file in chain.files if file in answers]
        files = [answers[file] for file in found]
        if not files:
            return self._missing(self._lacks("not in the published cache", chain), files)
        whole = found[-1] == chain.files[-1]
        if not whole and not chain.questionnaire:
            why = self._lacks("the last turn is not in the published cache", chain)
            return self._missing(why, files)
        try:
            transcript = self._transcript(files, opened=chain.opened)
        except Unfit as fault:
            return self._missing(f"cannot be read: {fault}", files)
        at = max(file.at for file in files)
        return self._record(transcript, at, self._judged(answers.get(chain.scored), transcript, at))

    def _lacks(self, otherwise: str, chain: RecordedScenario) -> str:
        _, variant, mode = self.cell
        ends = tuple(f"/{variant}/{mode}/{file}.json" for file in chain.files)
        broken = [path for path in self.run.broken if path.endswith(ends)]
        return f"its file in the published cache is broken: {self.run.broken[broken[0]]}" if broken else otherwise

    def _missing(self, why: str, files: Sequence[AnswerFile]) -> TrialRecord:
        spent = sum((usage(file.gen_cost) for file in files), Usage())
        at = files[-1].at if files else 0.0
        return self._record(None, at, Failure(kind="interrupted", message=why, usage=spent, at=at))

    def _transcript(self, files: list[AnswerFile], *, opened: bool) -> Transcript:
        mode = self.cell.delivery_mode
        requests = [RecordedRequest.of(file.request_messages, mode, opened=opened) for file in files]
        by_question = {request.turns[-1].content: file for request, file in zip(requests, files, strict=True)}
        turns = requests[-1].turns
        texts = [*map(message_text, turns[1::2]), files[-1].response]
        exchanges = [
            Exchange(
                after=place - 1 if place else None,
                asked=human.content,
                sent_as="tool" if human.role == "tool" else "user",
                reply=_reply(text, by_question.get(human.content), mode),
            )
            for place, (human, text) in enumerate(zip(turns[::2], texts, strict=True))
        ]
        return Transcript.of(requests[-1], exchanges)

    def _judged(self, file: AnswerFile | None, transcript: Transcript, at: float) -> Verdict | Failure | None:
        rubric = self.scenario.rubric
        if file is None or file.judge_scores is None or rubric is None:
            return None
        judge = (file.judge_cost and file.judge_cost.judge_model) or UNKNOWN_JUDGE
        try:
            scores = rubric.scores_in(file.judge_scores)
        except ValueError:
            return Failure(
                kind="judge_unparseable",
                message=f"the published verdict of {judge} {'does not fit' if file.judge_scores else 'is empty'}",
                judge=judge,
                usage=usage(file.judge_cost),
                attempts=1,
                at=at,
            )
        reasoning = file.judge_scores.get("reasoning")
        return published_verdict(
            self._key(),
            rubric,
            judge,
            transcript_hash=transcript.hash,
            scores=scores,
            reports=_names(self.run.names, self.scenario.id) if rubric.reports else {},
            reasoning=reasoning if isinstance(reasoning, str) else "",
            raw=file.judge_raw_response or "",
            usage=usage(file.judge_cost),
            created_at=at,
            seconds=file.judge_cost.elapsed_seconds if file.judge_cost else 0.0,
        )

    def _key(self) -> str:
        return digest([ORIGIN, self.run.directory, self.run.run, *self.cell])

    def _record(self, transcript: Transcript | None, at: float, result: Verdict | Failure | None) -> TrialRecord:
        return published_trial(
            self._key(),
            self.scenario,
            self.cell,
            self.configuration,
            run=self.run.run,
            transcript=transcript,
            transcript_at=at,
            verdicts=(result,) if isinstance(result, Verdict) else (),
            failures=(result,) if isinstance(result, Failure) else (),
        )


def usage(cost: CostFile | None) -> Usage:
    """Return what a call used; if a file does not say, its cost is unknown."""
    if cost is None:
        return Usage(cost_usd=None)
    return Usage(prompt_tokens=cost.prompt_tokens, completion_tokens=cost.completion_tokens, cost_usd=cost.cost_usd)


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
        tool_arguments=call.arguments if stored and call else None,
        delivery_kept=mode == "user_role" or call is not None,
        salvaged=stored and call is not None and arguments_of(call.arguments) is None,
        finish_reason=file.finish_reason if stored else None,
        usage=usage(file.gen_cost),
        started_at=file.at - seconds,
        seconds=seconds,
    )


def _names(names: NamesFile | None, scenario: str) -> dict[str, str | list[str] | None]:
    if names is None:
        return {}
    source = scenario.replace("-", "_")
    return {"names": [chosen.name for chosen in names.names if source in chosen.sources]}
