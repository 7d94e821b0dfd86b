"""A store in memory and a session of a small edition without judges: what the worlds of the packaged kinds share."""

from itertools import count

from independence_bench.catalog.editions import Edition
from independence_bench.store import Configuration, PlannedCell, Session, Store
from independence_bench.trial import Failure, Transcript, TrialRecord


class AnsweredWorld:
    """Every record is a second newer than the last; ``texts`` names what the scripts are made of."""

    def __init__(
        self, edition: Edition, labels: tuple[str, ...], runs: int, texts: str = "public", store: Store | None = None
    ) -> None:
        self.store = store or Store.empty()
        self.texts = texts
        (variant,), (mode,) = edition.system_variants, edition.delivery_modes
        cells = [
            PlannedCell(
                scenario=each.id,
                experiment=each.experiment,
                system_variant=variant,
                delivery_mode=mode,
                script_digest=f"{texts}-{each.id}",
                official=True,
            )
            for each in edition.scenarios
        ]
        self.session = Session(
            id=f"s-{texts}",
            started_at=1000.0,
            version="0",
            edition=edition,
            cells=tuple(cells),
            runs=runs,
            labels=labels,
            configurations=labels,
            panel=(),
            plan_digest="plan",
        )
        self.seconds = count(2000)
        self.store.begin_session(self.session, [])

    def know(self, label: str, **facts: str | bool | None) -> None:
        row = Configuration.model_validate({"configuration": label, "label": label, "model_id": f"id/{label}"} | facts)
        self.store.begin_session(self.session, [row])

    def record(
        self, label: str, scenario: str, run: int, transcript: Transcript | None, failures: tuple[Failure, ...] = ()
    ) -> TrialRecord:
        cell = next(each for each in self.session.cells if each.scenario == scenario)
        return TrialRecord(
            key=f"{label}/{scenario}/{run}" if self.texts == "public" else f"{label}/{self.texts}/{scenario}/{run}",
            label=label,
            model_id=f"id/{label}",
            configuration=label,
            build=None,
            edition=self.session.edition.id,
            experiment=cell.experiment,
            scenario=scenario,
            run=run,
            system_variant=cell.system_variant,
            delivery_mode=cell.delivery_mode,
            script_digest=cell.script_digest,
            transcript=transcript,
            transcript_at=float(next(self.seconds)),
            failures=failures,
        )
