"""One judge check: asked for what is missing, every verdict kept at once, then summed up from the store alone."""

import time
from collections import Counter
from collections.abc import Sequence

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.judge_check import known_answers
from independence_bench.catalog.judge_questions import questions
from independence_bench.chat.secret import Secret
from independence_bench.cli.check_text import findings_json, findings_text, plan_json, plan_text
from independence_bench.cli.judging import judges
from independence_bench.cli.terminal import clear_progress, progress, remark, say
from independence_bench.counted import counted
from independence_bench.engine import Task
from independence_bench.report.formatting import dollars
from independence_bench.session.judge_check import KnownAnswerCheck
from independence_bench.session.measuring import conduct_tasks
from independence_bench.session.settings import Settings
from independence_bench.store import Store
from independence_bench.store.lock import shared
from independence_bench.trial import TrialRecord


class Checking:
    """Checks the judges that the settings name."""

    def __init__(self, settings: Settings, *, as_json: bool) -> None:
        """Read set and judges; nothing is asked or written yet.

        Raises:
            BadInput: an unknown judge, one named twice, or a fault in the set.
        """
        if not settings.judges:
            raise BadInput("--judge: it names nobody; write for example --judge=google/gemini-3-flash-preview")
        catalogue = Catalogue(settings.overlay)
        asked = questions(known_answers(catalogue))
        self._settings = settings
        self._as_json = as_json
        self._checks = [KnownAnswerCheck(judge, asked) for judge in judges(settings, catalogue)]
        self._reasons: Counter[str] = Counter()

    def plan(self) -> int:
        """Say what would be asked and what it would cost."""
        path = self._settings.store_file
        with Store.open(path, read_only=True) if path.exists() else Store.empty() as store:
            left = [(check, check.missing(store)) for check in self._checks]
        say(plan_json(left) if self._as_json else plan_text(left))
        return 0

    def check(self) -> int:
        """Ask for the missing verdicts and sum up; returns 1 where a judge has not passed, else 0.

        Raises:
            BadInput: a missing key, or a store that cannot be used.
        """
        path = self._settings.store_file
        with Store.open(path, read_only=True) if path.exists() else Store.empty() as store:
            for check in self._checks:
                if check.missing(store):
                    # A missing key is said before anything is written.
                    Secret.of(check.judge.endpoint, self._settings.environment)
        with shared(path, "a judge check"), Store.open(path) as store:
            left = [(check, check.missing(store)) for check in self._checks]
            tasks = [task for _, missing in left for task in missing]
            if tasks:
                remark(plan_text(left))
            spent = self._ask(store, tasks)
            found = [(check, check.look(store)) for check in self._checks]
            at = time.time()
            for check, findings in found:
                if findings.any_verdict:  # whom nobody could reach has not been checked
                    store.add_judge_check(findings.stored(check, at))
        if self._as_json:
            say(findings_json(found))
        else:
            say(findings_text(found))
        remark(f"{counted(len(tasks), 'verdict')} asked for now, at {dollars(spent)} US dollars as far as known.")
        for reason, count in self._reasons.most_common():
            remark(f"not judged: {count} × {reason}")
        return 0 if all(findings.result.passed for _, findings in found) else 1

    def _ask(self, store: Store, tasks: Sequence[Task]) -> float:
        """Ask for these verdicts; returns what it cost as far as that is known, US dollars."""

        def receive(record: TrialRecord) -> None:
            """Keep what came, in the engine's thread: an interruption costs only what is in flight."""
            for verdict in record.verdicts:
                store.add_known_verdict(verdict)
            self._reasons.update(failure.message for failure in record.failures)

        def tell(done: int, in_flight: int) -> None:
            progress(f"{done}/{len(tasks)} verdicts, {in_flight} calls in flight")

        try:
            return conduct_tasks(self._settings, tasks, receive, tell)
        finally:
            clear_progress()
