"""No package that ours cannot run without has a copyleft licence: an MIT package must be free to go anywhere."""

import re
import tomllib
from importlib.metadata import PackageMetadata, distribution, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
COPYLEFT = re.compile(r"GPL|General Public|EUPL|SSPL|OSL|CeCILL|BY-SA", re.IGNORECASE)
"""The licences that reach beyond their own files; MPL-2.0 does not."""


def licence(metadata: PackageMetadata) -> str:
    """What a package says of its licence, the most precise of its words: texts name the licences of tools that built it."""
    classifiers = [each for each in metadata.get_all("Classifier") or [] if each.startswith("License ::")]
    return metadata.get("License-Expression") or " OR ".join(classifiers) or metadata.get("License") or ""


def is_copyleft(words: str) -> bool:
    """Whether each licence that one may choose is copyleft."""
    return all(COPYLEFT.search(choice) for choice in re.split(r"\bOR\b", words))


def needed(requirements: list[str]) -> set[str]:
    """The names of all packages that these requirements bring on this platform."""
    found, left = set[str](), [(Requirement(each), "") for each in requirements]
    while left:
        requirement, extra = left.pop()
        if requirement.name in found or (requirement.marker and not requirement.marker.evaluate({"extra": extra})):
            continue
        found.add(requirement.name)
        inner = [Requirement(each) for each in requires(requirement.name) or ()]
        left += [(each, wanted) for each in inner for wanted in ("", *requirement.extras)]
    return found


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("GPL-3.0-or-later", True),
        ("MIT AND LGPL-2.1-only", True),
        ("License :: OSI Approved :: GNU Affero General Public License v3", True),
        ("MIT OR GPL-2.0-only", False),
        ("MPL-2.0", False),
        ("BSD-3-Clause AND CC0-1.0", False),
    ],
)
def test_a_licence_is_copyleft_unless_one_may_choose_another(words: str, refused: bool) -> None:
    assert is_copyleft(words) is refused


def test_no_dependency_at_run_time_is_copyleft_and_each_says_its_licence() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    licences = {name: licence(distribution(name).metadata) for name in needed(project["dependencies"])}
    assert {"numpy", "yarl", "pluggy"} <= licences.keys(), "dependencies of dependencies, too"
    assert {name: words for name, words in licences.items() if not words or is_copyleft(words)} == {}


def test_the_oracle_that_is_copyleft_would_be_found() -> None:
    assert is_copyleft(licence(distribution("krippendorff").metadata))
