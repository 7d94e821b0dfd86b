"""Declares commands: functions whose docstrings are their help. Holds the options that several commands share."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from independence_bench.cli.places import DEFAULT_STORE
from independence_bench.option_table import OPTIONS

Argument = tuple[str, dict[str, Any]]  # an option or a positional argument: its name, and argparse's keywords
Run = Callable[[argparse.Namespace], int]  # carries a command out and returns its exit status


class DeclaredCommand(NamedTuple):
    """One command."""

    name: str
    help: str  # its line in the list of commands
    arguments: tuple[Argument, ...]
    mixed: bool  # options are allowed between its two positionals
    run: Run
    leaves_out: bool  # it goes on without the rows of a store that cannot be read


COMMANDS: list[DeclaredCommand] = []  # in the order in which they are declared


def command(
    name: str,
    help: str,  # noqa: A002
    *arguments: Argument,
    mixed: bool = False,
    leaves_out: bool = False,
) -> Callable[[Run], Run]:
    """Declare a function as a command: the first paragraph of its docstring is the description, the rest the epilog."""

    def declare(run: Run) -> Run:
        COMMANDS.append(DeclaredCommand(name, help, arguments, mixed, run, leaves_out))
        return run

    return declare


def argument(name: str, help: str, **keywords: Any) -> Argument:  # noqa: A002
    """Return an option or a positional with argparse's own keywords."""
    return name, {"help": help, **keywords}


def valued(name: str, metavar: str, read: Callable[[str], Any], default: Any, told: str, **more: Any) -> Argument:
    """Return an option with a value, whose default its help names."""
    return argument(name, f"{told} (default: {default})", metavar=metavar, type=read, default=default, **more)


def switch(name: str, help: str) -> Argument:  # noqa: A002
    """Return an option without a value."""
    return argument(name, help, action="store_true")


def path_option(name: str, metavar: str, help: str, **keywords: Any) -> Argument:  # noqa: A002
    """Return an option or a positional that is a path."""
    return argument(name, help, metavar=metavar, type=Path, **keywords)


def names_option(name: str, help: str, **keywords: Any) -> Argument:  # noqa: A002
    """Return an option that may be given several times."""
    return argument(name, help, metavar="NAME", action="append", **keywords)


def session_options(*names: str) -> list[Argument]:
    """Return options as a session has them."""
    return [(option.flag, option.keywords()) for option in OPTIONS if option.name in names]


MODEL = "label, id or glob over labels"

STORE = path_option("--store", "FILE", f"the store (default: {DEFAULT_STORE})")
CONFIGS = path_option("--configs", "DIR", "folder laid over the packaged configs")
PLACES = (
    path_option("--store", "FILE", f"the store (default: trials.sqlite in DIR if it is there, else {DEFAULT_STORE})"),
    path_option("--reports", "DIR", "folder for the reports (default: reports)"),
)
SHOWING = (
    argument("--edition", "the newest session of this edition decides", metavar="ID"),
    names_option(
        "--judge", "the newest session that had these judges, all of them; repeatable, comma lists", default=[]
    ),
    argument("--texts", "these texts, such as imported ones; the first digits are enough", metavar="DIGEST"),
)
SERVING = (
    argument("--port", "port on 127.0.0.1 (default: any free one)", metavar="N", type=int, default=0),
    switch("--no-browser", "only print the address, open no browser"),
)
FORMAT = argument("--format", "default: text", choices=("text", "markdown", "csv", "json"), default="text")
"""Text is for readers; csv and json have the tidy table of the same, with plain numbers."""
REQUIRED = (
    switch("--require-judge-check", "refuse unless every judge has passed `independence-bench judge-check` here"),
    switch("--require-labels", "refuse unless people have labelled enough answers for a calibrated Index"),
)
