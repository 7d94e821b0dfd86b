"""The script of a matter: what the dossier of each run is drawn from. No dossier is drawn before it is needed."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import ClassVar, NamedTuple

from independence_bench.chat.delivery import turn_request
from independence_bench.chat.sizes import likely_prompt_tokens, most_prompt_tokens
from independence_bench.kinds.dossiers.counterbalance import features
from independence_bench.kinds.dossiers.design import GENERATOR, StanceForm
from independence_bench.kinds.dossiers.dossier import Dossier, draw
from independence_bench.kinds.dossiers.matter import Matter, Phrases
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS
from independence_bench.spec import Model, Script
from independence_bench.trial import Exchange

FIRST_TOKENS = 4  # limit on an answer of which only the first token counts; some servers let a blank come first
MAX_TOKENS = 700  # limit on one answer, where the model's row has no lower one; see :meth:`DossierScript.asked`


class PromptSize(NamedTuple):
    """How large the prompt of one call is, in tokens, without the answers in it."""

    likely: float
    most: float
    answers: int  # number of earlier answers in it


class DossierScript(Script):
    """A script from which the dossier of a run is drawn instead of turns."""

    kind: ClassVar[str] = "dossiers"

    matter: Matter
    phrases: Phrases
    form: str
    stance: StanceForm = "written"
    place: int
    places: int
    generator: int = GENERATOR
    max_tokens: int = MAX_TOKENS

    @property
    def calls(self) -> int:
        """Answers that the model gives in the mean of two runs, if each can be read: one of them has four more."""
        if self.stance == "choice":
            return 2 * len(BRANCHES)
        return 2 + len(BRANCHES) + (len(LEANS) + 1) // 2

    def chain_in(self, run: int) -> int:
        """Return how many answers must follow one another: standard, stance, a branch, and in half what lasts of it."""
        if self.stance == "choice":
            return 1
        return 3 + features(self.form, self.place, self.places, run).half

    def limited_model(self, model: Model) -> Model:
        """Return the model with the limit of its answers; one that thinks, or whose limit was chosen, keeps its own."""
        if self.stance == "choice":
            return model.model_copy(update={"max_tokens": FIRST_TOKENS})
        return model if model.chosen_max_tokens else model.limited(min(self.max_tokens, model.max_tokens))

    @cached_property
    def dossier(self) -> Callable[[int], Dossier]:
        """Returns the dossier of a run; none is drawn before a trial is quoted or conducted, and each once."""
        return cache(lambda run: draw(self.matter, self.phrases, self.form, self.place, self.places, run))

    def prompt_sizes(self, model: Model, run: int) -> tuple[PromptSize, ...]:
        """Return the size of every call's prompt in a run; the same for all models, and computed once.

        Texts depend on the standard that a model will choose; they are equally long but for a few words, so those of
        the first standard are counted.
        """
        if run not in self.sizes_by_run:
            self.sizes_by_run[run] = tuple(self._size(model, run, row) for row in self._rows(self.dossier(run)))
        return self.sizes_by_run[run]

    @cached_property
    def sizes_by_run(self) -> dict[int, tuple[PromptSize, ...]]:
        """Sizes by run."""
        return {}

    def _size(self, model: Model, run: int, row: list[str]) -> PromptSize:
        before = [Exchange.unanswered(place, text) for place, text in enumerate(row[:-1])]
        request = turn_request(model, self, before, row[-1], run)
        return PromptSize(likely_prompt_tokens(request), most_prompt_tokens(request), len(before))

    def _rows(self, dossier: Dossier) -> list[list[str]]:
        if self.stance == "choice":
            start = [text for text, _ in dossier.written_start(0)]
            return [[*start, dossier.choice(branch, 0)] for branch in BRANCHES for _ in range(2)]
        start = [dossier.opening(), dossier.table()]
        rows = [start[:1], start, *([*start, dossier.branch(branch, 0)] for branch in BRANCHES)]
        if dossier.facts.half:
            rows += [[*start, dossier.branch(lean, 0), dossier.lasting] for lean in LEANS]
            rows.append([dossier.fresh(0)])
        return rows
