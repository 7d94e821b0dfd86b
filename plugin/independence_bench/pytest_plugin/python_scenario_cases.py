"""Cases of Python scenarios: the test function leads the conversation, and its checks decide whether the trial held.

The function runs at the end of its case's setup. What could not be measured is then an error of the case, as it is
everywhere, and the case's call shows the outcome, also where it was stored and the function need not run.
"""

from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from traceback import walk_tb
from typing import NamedTuple, TypeVar

import pytest

from independence_bench.engine import FunctionConversation, Task
from independence_bench.pytest_plugin.case_trials import WAIT_S, CaseTrials
from independence_bench.pytest_plugin.trial import NotMeasured, Refused
from independence_bench.safe_text import printable, safe_text, text_of
from independence_bench.session.stored_state import NOTHING, Outcome, PanelVerdict, outcome_of
from independence_bench.spec import Model, TrialSpec
from independence_bench.trial import Checks, Reply, Transcript, TrialRecord

_Awaited = TypeVar("_Awaited")


class Answer(NamedTuple):
    """What the model answered."""

    text: str
    """Without control characters and lone surrogates; ``reply.answer`` is as it came."""
    reply: Reply  # with usage, finish reason, reasoning and so on


class Chat:
    """The conversation of one trial, which its test function leads."""

    def __init__(self, spec: TrialSpec, conversation: FunctionConversation, ask: Callable[[str], Reply]) -> None:
        """``ask`` waits for the answer to a text."""
        self._spec = spec
        self._conversation = conversation
        self._ask = ask

    def say(self, text: str) -> Answer:
        """Say the person's next turn; return the answer. Raises NotMeasured: none came. Raises ValueError: empty."""
        __tracebackhide__ = True
        if not isinstance(text, str) or not text.strip():
            raise ValueError("chat.say needs the text of a turn")
        reply = self._ask(text)
        return Answer(printable(reply.answer), reply)

    @property
    def transcript(self) -> Transcript:
        """The conversation so far."""
        return Transcript.of(self._spec.script, self._conversation.exchanges)


class PanelScores(NamedTuple):
    """The panel's scores of a conversation."""

    scores: dict[str, float]  # its mean scores; booleans count 0 or 1
    reasoning: str


class Panel(tuple[Model, ...]):
    """The panel of judges, of which a function may ask a verdict on its conversation."""

    cases: "PythonScenarioCases"  # those of this process

    @classmethod
    def of(cls, judges: tuple[Model, ...], cases: "PythonScenarioCases") -> "Panel":
        """Return the panel for the functions of this process."""
        panel = cls(judges)
        panel.cases = cases
        return panel

    def score(self, transcript: Transcript, rubric: str | None = None) -> PanelScores:
        """Return the panel's verdict on ``chat.transcript``, by the rubric that the marker names.
        Raises NotMeasured: there is none; let it pass. Raises ValueError: another conversation or rubric.
        """
        __tracebackhide__ = True
        return self.cases.score(transcript, rubric)


@dataclass(eq=False)
class PythonScenarioTrial:
    """The trial of a Python scenario while its function runs."""

    spec: TrialSpec
    key: str
    item: pytest.Function
    conversation: FunctionConversation
    chat: Chat

    def hold_if(self, condition: object, reason: str = "") -> None:
        """Let the trial yield unless the condition is true; the same as an assert."""
        __tracebackhide__ = True
        if not condition:
            raise AssertionError(reason or "trial.hold_if: the condition is false")


_TRIAL = pytest.StashKey[PythonScenarioTrial]()  # the trial that a case's function is about to lead


