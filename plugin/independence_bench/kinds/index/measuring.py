"""The scenarios of the Index: scripted conversations from their files, and Python scenarios. Scores nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.catalog.scenario_files import read_scenario
from independence_bench.catalog.scenario_functions import read_functions
from independence_bench.catalog.trials import check_variants
from independence_bench.catalog.yaml_files import validated
from independence_bench.frozen import Frozen
from independence_bench.kinds.index.design import WordingDesign
from independence_bench.kinds.measuring_protocol import Measuring
from independence_bench.kinds.scripted_conversations import ScriptedConversations
from independence_bench.spec import Scenario

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue


class _Stems(Frozen):
    """``scenarios:`` of an edition: a list of stems, or this mapping where its ladders have several wordings."""

    files: tuple[str, ...]
    """Stems in scenarios/; a name that ends in .py is a file of Python scenarios, beside the edition's file."""
    form: str | None = None  # wording of its ladders; ``--form`` replaces it


class Conversations(ScriptedConversations):
    """Scripted conversations, each with its scenario file or its Python function."""

    def resolve(
        self, choice: object, catalogue: "Catalogue", file: Path
    ) -> tuple[Sequence[Scenario], WordingDesign | None]:
        """Return the scenarios of these stems, and the wording of their ladders where the edition names one."""
        own = validated(_Stems, choice if isinstance(choice, dict) else {"files": choice}, file, "scenarios")
        check_variants(catalogue, file)
        scenarios: list[Scenario] = []
        for stem in own.files:
            if stem.endswith(".py"):
                scenarios += read_functions(file.parent / stem, f"{file}: scenarios", catalogue)
            else:
                scenario = catalogue.stem_file("scenarios", stem, f"{file}: scenarios")
                scenarios.append(read_scenario(scenario, catalogue, own.form))
        return scenarios, WordingDesign(form=own.form) if own.form else None


MEASURING: Measuring = Conversations()
