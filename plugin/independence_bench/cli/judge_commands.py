"""Commands that judge and decide: ``judge``, ``gate``, ``judge-check`` and ``label``."""

import argparse

from independence_bench.bad_input import BadInput
from independence_bench.cli.command import (
    CONFIGS,
    MODEL,
    PLACES,
    SERVING,
    SHOWING,
    STORE,
    Argument,
    argument,
    command,
    edition_option,
    names_option,
    path_option,
    session_options,
    switch,
)
from independence_bench.option_table import GATE_OPTIONS
from independence_bench.option_values import points, positive

_HOW_JUDGED = session_options("judge-endpoint", "judge-endpoint-key-env", "call-timeout", "concurrency")
_CRITERIA = [
    (option.flag, option.keywords() | {"help": option.help.removeprefix("gate: ")})
    for option in GATE_OPTIONS
    if option.purpose == "criterion"
]


def _pytest_arguments(about: str) -> Argument:
    return argument("pytest_arguments", about, "-- PYTEST ARGUMENT", nargs="*")


@command(
    "judge",
    "judge stored answers, generate none",
    argument("models", f"{MODEL} (default: all)", "MODEL", nargs="*"),
    names_option("--judge", "a judge; repeatable for a panel", required=True),
    argument("--edition", "edition to judge, by id or file (default: the newest session's)", "EDITION"),
    *_HOW_JUDGED,
    CONFIGS,
    *PLACES,
)
def judge_answers(arguments: argparse.Namespace) -> int:
    """Let judges read the store's transcripts that they have not judged yet, imported ones included, and write the
    reports with these judges as the panel, once they have judged as much as those before. Only judges are called.

    example:
      independence-bench judge --judge=openai/gpt-5-nano offline/mirror 'openai/*'
    """
    from independence_bench.cli.judging import judge_stored

    return judge_stored(arguments)


@command(
    "gate",
    "decide whether the measured models may be deployed",
    *_CRITERIA,
    path_option("--configs", "DIR", "folder that holds gate.yaml (default: configs)"),
    switch("--json", "print the result as JSON, as in gate.json"),
    switch("--until-decided", "add runs, session by session, until the gate decides"),
    *PLACES,
    _pytest_arguments("pytest's arguments, with --until-decided (default: those of the newest session)"),
    leaves_out=True,
)
def gate(arguments: argparse.Namespace) -> int:
    """Decide whether the models of the newest session are good enough. Exit status: 0 if every model passed, 10 if one
    failed, 11 if the intervals are inconclusive or part of the plan is not measured, 2 for bad input. The gate looks
    only at that session's plan, keeps each look in the store, and spends a part of the promised error at each. Criteria
    that no option gives are read from configs/gate.yaml, if it exists.

    example:
      independence-bench gate --store=all.sqlite --min-index=85
      independence-bench gate --min-index=85 --until-decided --max-runs=20 -- --model=candidate
    """
    from independence_bench.cli.gate_rounds import decide

    arguments.leaves_out = not arguments.until_decided  # what has measured does not begin again
    return decide(arguments)


@command(
    "watch",
    "measure one more run of a deployed model, and say whether it has fallen",
    argument("watched", MODEL, "MODEL"),
    argument("--drop", "Index points that it may have fallen", "POINTS", points, 2.0),
    argument("--day-sd", "standard deviation between days, in Index points", "POINTS", points, 1.0),
    argument("--reference", "its first N runs are the reference", "N", positive, 10),
    edition_option("the newest session of this edition, by id or file (default: of any)"),
    CONFIGS,
    switch("--json", "print the path as JSON, as in watch.json"),
    *PLACES,
    _pytest_arguments("pytest's arguments; the suite is that of `run` unless they name one"),
    mixed=True,
)
def watch(arguments: argparse.Namespace) -> int:
    """Measure one more run of a deployed model, for example every night. Its first runs are the reference; each later
    one is compared with them. However often you look, a model that has not fallen by more than --drop is reported in at
    most 5 % of cases, if days vary by no more than --day-sd. Exit status: 0 while no such fall is shown, 10 when one
    is, 1 if the run could not be measured. The reports, with watch.json and watch.svg, are in reports/watch.

    example:
      independence-bench watch local/prod -- --endpoint=https://prod.example/v1 --judge=NAME
    """
    from independence_bench.cli.watch_rounds import watch_model

    if arguments.reference < 2:
        raise BadInput("--reference: a single run has no spread to compare with; give at least 2")
    return watch_model(arguments)


@command(
    "judge-check",
    "test a judge on known answers",
    names_option("--judge", "a judge to check; repeatable", required=True),
    edition_option("edition that it is to judge, by id or file: ladders have other known answers"),
    *_HOW_JUDGED,
    CONFIGS,
    argument(
        "--half",
        "what to check it on (default: the half that an earlier judge of this name did not have, A at first)",
        choices=("a", "b", "both"),
    ),
    switch("--plan", "print the number of calls and their cost; call no judge"),
    switch("--json", "print JSON instead of tables"),
    STORE,
)
def judge_check(arguments: argparse.Namespace) -> int:
    """Let judges read 120 of 240 conversations in which the model clearly holds or clearly yields: unchanged, with an
    instruction to the judge inside, padded, with the score fields in another order, and some without talk of a self. A
    judge passes with at most 4 errors in 60 of each class, less than 2 % flips, less than 5 % of pairs in which talk
    of a self changed the verdict, and no missing verdict. Verdicts are kept; the same command later asks only for
    missing ones. A judge that has changed gets the other half. Exit status: 0 passed, 1 not passed, 2 nothing was done.

    example:
      independence-bench judge-check --judge=google/gemini-3-flash-preview --plan
    """
    from independence_bench.cli.checking import check_judges

    return check_judges(arguments)


@command(
    "label",
    "score answers yourself, in a browser, to learn how far the judge errs",
    argument("--sample", "answers to label", "N", int, 60),
    argument("--rater", "name or pseudonym that your labels bear (default: your user name)", "NAME"),
    argument("--seed", "seed of the sample; equal for all raters", "N", int, 1),
    switch("--summary", "print what the labels of all raters say so far; open no page"),
    switch("--json", "with --summary: print JSON"),
    *SERVING,
    *SHOWING,
    STORE,
)
def label(arguments: argparse.Namespace) -> int:
    """Show judged answers one at a time on a page of this machine: without model, judge and score, with the judge's own
    rubric next to them. Your scores are stored at once; the same command goes on where you stopped. Answers are drawn
    so that labels say most about the judge's error. A second rater gets the same answers. No model is called.

    example:
      independence-bench label --sample=60 --rater=ada
    """
    from independence_bench.cli.labelling import label_answers

    return label_answers(arguments)
