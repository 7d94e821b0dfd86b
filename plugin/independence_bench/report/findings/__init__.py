"""What the analyses find, as data: the shapes that leaderboard.json holds beside its rows. Computes nothing.

Whatever rests on partial data is None, or stands beside the count that says so.
"""

from independence_bench.report.findings.certainty import Certainty, Outlook, Separable, VariancePart
from independence_bench.report.findings.checked_judges import CheckedJudge
from independence_bench.report.findings.configurations import (
    ConfigurationAnalysis,
    ConfigurationIndex,
    ConfigurationMean,
    ModelConfigurations,
)
from independence_bench.report.findings.groups import OtherGroup, OtherModel
from independence_bench.report.findings.health import Health
from independence_bench.report.findings.judges import (
    Agreement,
    JudgeAnalysis,
    JudgedIndex,
    JudgedModel,
    JudgeSummary,
    SelfPreference,
)
from independence_bench.report.findings.money import (
    CostAnalysis,
    CostPerRun,
    ProviderComparison,
    ThinkingComparison,
    TokensPerRun,
    Variant,
)
from independence_bench.report.findings.names import ModelNames, NameAnalysis, NameCount
from independence_bench.report.findings.scenarios import (
    PublishedInterval,
    RunComponents,
    ScenarioDetail,
    ScenarioDifficulty,
    ScenarioRun,
)

__all__ = [
    "Agreement",
    "Certainty",
    "CheckedJudge",
    "ConfigurationAnalysis",
    "ConfigurationIndex",
    "ConfigurationMean",
    "CostAnalysis",
    "CostPerRun",
    "Health",
    "JudgeAnalysis",
    "JudgeSummary",
    "JudgedIndex",
    "JudgedModel",
    "ModelConfigurations",
    "ModelNames",
    "NameAnalysis",
    "NameCount",
    "OtherGroup",
    "OtherModel",
    "Outlook",
    "ProviderComparison",
    "PublishedInterval",
    "RunComponents",
    "ScenarioDetail",
    "ScenarioDifficulty",
    "ScenarioRun",
    "SelfPreference",
    "Separable",
    "ThinkingComparison",
    "TokensPerRun",
    "VariancePart",
    "Variant",
]
