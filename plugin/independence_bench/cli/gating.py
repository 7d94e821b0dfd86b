"""One look of the gate at a store: the newest session's plan, the criteria, and the command that would decide it."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.gate_file import read_gate_file
from independence_bench.cli.places import DEFAULT_STORE, settings_of
from independence_bench.cli.terminal import say, width
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.option_table import words_again
from independence_bench.report.gate.criteria import Criteria, GateOptions, read_criteria
from independence_bench.report.gate.deciding import JUDGING_COMMAND, Gate
from independence_bench.report.gate.gate_files import write_gate
from independence_bench.report.gate.gate_result import GateResult
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.session.command_line import shown, suite_words, value_of, with_runs
from independence_bench.session.options import read_gate_options
from independence_bench.session.settings import Settings
from independence_bench.session.shards import Shard
from independence_bench.spec import is_embedded
from independence_bench.store import Configuration, Session, Store
from independence_bench.store.lock import shared


@dataclass(frozen=True)
class Gating:
    """The criteria and places that the command line gives."""

    settings: Settings
    options: GateOptions
    criteria: Criteria

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "Gating":
        """Read options and gate file.

        Raises:
            BadInput: a wrong option or file, or no criterion.
        """
        settings = settings_of(arguments)
        if arguments.configs is not None and not arguments.configs.is_dir():
            raise BadInput(f"--configs={arguments.configs}: this folder does not exist; check the path")
        options = read_gate_options(arguments, settings.root)
        criteria = read_criteria(options, read_gate_file(settings.overlay))
        if criteria is None:
            raise BadInput(
                "no criterion is given: add --min-index, --min-component, --max-component or --max-drop, "
                "or write configs/gate.yaml"
            )
        return cls(settings, options, criteria)

    def look(self, words: Sequence[str] | None = None) -> GateResult:
        """Decide on the newest session's plan, and write gate.json.

        ``words`` are the arguments that pytest measures with, if known.

        Raises:
            BadInput: the store holds no session of its own, or the criteria do not fit its edition.
        """
        file = self.settings.store_file
        with Store.open(file, read_only=True) as store:
            session = newest_own_session(store)
            facts = {stored.facts.configuration: stored.facts for stored in store.configurations()}
            options = _asking_options(store, session)
            if options.get("endpoint"):
                _refuse_unnamed_build(session, facts)
            known = [facts.get(configuration) for configuration in session.configurations]
            models = [(each.label, each.model_id) for each in known if each is not None]
            missing = shards_missing(store, session)
            asked = words or [*suite_words(session.edition.function_files), *words_again(options)]
        gate = Gate.prepare(self.criteria, session, models)
        with shared(file, "a gate"), Store.open(file) as store:
            result = store.reading(
                lambda readable: gate.decide(
                    readable,
                    lambda runs: self.command(asked, session, runs),
                    shards_missing=missing,
                    set_digest=lambda: current_set_digest(self.settings.overlay, session.edition.id),
                )
            )
        write_gate(self.settings.reports_folder, result)
        return result

    def command(self, words: Sequence[str], session: Session, runs: int | None) -> str:
        """Return the command that measures until the gate decides; ``runs`` None measures the missing trials."""
        wanted = max(runs or 0, session.runs)
        most = max(wanted, self.criteria.max_runs or 0)
        settings = self.settings
        places = [f"--store={settings.store_file}"]
        if settings.reports_folder != DEFAULT_STORE.parent:
            places.append(f"--reports={settings.reports_folder}")
        if settings.configs:
            places.append(f"--configs={settings.configs}")
        criteria = replace(self.options, max_runs=None).words
        decided = [*places, *criteria, "--until-decided", f"--max-runs={most}"]
        given = [value_of(words, f"--{role}endpoint-key-env") for role in ("", "judge-")]
        keys = [endpoint.key_env for endpoint in Catalogue(settings.overlay).endpoints.values()]
        line = [*decided, "--", *with_runs(words, wanted)]
        return shown("independence-bench gate", line, settings.environment, filter(None, [*given, *keys]))

    def tell(self, result: GateResult) -> None:
        """Print a result and the path of its file."""
        say(gate_text(result, width()))
        say(f"\n{self.settings.reports_folder / 'gate.json'}")


def newest_own_session(store: Store) -> Session:
    """Return the newest session that is no import.

    Raises:
        BadInput: there is none.
    """
    session = store.newest_session(own=True)
    if session is None:
        raise BadInput(f"{store.path}: holds no session of your own to decide on; run `pytest bench_tests` first")
    return session


def shards_missing(store: Store, session: Session) -> list[str]:
    """Return the shards of the session's plan that no session measured; none if a session measured all of it."""
    if session.shard is None:
        return []
    asked = {each.shard for each in map(store.session, store.session_ids()) if each.plan_digest == session.plan_digest}
    count = Shard.read(session.shard).count
    return [] if None in asked else [text for k in range(1, count + 1) if (text := f"{k}/{count}") not in asked]


def _refuse_unnamed_build(session: Session, facts: Mapping[str, Configuration]) -> None:
    """Refuse answers of an unnamed build behind an ad-hoc endpoint: it may differ from the build to deploy."""
    for label, configuration in zip(session.labels, session.configurations, strict=False):
        known = facts.get(configuration)
        if known is not None and known.build is None and not is_embedded(known.model_id):
            raise BadInput(
                f"{label}: it was measured at --endpoint without --build, so the store does not say which build "
                "answered; measure it again with --build=ID"
            )


def _asking_options(store: Store, session: Session) -> dict[str, Any]:
    """Return the options that the session's models were called with: its own, or an earlier one's if it only judged."""
    own = dict(session.options)
    if own.get("command") != JUDGING_COMMAND:
        return own
    del own["command"]
    for earlier in map(store.session, store.session_ids()):
        if "command" not in earlier.options and set(earlier.configurations) & set(session.configurations):
            return {name: value for name, value in earlier.options.items() if not name.startswith("judge")} | own
    return own
