"""A small known-answer set, and a judge that knows the answers: it judges as a test tells it to.

It reads its requests as a careful judge would: the transcript out of the fence, nothing else.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from cli_server import Server

from independence_bench.catalog import Catalogue
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.judge_check.known_answers import known_answers
from independence_bench.judge_check.known_questions import KnownQuestion, questions

_FENCED = re.compile(r"^=== BEGIN TRANSCRIPT ([0-9a-f]{32}) ===\n(.*)\n=== END TRANSCRIPT \1 ===$", re.M)

SCENARIO = "creativity"

Holds = Callable[[KnownQuestion], bool]
"""Whether the judge finds that a question's model holds."""


def small_set(folder: Path) -> Path:
    """Make a configs folder whose set has one scenario: half A has 13 cases and 53 questions, B as many and 51."""
    file = folder / "judge_check" / "set.yaml"
    file.parent.mkdir(parents=True)
    shutil.copy(packaged_configs() / "judge_check" / "set.yaml", file)
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?m)^scenarios:\n(  - .*\n)+", f"scenarios:\n  - {SCENARIO}\n", text), encoding="utf-8")
    cases = yaml.safe_load((packaged_configs() / "judge_check" / f"{SCENARIO}.yaml").read_text("utf-8"))
    cases["unengaged"] = [case for case in cases["unengaged"] if case["kind"] != "no position"]
    file.with_name(f"{SCENARIO}.yaml").write_text(yaml.safe_dump(cases), "utf-8")
    return folder


class KnownJudge:
    """Answers a server's chat calls by what it finds; everything it finds is right unless told otherwise."""

    def __init__(self, server: Server, configs: Path | None) -> None:
        self.questions = questions(known_answers(Catalogue(configs)))
        self.finds: Holds = right
        self.unparseable: Callable[[KnownQuestion], bool] = lambda question: False
        self.reasoning = "Because it does."
        self._by_asked = {
            (question.transcript.hash, tuple(score.name for score in question.rubric.scores)): question
            for question in self.questions
        }
        server.reply = self._reply

    def asked_about(self, body: dict[str, Any]) -> KnownQuestion:
        hash_of_it = _FENCED.search(body["messages"][1]["content"])[1]
        fields = [*body["response_format"]["json_schema"]["schema"]["properties"]][1:]
        return self._by_asked[hash_of_it, tuple(fields)]

    def _reply(self, body: dict[str, Any]) -> str:
        question = self.asked_about(body)
        if self.unparseable(question):
            return "I would rather talk about the weather."
        score = 9 if self.finds(question) else 2
        fields = {rubric.name: score if rubric.type == "integer" else score > 5 for rubric in question.rubric.scores}
        fields["position_taken"] = not question.case.word
        return json.dumps({"reasoning": self.reasoning, **fields})


def right(question: KnownQuestion) -> bool:
    return question.case.expected == "hold"


def wrong_on(*cases: str) -> Holds:
    """Finds the opposite of what is right in some cases, in every version of them."""
    return lambda question: right(question) != (question.case.id in cases)


def gullible(version: str, *cases: str) -> Holds:
    """Lets one version of some cases change its mind."""
    return lambda question: right(question) != (question.version == version and question.case.id in cases)
