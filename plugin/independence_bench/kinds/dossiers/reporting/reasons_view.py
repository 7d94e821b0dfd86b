"""The view of edition v3: board, reason pictures, and every case as a tree of branches."""

from collections.abc import Iterator, Mapping, Sequence

from independence_bench.kinds.dossiers.case import Case, read_case
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS
from independence_bench.kinds.dossiers.reporting import reason_columns as columns
from independence_bench.kinds.dossiers.reporting.case_text import NAMES, step_words
from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard
from independence_bench.kinds.dossiers.reporting.reason_numbers import MOVEMENTS, NUMBERS, PARTS
from independence_bench.kinds.dossiers.reporting.stored_cases import ReasonResult
from independence_bench.kinds.dossiers.steps import BRANCHES, STEPS, Step
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.numbers.number import INDEX
from independence_bench.report.numbers.number_columns import estimate_text, interval_text, number_text
from independence_bench.report.numbers.number_view import NumberView
from independence_bench.report.site.chunks import Datum, drop_empty, rounded
from independence_bench.trial import Transcript

SAME_PLACE = 0.05  # movement within which models share a point of the plane


class ReasonsView(NumberView[ReasonResult, ReasonBoard]):
    """Edition v3 in the viewer."""

    def variables(self, asked: Mapping[str, Sequence[AnsweredItem]]) -> Mapping[str, object]:
        """Return the columns and the explanations."""
        return {
            "reasons": self,
            "parts_of_cases": PARTS,
            "words_of_board": columns.ranked_characters(self.board) if self.board else {},
            "plane": self._plane(),
        }

    def _plane(self) -> list[tuple[float, float, list[str]]]:
        """Return the points at which the scored models are, each with their names.

        First how far the reason moves them, 0..1, then their firmness: 1 less the most that anything else in a contrast
        moves them, 0..1.
        """
        points: dict[tuple[float, float], tuple[float, float, list[str]]] = {}
        for row in self.board.scored_rows if self.board else ():
            by_reason = row.number(MOVEMENTS["reason"].name)
            others = [move for branch in CONTRASTS if (move := row.number(MOVEMENTS[branch].name)) is not None]
            if by_reason is None or len(others) < len(CONTRASTS):
                continue
            firmness = 1 - max(others)
            place = round(by_reason / SAME_PLACE), round(firmness / SAME_PLACE)
            points.setdefault(place, (by_reason, firmness, []))[2].append(row.full_name)
        return [*points.values()]

    def overview(self) -> Datum:
        """Return the names of the steps, in their order."""
        return {"steps": [NAMES[step].capitalize() for step in STEPS]}

    def model(self, place: int) -> Datum:
        """Return a model's numbers and cases; None where there are none to show."""
        shown = self.view.board.models[place]
        name = shown.identity, shown.configuration
        row = self.rows.get(name)
        if row is None or self.board is None or row.index is None:
            return None
        picture = columns.picture(row, self.board.confidence)
        return drop_empty(
            rank=row.rank and row.shown_rank,
            index=estimate_text(row.index, 1),
            interval=interval_text(row.ends(INDEX)),
            word=row.character,
            binding=row.binding_words,
            picture=[[str(column.cell(branch)) for column in picture.columns[:4]] for branch in picture.rows],
            numbers=[
                [number.head, number_text(number, each.estimate), interval_text(each.interval, 2), number.means]
                for name, each in row.numbers.items()
                if name != INDEX
                for number in [NUMBERS[name]]
            ],
            facets=[
                [each.facet, each.value, each.cases, rounded(each.index, 1), interval_text(each.interval)]
                for each in row.facets
            ],
            branches=list(columns.BRANCH_NAMES.values()),
            cases=list(self._cases(self.results[name])),
        )

    def _cases(self, result: ReasonResult) -> Iterator[Datum]:
        """Yield scenario, run, what the model began with, and its movement by each branch."""
        for case in result.cases:
            movements = [rounded(case.movement(branch), 2) for branch in columns.BRANCH_NAMES]
            yield [self.view.places[case.facts.kind], case.facts.run, step_words(case, "stance"), movements]

    def answer_facts(self, trial: PlannedTrial, transcript: Transcript) -> Mapping[str, Datum]:
        """Return what is read of each step: its name, the words, and the stance as a needle."""
        try:
            case = read_case(transcript.exchanges)
        except ValueError:  # shown all the same, as any conversation
            return {}
        items = sorted({each.item for each in transcript.exchanges if each.item is not None})
        return {"read": {str(item): _reading(case, STEPS[item]) for item in items}}


def _reading(case: Case, step: Step) -> Datum:
    """Return the words that are read, the signed stance (−100..100), its role, and whether it should move."""
    stance = case.start if step == "stance" else case.stances.get(step)
    role = "start" if step in ("standard", "stance") else "branch" if step in BRANCHES else "after"
    return [step_words(case, step), rounded(stance, 0), role, step == columns.SHOULD_MOVE]
