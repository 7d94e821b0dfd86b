"""One look of the gate at a store: the newest session's plan, the criteria, and the command that would decide it."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.gate_file import read_gate_file
from independence_bench.cli.newest import newest_session
from independence_bench.cli.places import DEFAULT_STORE, readable, settings_of
from independence_bench.cli.terminal import say, width
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.option_table import rerun_arguments
from independence_bench.report.gate.criteria import NO_CRITERION, Criteria, GateOptions, read_criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_files import write_gate
from independence_bench.report.gate.gate_result import GateResult
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.session.command_line import command_to_copy, value_of, with_runs, with_suite
from independence_bench.session.options import read_gate_options
from independence_bench.session.settings import Settings
from independence_bench.session.shards import Shard
from independence_bench.spec import is_embedded
from independence_bench.store import Configuration, Session, Store


@dataclass(frozen=True)
class Gating:
    """The criteria and places that the command line gives."""

    settings: Settings
    options: GateOptions
    criteria: Criteria
    readable: Callable[[Store], Store]  # gives what the command reads of a store

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "Gating":
        """Read options and gate file. Raises BadInput: a wrong option or file, or no criterion."""
        settings = settings_of(arguments)
        if arguments.configs is not None and not arguments.configs.is_dir():
            raise BadInput(f"--configs={arguments.configs}: this folder does not exist; check the path")
        options = read_gate_options(arguments, settings.root)
        criteria = read_criteria(options, read_gate_file(settings.overlay))
        if criteria is None:
            raise BadInput(NO_CRITERION)
        return cls(settings, options, criteria, partial(readable, arguments))

    def look(self, words: Sequence[str] | None = None) -> GateResult:
        """Decide on the newest session's plan, and write gate.json.

        ``words`` are the arguments that pytest measures with, if known.
        Raises BadInput: the store holds no session that measured, or the criteria do not fit its edition.
        """
        with self.readable(Store.open(self.settings.store_file, read_only=True)) as store:
            session = newest_session(store, own=True)
            known = {model.configuration: model for model in store.configurations()}
            asked = [known[configuration] for configuration in session.configurations if configuration in known]
            options = _asking_options(store, session)
            if options.get("endpoint"):
                _refuse_unnamed_build(asked)
            models = [(each.label, each.model_id) for each in asked]
            missing_shards = shards_missing(store, session)
            line = words or with_suite(rerun_arguments(options), session.edition.function_files)
        gate = Gate.prepare(self.criteria, session, models)
        with Store.open(self.settings.store_file) as store:
            command, digest = partial(self.command, line, session), partial(current_set_digest, self.settings.overlay)
            result = store.reading(
                lambda readable: gate.decide(readable, command, shards_missing=missing_shards, set_digest=digest)
            )
        write_gate(self.settings.reports_folder, result)
        return result

    def command(self, words: Sequence[str], session: Session, runs: int | None) -> str:
        """Return the command that measures until the gate decides; ``runs`` None measures the missing trials."""
        target_runs = max(runs or 0, session.runs)
        most = max(target_runs, self.criteria.max_runs or 0)
        settings = self.settings
        reports = settings.reports_folder if settings.reports_folder != DEFAULT_STORE.parent else None
        places = {"store": settings.store_file, "reports": reports, "configs": settings.configs}
        places_given = [f"--{name}={path}" for name, path in places.items() if path]
        criteria = replace(self.options, max_runs=None).words
        gate_words = [*places_given, *criteria, "--until-decided", f"--max-runs={most}"]
        key_options = [value_of(words, f"--{role}endpoint-key-env") for role in ("", "judge-")]
        keys = [endpoint.key_env for endpoint in Catalogue(settings.overlay).endpoints.values()]
        line, variables = [*gate_words, "--", *with_runs(words, target_runs)], filter(None, [*key_options, *keys])
        return command_to_copy("independence-bench gate", line, settings.environment, variables)

    def tell(self, result: GateResult) -> None:
        """Print a result and the path of its file."""
        say(gate_text(result, width()))
        say(f"\n{self.settings.reports_folder / 'gate.json'}")


def shards_missing(store: Store, session: Session) -> list[str]:
    """Return the shards of the session's plan that no session measured; none if a session measured all of it."""
    if session.shard is None:
        return []
    shards = {each.shard for each in store.sessions() if each.plan_digest == session.plan_digest}
    count = Shard.read(session.shard).count
    return [] if None in shards else [text for k in range(1, count + 1) if (text := f"{k}/{count}") not in shards]


def _refuse_unnamed_build(asked: Iterable[Configuration]) -> None:
    for model in asked:
        if model.build is None and not is_embedded(model.model_id):
            trouble = "it was measured at --endpoint without --build; measure it again with --build=ID"
            raise BadInput(f"{model.label}: {trouble}")


def _asking_options(store: Store, session: Session) -> dict[str, Any]:
    if not session.judged_only:
        return dict(session.options)
    judging = {name: value for name, value in session.options.items() if name.startswith("judge")}
    asked = {*session.configurations}
    for earlier in store.sessions():
        if not earlier.judged_only and not asked.isdisjoint(earlier.configurations):
            elsewhere = ("endpoint",) if earlier.merged else ()  # beside keys of this store's judges
            others = earlier.options.items()
            return {name: value for name, value in others if name not in elsewhere and name[:5] != "judge"} | judging
    return judging
