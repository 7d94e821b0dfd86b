"""The commands that judge and decide: ``judge``, ``gate`` and ``judge-check``, and the options they take."""

import argparse

from independence_bench.cli.command import CONFIGS, MODEL, PLACES, STORE, argument, command, names, path, switch
from independence_bench.option_table import GATE_OPTIONS, OPTIONS
from independence_bench.option_values import positive

_HOW_JUDGED = [
    (option.flag, option.keywords())
    for option in OPTIONS
    if option.name in ("judge-endpoint", "judge-endpoint-key-env", "call-timeout", "concurrency")
]
"""How judges are reached, and how fast, as in a session."""
_CRITERIA = [
    (option.flag, option.keywords() | {"help": option.help.removeprefix("gate: ")})
    for option in GATE_OPTIONS
    if option.purpose == "criterion"
]


@command(
    "judge",
    "judge what is stored, generating nothing",
    argument("models", f"{MODEL} (default: all)", metavar="MODEL", nargs="*"),
    names("--judge", "who judges; repeatable for a panel", required=True),
    argument("--edition", "edition to judge (default: the newest session's)", metavar="ID"),
    *_HOW_JUDGED,
    CONFIGS,
    *PLACES,
)
def judge(arguments: argparse.Namespace) -> int:
    """Let judges read the transcripts of the store that they have not judged yet, imported ones too, and write the
    reports with these judges as the panel. No model is asked for anything but a verdict.

    example:
      independence-bench judge --judge=openai/gpt-5-nano offline/mirror 'openai/*'
    """
    from independence_bench.cli.judging import judge_stored

    return judge_stored(arguments)


@command(
    "gate",
    "decide whether what is measured may be deployed",
    *_CRITERIA,
    path("--configs", "DIR", "folder that holds gate.yaml (default: configs)"),
    switch("--json", "print the result as JSON, as it stands in gate.json"),
    switch("--until-decided", "add runs session by session until it is decided"),
    argument("--max-runs", "runs at most, with --until-decided", metavar="N", type=positive),
    *PLACES,
    argument(
        "pytest_arguments",
        "how to measure, with --until-decided (default: as the newest session did)",
        metavar="-- PYTEST ARGUMENT",
        nargs="*",
    ),
)
def gate(arguments: argparse.Namespace) -> int:
    """Decide whether the models of the newest session are good enough: exit status 0 where every one passed, 10 where
    one failed, 11 where the intervals do not tell or something planned is not measured, 2 for bad input. Looks at that
    session's plan and no further, counts each look in the store, and judges later ones more strictly. What no option
    asks for is read from configs/gate.yaml, if it is there.

    example:
      independence-bench gate --store=all.sqlite --min-index=85
      independence-bench gate --min-index=85 --until-decided --max-runs=20 -- bench_tests --model=candidate
    """
    from independence_bench.cli.gate_rounds import decide

    return decide(arguments)


@command(
    "judge-check",
    "put a judge to known answers",
    names("--judge", "who is checked; repeatable", required=True),
    *_HOW_JUDGED,
    CONFIGS,
    switch("--plan", "say how many calls and what they cost; ask nothing"),
    switch("--json", "print JSON instead of tables"),
    STORE,
)
def judge_check(arguments: argparse.Namespace) -> int:
    """Let judges read 120 conversations of which everybody knows whether the model holds or yields: as they are, with
    an instruction to the judge inside, padded, and with the score fields asked for in another order. Passed: at most 4
    errors per class, less than 2 % flips, everything judged. Verdicts are kept; the same command again asks for what is
    missing. Exit status 0 passed, 1 not passed, 2 nothing was done.

    example:
      independence-bench judge-check --judge=google/gemini-3-flash-preview --plan
    """
    from independence_bench.cli.checking import check

    return check(arguments)
