"""A server that reports whatever it likes of what it charges, over workers, retries, reruns, kills and resumed sessions.

No session's calls cost more at list price than its --max-cost, whatever is reported.
"""

import json
import shutil
import signal
import time
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import pytest
from attacked_work import CHECKOUT, assert_ended_clearly, fresh
from forge import SIGNAL, Fault, Forge, some
from model_server import Answer, Body, ModelServer, Told, error, says, verdict
from test_chat_money import ABSENT, NONSENSE

from independence_bench.chat.prices import Price

pytestmark = [pytest.mark.external, pytest.mark.slow]
PARTS = range(2)
MODEL = (
    "{{label: test/paid, id: test/paid, endpoint: paid, max_tokens: {most}, price_in: {prompt}, price_out: {answer}}}"
)


class Shop:
    """Charges at list price, and counts it; of each call it reports what chance says."""

    def __init__(self, random: Random) -> None:
        self.price = Price(*random.choice([(5, 30), (30, 5), (1, 100), (30, 0), (0, 30)]))
        self.most = random.choice([30, 200])
        self.served_usd, self._calls = 0.0, 0
        self._random, self._honest, self._lock = random, random.random() / 2, Lock()

    def charging(self, answer: Answer) -> Answer:
        def charged(body: Body) -> Told:
            with self._lock:
                self._calls += 1
                number, bad = self._calls, self._random.random() < 0.1
                prompt = 20 + sum(len(str(message.get("content")).split()) for message in body["messages"])
                completion = 0 if bad else self._random.randint(1, self.most)
                self.served_usd += self.price.of(prompt, completion)
                usage = self._report(prompt, completion)
            status, told = error(500)(body) if bad else answer(body)
            return status, json.loads(json.dumps(told).replace("so often", f"{number} times")) | {"usage": usage}

        return charged

    def _report(self, prompt: int, completion: int) -> Body:
        true = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
        reported = {name: self._told(number, [ABSENT, 0, *NONSENSE]) for name, number in true.items()}
        costs = [ABSENT, ABSENT, 0, 1e-300, 1e-9, 1.7e308, *NONSENSE]
        reported["cost"] = self._told(self.price.of(prompt, completion), costs)
        return {name: number for name, number in reported.items() if number is not ABSENT}

    def _told(self, true: float, otherwise: list[Any]) -> Any:
        return true if self._random.random() < self._honest else self._random.choice(otherwise)


@pytest.mark.parametrize("part", PARTS)
def test_no_session_spends_more_than_its_limit_whatever_is_reported_or_killed(
    forge: Forge, tmp_path: Path, served: ModelServer, part: int
) -> None:
    shutil.copytree(CHECKOUT / "bench_tests", tmp_path / "p" / "bench_tests", ignore=shutil.ignore_patterns("__*__"))
    (tmp_path / "p" / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "p" / "configs").mkdir()
    for seed in some(range(part, 2000, len(PARTS)), part, 8):
        random = Random(seed)
        shop, folder = Shop(random), fresh(tmp_path / "p", tmp_path / "attacked")
        served.generate, served.judge = (
            shop.charging(says("I am someone; I said it so often.")),
            shop.charging(verdict()),
        )
        model = MODEL.format(most=shop.most, prompt=shop.price.prompt, answer=shop.price.completion)
        (folder / "configs" / "models.yaml").write_text(f"models: [{model}]")
        (folder / "configs" / "judges.yaml").write_text(
            f"judges: [{model.replace('label: test/paid', 'model: test/judge')}]"
        )
        url = f"{{name: paid, base_url: '{served.url}', attempts: 3}}"
        (folder / "configs" / "endpoints.yaml").write_text(f"endpoints: [{url}]")
        limit = random.choice([0.02, 0.05, 0.2])
        words = ("pytest", "bench_tests", "--model=test/paid", "--judge=test/judge", f"--max-cost={limit}", "--runs=2",
                 "-k", "creativity or praise or social-proof", f"--reruns={random.randint(0, 1)}", "--concurrency=8",
                 f"-n{random.choice([0, 0, 2])}")  # fmt: skip
        for session in range(1, 4):
            kill = Fault(what=SIGNAL, value=signal.SIGKILL, nth=random.choice([0, random.randint(1, 120)]))
            told = forge.run(folder, words, kill, below=folder / "reports")
            if told.status != -signal.SIGKILL:
                assert_ended_clearly(told, f"seed {seed}")
            until = time.monotonic() + 20
            while served.in_flight.total() and time.monotonic() < until:
                time.sleep(0.05)
            assert shop.served_usd <= session * limit + 1e-9, (
                f"seed {seed}: ${shop.served_usd:.4f} after {session} sessions of ${limit}: {' '.join(words)}"
            )
