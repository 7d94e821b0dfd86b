"""What the judges of a panel make of the same trials, as data. Computes nothing."""

from independence_bench.report.shown import Shown


class JudgeSummary(Shown):
    """One judge of the panel."""

    judge: str
    family: str | None
    """Whose model it is, as far as its id tells."""
    verdicts: int
    cost_usd: float | None
    """Of these verdicts; None where one is unknown."""
    cost_per_run: float | None
    """Per model and run in which it judged anything."""


class JudgedIndex(Shown):
    """What one judge makes of a model."""

    index: float | None
    """None where it has not judged every trial."""
    rank: int | None


class JudgedModel(Shown):
    """One model under each judge of the panel."""

    label: str
    identity: str
    judges: dict[str, JudgedIndex]
    mean: float | None
    """The panel's Index."""
    spread: float | None
    """Highest minus lowest Index of a single judge."""
    without_family: float | None
    """Index by the judges of other families alone; None where it is incomplete or no such judge is there."""
    left_out: list[str]
    """Judges of the model's own family."""


class Agreement(Shown):
    """How far the judges agree on one score."""

    score: str
    trials: int
    """Trials that every judge of the panel scored."""
    alpha: float | None
    """Krippendorff's alpha; None where the scores do not vary, or nothing is there."""
    level: str
    """Level of measurement that alpha assumes."""
    equal: float | None
    """Share of pairs of judges that gave the same score."""
    distance: float | None
    """Mean absolute difference of a pair."""


class SelfPreference(Shown):
    """A judge that is a contestant too."""

    judge: str
    label: str
    own: float | None
    """Its Index as it judges itself."""
    others: float | None
    """Mean of its Index by the other judges."""
    difference: float | None
    elsewhere: float | None
    """Mean of the same difference over all other models: how much milder it judges anybody."""
    compared: int
    """Models that ``elsewhere`` rests on."""


class JudgeAnalysis(Shown):
    """What the judges of a panel make of the same trials."""

    judges: list[JudgeSummary]
    models: list[JudgedModel]
    agreement: list[Agreement]
    self_preference: list[SelfPreference]
