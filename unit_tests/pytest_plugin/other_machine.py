"""Another machine, as far as one machine can play it: a folder with a package, an interpreter and an environment of its own.

It is reached by a program called ``ssh`` that starts the command there, where the system allows it in a network
namespace of its own: 127.0.0.1 is then another one, and nothing of this machine can be reached.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from bench_project import CHECKOUT, NO_FOREIGN_PLUGINS, BenchProject

from independence_bench.suite_folder import PACKAGED_SUITE

INSTALLED = ("--pyargs", PACKAGED_SUITE)
NO_NAMESPACE = "a network namespace needs root and unshare; the rest of this file plays the other machine without"


@cache
def has_namespaces() -> bool:
    """Whether a network namespace can be made here."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return False
    return subprocess.run(["unshare", "--net", "ip", "link", "set", "lo", "up"], capture_output=True).returncode == 0


class OtherMachine:
    """A machine called ``NAME`` that ssh reaches."""

    def __init__(self, folder: Path, name: str = "one.example", apart: bool = False) -> None:
        self.name = name
        self.folder = folder / name
        self.home = self.folder / "home"
        self.package = self.folder / "site" / "independence_bench"
        self.home.mkdir(parents=True)
        # With its bytecode, which stays valid: copies keep their times.
        shutil.copytree(CHECKOUT / "plugin" / "independence_bench", self.package)
        cached = ""
        if sys.pycache_prefix is not None:  # it is elsewhere
            cached = f'PYTHONPYCACHEPREFIX="{sys.pycache_prefix}"'
            bytecode, package = Path(sys.pycache_prefix), self.package.relative_to("/")
            known = bytecode / CHECKOUT.relative_to("/") / "plugin" / "independence_bench"
            shutil.copytree(known, bytecode / package, dirs_exist_ok=True)
        for part in ("configs", "bench_tests"):
            shutil.copytree(CHECKOUT / part, self.package / part)
        self.python = self._script("python", f'PYTHONPATH="{self.package.parent}" exec "{sys.executable}" "$@"')
        enter = "unshare --net sh -c 'ip link set lo up; exec \"$@\"' sh" if apart else ""
        clean = f'env -i PATH="$PATH" HOME="{self.home}" {cached}'
        self._script("login", f'cd "{self.home}"; exec {enter} {clean} sh -c "$1"')

    def _script(self, name: str, line: str) -> Path:
        script = self.folder / name
        script.write_text(f"#!/bin/sh\n{line}\n")
        script.chmod(0o755)
        return script

    @property
    def tx(self) -> str:
        """What ``--tx`` calls it."""
        return f"ssh=me@{self.name}//python={self.python}"

    def change(self, file: str, old: str, new: str) -> None:
        """Change a file of its package."""
        path = self.package / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


def make_reachable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an ``ssh`` on the path that reaches the machines in a folder."""
    ssh = folder / "bin" / "ssh"
    ssh.parent.mkdir()
    # ssh -C [-F FILE] USER@HOST COMMAND
    ssh.write_text(
        '#!/bin/sh\nfor last; do before=${now-}; now=$last; done\n'
        f'exec "{folder}/${{before#*@}}/login" "$last"\n'
    )  # fmt: skip
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{ssh.parent}{os.pathsep}{os.environ['PATH']}")


def run_with(project: BenchProject, *options: str, suite: tuple[str, ...] = INSTALLED) -> pytest.RunResult:
    """Run a session whose workers are given in ``options``; each finds the suite in the package that it has."""
    arguments = project.arguments("--dist=load", *NO_FOREIGN_PLUGINS, *options)[1:]
    return project.pytester.runpytest_inprocess(*suite, *arguments)
