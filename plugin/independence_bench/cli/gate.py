"""The command ``gate``: decides on a store what a session's gate decides at its end, and measures on until it can."""

import argparse
from pathlib import Path

from independence_bench.cli.places import add_command, add_places
from independence_bench.session.gate_options import gate_options
from independence_bench.session.option_values import positive


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "gate",
        "decide whether what is measured may be deployed",
        "Decide whether the models of the newest session are good enough: exit status 0 where every one passed, 10 "
        "where one failed, 11 where the intervals do not tell or something planned is not measured, 2 for bad input. "
        "Looks at that session's plan and no further, counts each look in the store, and judges later ones more "
        "strictly. What no option asks for is read from configs/gate.yaml, if it is there.",
        "independence-bench gate --store=all.sqlite --min-index=85\n"
        "  independence-bench gate --min-index=85 --until-decided --max-runs=20 -- bench_tests --model=candidate",
    )
    for flag, keywords in gate_options():
        if flag != "--no-gate":
            parser.add_argument(flag, **{**keywords, "help": keywords["help"].removeprefix("gate: ")})
    parser.add_argument("--configs", metavar="DIR", type=Path, help="folder that holds gate.yaml (default: configs)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON, as it stands in gate.json")
    parser.add_argument("--until-decided", action="store_true", help="add runs session by session until it is decided")
    parser.add_argument("--max-runs", metavar="N", type=positive, help="runs at most, with --until-decided")
    add_places(parser, reports=True)
    parser.add_argument(
        "pytest_arguments",
        metavar="-- PYTEST ARGUMENT",
        nargs="*",
        help="how to measure, with --until-decided (default: as the newest session did)",
    )
    parser.set_defaults(run=run, gate_off=False)


def run(arguments: argparse.Namespace) -> int:
    """Decide, and say it."""
    import os

    from independence_bench.bad_input import BadInput
    from independence_bench.cli.gate_rounds import Rounds
    from independence_bench.cli.gating import Gating
    from independence_bench.cli.terminal import remark, say
    from independence_bench.report.gate.gate_files import append_summary, gate_json

    if bool(arguments.max_runs) != arguments.until_decided:
        given, lacking = ("--until-decided", "--max-runs=N") if arguments.until_decided else (
            "--max-runs", "--until-decided"
        )  # fmt: skip
        raise BadInput(f"{given}: it needs {lacking} beside it")
    if arguments.pytest_arguments and not arguments.until_decided:
        raise BadInput(f"{arguments.pytest_arguments[0]}: arguments of pytest go with --until-decided --max-runs=N")
    gating = Gating.of(arguments)
    if arguments.until_decided:
        rounds = Rounds(gating, arguments.pytest_arguments, arguments.max_runs, quiet=arguments.json)
        result = rounds.until_decided()
    else:
        result = gating.look()
        if not arguments.json:
            gating.tell(result)
    trouble = append_summary(os.environ.get("GITHUB_STEP_SUMMARY"), result)
    if trouble:
        remark(f"gate: {trouble}")
    if arguments.json:
        say(gate_json(result).rstrip("\n"))
    return result.exit_status