class PythonScenarioCases:
    """The cases of Python scenarios in one process that measures."""

    def __init__(self, side: CaseTrials) -> None:
        self._side = side
        self._records: dict[str, list[TrialRecord]] = {}  # each attempt at an unmeasured trial, by key
        self._measured: dict[str, Outcome] = {}
        self._answers: dict[str, dict[str, Reply]] = {}  # of all attempts, by trial key and what was asked
        self._leading: PythonScenarioTrial | None = None  # the trial whose function is running

    def trial(self, spec: TrialSpec, item: pytest.Item) -> PythonScenarioTrial | Outcome:
        """Return the trial for its function to lead, or the outcome of a whole one. Raises NotMeasured."""
        side = self._side
        key, plan = side.bench.plan.keys[spec], side.bench.plan
        assert isinstance(item, pytest.Function)
        if item.callspec.params.keys() > {"spec"}:
            raise Refused(f"not measured: {item.originalname} has one trial; give it no parameters", pytrace=False)
        if key in self._measured:
            return self._measured[key]
        records = self._records.setdefault(key, [])
        if records and records[-1].transcript is not None:
            side.engine.start([reduce(Task.after, records, Task(spec, key, plan.judges_of(spec)))])
            return self._outcome(spec, key, item)
        kept = self._answers[key] if key in self._answers else side.kept_answers(key)
        conversation = FunctionConversation(kept)
        self._answers[key] = conversation.answers
        chat = Chat(spec, conversation, lambda text: self._awaited(trial, conversation.say(text)))
        trial = PythonScenarioTrial(spec, key, item, conversation, chat)
        item.stash[_TRIAL] = trial
        return trial

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        """Let the function lead its conversation, once all its fixtures are there."""
        __tracebackhide__ = True
        yield
        trial = item.stash.get(_TRIAL, None)
        if trial is not None:
            del item.stash[_TRIAL]
            self._side.settle(trial.spec, item, *self._lead(trial))

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Show the outcome in place of running the function a second time."""
        __tracebackhide__ = True
        trial = self._side.measured(pyfuncitem)
        if trial is None or trial.spec.scenario.function is None:
            return None
        trial.must_hold()
        return True

    # --- a function that leads --------------------------------------------------------------------------------------

    def _lead(self, trial: PythonScenarioTrial) -> tuple[Outcome, BaseException | None]:
        __tracebackhide__ = True
        conversation = trial.conversation
        judges = self._side.bench.plan.judges_of(trial.spec)
        attempt = 1 + len(self._records[trial.key])
        self._side.engine.start([Task(trial.spec, trial.key, judges, attempt=attempt, conversation=conversation)])
        broke: BaseException | None = None
        arguments = {name: trial.item.funcargs[name] for name in trial.item._fixtureinfo.argnames}
        self._leading = trial
        try:
            trial.item.obj(**arguments)
            conversation.end(Checks(held=True))
        except NotMeasured:
            conversation.break_off("its function ended without an answer")
        except AssertionError as error:
            conversation.end(Checks(held=False, reason=_reason(error, trial.item.path)))
        except (KeyboardInterrupt, pytest.exit.Exception) as error:
            conversation.break_off(f"its function was left by {type(error).__name__}")
            raise
        except BaseException as error:  # also pytest.skip and sys.exit: an answer has been paid for
            broke = error
            conversation.break_off(safe_text(f"its function broke: {type(error).__name__}: {text_of(error)}"))
        finally:
            self._leading = None
        return self._outcome(trial.spec, trial.key, trial.item), broke

    def _outcome(self, spec: TrialSpec, key: str, item: pytest.Item) -> Outcome:
        records = self._records[key]
        try:
            records.append(self._side.wait(key, 1, item))
        except CancelledError:
            raise NotMeasured("not measured: the session ended first", pytrace=False) from None
        outcome = outcome_of(self._side.bench.plan, spec, NOTHING, records)
        if outcome.failure is None:  # what was said would fill the memory of a long session
            self._measured[key] = outcome
            del self._records[key], self._answers[key]
            self._side.engine.release(key)
        return outcome

    def score(self, transcript: Transcript, rubric: str | None) -> PanelScores:
        """Return the panel's verdict on the conversation that is being led. Raises as :meth:`Panel.score`."""
        __tracebackhide__ = True
        trial = self._leading
        if trial is None or trial.spec.scenario.function is None or not trial.spec.scenario.function.consults:
            raise ValueError("judge.score is for a Python scenario whose function has the argument `judge`")
        own = trial.spec.scenario.rubric
        if own is None or rubric not in (None, own.id):
            raise ValueError(f"judge.score: the marker names the rubric {own.id if own else None!r}; name that one")
        if transcript.hash != trial.chat.transcript.hash:
            raise ValueError("judge.score takes the conversation so far: chat.transcript")
        verdicts = self._awaited(trial, trial.conversation.consult())
        panel = tuple(PanelVerdict(each.judge, each.scores, each.reasoning) for each in verdicts)
        outcome = Outcome(judged=panel, aggregation=self._side.bench.plan.edition.aggregation)
        return PanelScores(outcome.scores, outcome.reasoning)

    def _awaited(self, trial: PythonScenarioTrial, answered: Future[_Awaited]) -> _Awaited:
        __tracebackhide__ = True
        self._side.looked(trial.item, waits=True)
        while not answered.done() and not self._is_over(trial.key):
            with suppress(TimeoutError, CancelledError):
                answered.result(WAIT_S)
            self._side.looked(trial.item, waits=not answered.done())
            if self._side.stop_requested():
                self._side.engine.begin_nothing()
        if not answered.done() or answered.cancelled():
            raise NotMeasured("not measured: there is no answer", pytrace=False)
        return answered.result()

    def _is_over(self, key: str) -> bool:
        try:
            self._side.engine.result(key, timeout=0)
        except TimeoutError:
            return False
        except CancelledError:
            pass
        return True


def _reason(error: BaseException, file: Path) -> str:
    lines = [line for frame, line in walk_tb(error.__traceback__) if Path(frame.f_code.co_filename).name == file.name]
    where = f" ({file.name}, line {lines[-1]})" if lines else ""
    message = text_of(error).strip().partition("\n")[0]  # what pytest adds to an assert's own words is below them
    return safe_text(f"{message or 'a check of its function failed'}{where}")
