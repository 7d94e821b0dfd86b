"""Declares commands: functions whose docstrings are their help. Holds the options that several commands share."""

import argparse
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

from independence_bench.cli.parser import COMMANDS
from independence_bench.cli.places import DEFAULT_STORE, edition_id
from independence_bench.option_table import OPTIONS

Argument = tuple[str, dict[str, Any]]  # an option or a positional argument: its name, and argparse's keywords
Read = Callable[[str], object]  # turns the words of an option into its value
Run = Callable[[argparse.Namespace], int]  # carries a command out and returns its exit status


def command(
    name: str, about: str, *arguments: Argument, mixed: bool = False, verbatim: bool = False, leaves_out: bool = False
) -> Callable[[Run], Run]:
    """Declare a function as a command: the first paragraph of its docstring is the description, the rest the epilog.

    ``mixed``: options are allowed between its two positionals; ``verbatim``: it reads all words itself;
    ``leaves_out``: it goes on without the rows of a store that cannot be read.
    """

    def declare(run: Run) -> Run:
        description, _, epilog = (run.__doc__ or "").partition("\n\n")
        summary = " ".join(description.split())
        texts: dict[str, Any] = {"help": about, "description": summary, "epilog": dedent(epilog).rstrip()}
        own = COMMANDS.add_parser(name, mixed=mixed, verbatim=verbatim, **texts)
        for flag, keywords in arguments:
            own.add_argument(flag, **keywords)
        own.set_defaults(run=run, leaves_out=leaves_out, leaving_out=False)
        return run

    return declare


def argument(
    name: str, about: str, metavar: str | None = None, read: Read | None = None, default: object = None, **keywords: Any
) -> Argument:
    """Return an option or a positional with argparse's own keywords; its help ends with its default, if it has one."""
    if default is not None and "default:" not in about:
        about += " (default: %(default)s)"
    return name, {"help": about, "metavar": metavar, "type": read, "default": default, **keywords}


def switch(name: str, about: str) -> Argument:
    """Return an option without a value."""
    return name, {"help": about, "action": "store_true"}


def path_option(name: str, metavar: str, about: str, **keywords: Any) -> Argument:
    """Return an option or a positional that is a path."""
    return argument(name, about, metavar, Path, **keywords)


def names_option(name: str, about: str, required: bool = False) -> Argument:
    """Return an option that may be given several times."""
    return name, {"help": about, "metavar": "NAME", "action": "append", "required": required, "default": []}


def edition_option(about: str) -> Argument:
    """Return the option that names an edition."""
    return argument("--edition", about, "EDITION", edition_id)


def format_option(*forms: str) -> Argument:
    """Return the choice between these forms of output, of which the first is the default."""
    return argument("--format", f"default: {forms[0]}", choices=forms, default=forms[0])


def session_options(*names: str) -> list[Argument]:
    """Return options as a session has them."""
    return [(option.flag, option.keywords()) for option in OPTIONS if option.name in names]


MODEL = "label, id or glob over labels"
ONE_MODEL = argument("model", MODEL, "MODEL")

STORE = path_option("--store", "FILE", f"the store (default: {DEFAULT_STORE})")
CONFIGS = path_option("--configs", "DIR", "folder laid over the packaged configs")
PLACES = (
    path_option("--store", "FILE", f"the store (default: trials.sqlite in DIR if it is there, else {DEFAULT_STORE})"),
    path_option("--reports", "DIR", "folder for the reports (default: reports)"),
)
SHOWING = (
    edition_option("id or file: the newest session of this edition decides"),
    names_option("--judge", "the newest session that had these judges, all of them; repeatable, comma lists"),
    argument("--texts", "these texts, such as imported ones; the first digits are enough", "DIGEST"),
)
SERVING = (
    argument("--port", "port on 127.0.0.1 (default: any free one)", "N", int, 0),
    switch("--no-browser", "only print the address, open no browser"),
)
OF_SESSION = (path_option("of_session", "STORE", "the session's store; the same as --store", nargs="?"), STORE)
FORMAT = format_option("text", "markdown", "csv", "json")
"""Text and Markdown are for readers; csv and json have the tidy table of the same, with plain numbers."""
REQUIRED = (
    switch("--require-judge-check", "refuse unless every judge has passed `independence-bench judge-check` here"),
    switch("--require-labels", "refuse unless people have labelled enough answers for a calibrated Index"),
)
