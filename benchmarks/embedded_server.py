"""The embedded models behind HTTP, with a latency: ``python benchmarks/embedded_server.py --latency-ms=500``.

Every model's name is answered by ``offline/steadfast``. GET /stats counts the calls, POST /reset forgets them.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit_tests" / "chat"))

from fault_server import Asked, Behaviour, FaultServer, http

from independence_bench.offline.completion import completion


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency-ms", type=float, default=0.0)
    latency_s = parser.parse_known_args()[0].latency_ms / 1000
    server, at = FaultServer(), list[float]()

    def answer(asked: Asked) -> Behaviour:
        if asked.path.endswith("/reset"):
            at.clear()
            return http(body={})
        if asked.path.endswith("/stats"):
            span = at[-1] - at[0] + latency_s if at else 0.0
            return http(body={"total": len(at), "span_seconds": span, "errors": 0})
        at.append(asked.at)
        status, body = completion(json.dumps({**asked.body, "model": "offline/steadfast"}).encode())
        return http(status, body, delay_s=latency_s)

    server.answer = answer
    server.start()
    print(f"listening on {server.url}", flush=True)
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main()
