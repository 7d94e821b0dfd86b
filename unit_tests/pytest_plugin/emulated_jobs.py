"""GitHub's jobs, as far as our action and the matrix example use them, each in an empty folder.

Shell steps run as they are written; caches are folders with a key and the ref that saved them; conditions and expressions
are evaluated. What installs, checks out or lints is left out: the Python is the test's, with the package as a wheel has it.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from bench_project import CHECKOUT

_TOKEN = re.compile(r"'[^']*'|&&|\|\||==|!=|!|\(|\)|[\w.-]+(?:\(\))?|\s+")
_OPERATORS = {"&&": " and ", "||": " or ", "==": "==", "!=": "!=", "!": " not ", "(": "(", ")": ")"}

Values = Mapping[str, str]


def evaluate(expression: str, values: Values) -> Any:
    """Return an expression's value; a name that is in no table is empty, as there."""
    words = []
    for token in _TOKEN.findall(expression):
        if token in _OPERATORS or token.isspace() or token.startswith("'"):
            words.append(_OPERATORS.get(token, token))
        else:
            words.append("True" if token == "always()" else repr(values.get(token, "")))
    return eval("".join(words).strip(), {"__builtins__": {}})


def filled(text: Any, values: Values) -> str:
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(evaluate(found[1], values) or ""), str(text))


@dataclass
class Cache:
    """Saved folders, each with its key and the ref whose jobs may read it."""

    folder: Path
    entries: list[tuple[str, str]] = field(default_factory=list)  # key, ref; the newest last

    def restore(self, place: Path, given: Values, refs: list[str]) -> str | None:
        """Lay the entry that GitHub would choose into a job's folder; return its key."""
        for ref in dict.fromkeys(refs):
            for prefix in (given["key"], *given.get("restore-keys", "").split()):
                for number, (key, of) in reversed(list(enumerate(self.entries))):
                    if of == ref and key.startswith(prefix):
                        shutil.copytree(self.folder / str(number), place / given["path"], dirs_exist_ok=True)
                        return key
        return None

    def save(self, place: Path, given: Values, ref: str) -> None:
        """Keep a folder, unless there is none or its key is taken, which is no failure."""
        if (place / given["path"]).exists() and (given["key"], ref) not in self.entries:
            shutil.copytree(place / given["path"], self.folder / str(len(self.entries)))
            self.entries.append((given["key"], ref))

    def newest(self, prefix: str) -> Path:
        return self.folder / str(max(n for n, (key, _) in enumerate(self.entries) if key.startswith(prefix)))


@dataclass
class Job:
    """How one job ended, and its folder."""

    place: Path
    failed: bool = False
    ran: list[str] = field(default_factory=list)  # names of its steps, or what they use
    log: str = ""


@dataclass
class GitHub:
    """A repository on GitHub: its caches and artifacts, and a runner with nothing in it."""

    folder: Path
    environment: dict[str, str]
    jobs: int = 0

    def __post_init__(self) -> None:
        self.cache = Cache(self.folder / "caches")
        self.artifacts = self.folder / "artifacts"
        self.packages = self.folder / "packages"
        package = self.packages / "independence_bench"
        package.mkdir(parents=True)
        for part in (CHECKOUT / "plugin" / "independence_bench").iterdir():
            if part.name != "__pycache__":
                (package / part.name).symlink_to(part)
        for part in ("configs", "bench_tests"):  # as in the wheel
            (package / part).symlink_to(CHECKOUT / part)

    def run(self, steps: list[dict[str, Any]], values: Values, place: Path | None = None, **environment: str) -> Job:
        """Run a job's steps. A step that fails is the last, except for those that always run."""
        self.jobs += 1
        job = Job(place or self.folder / f"job-{self.jobs}")
        job.place.mkdir(exist_ok=True)
        values = dict(values)
        ref = values["github.head_ref"] or values["github.ref_name"]
        refs = [ref, values["github.base_ref"] or ref, values["github.event.repository.default_branch"]]
        for step in steps:
            condition = str(step.get("if", "")).removeprefix("${{").removesuffix("}}")
            if (job.failed and "always()" not in condition) or (condition and not evaluate(condition, values)):
                continue
            job.ran.append(step.get("name") or step.get("uses") or step["run"])
            given = {name: filled(text, values) for name, text in step.get("with", {}).items()}
            match step.get("uses", "").partition("@")[0]:
                case "actions/cache/restore":
                    self.cache.restore(job.place, given, refs)
                case "actions/cache/save":
                    self.cache.save(job.place, given, ref)
                case "actions/upload-artifact":
                    kept = self.artifacts / given["name"]
                    shutil.rmtree(kept, ignore_errors=True)
                    kept.mkdir(parents=True)
                    path = job.place / given["path"]
                    if path.is_dir():
                        shutil.copytree(path, kept, dirs_exist_ok=True)
                    else:
                        shutil.copy(path, kept)
                case "actions/download-artifact":
                    shutil.copytree(self.artifacts, job.place / given["path"])
                case "" if "pip install" not in step["run"]:
                    self._shell(job, step, values, environment)
        return job

    def _shell(self, job: Job, step: Mapping[str, Any], values: dict[str, str], environment: Values) -> None:
        output = job.place.parent / f"output-{self.jobs}"
        output.write_text("")
        own = {name: filled(text, values) for name, text in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=job.place,
            env={
                "PATH": os.pathsep.join(
                    [str(self.folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
                ),
                "HOME": str(self.folder),
                "PYTHONPATH": str(self.packages),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
                **self.environment,
                **environment,
                **own,
            },
            capture_output=True,
            text=True,
        )
        job.log += f"{step['run']}\n{done.stdout}{done.stderr}"
        job.failed = job.failed or done.returncode != 0
        if name := step.get("id"):
            values[f"steps.{name}.outcome"] = "failure" if done.returncode else "success"
            for line in output.read_text("utf-8").splitlines():
                key, _, value = line.partition("=")
                values[f"steps.{name}.outputs.{key}"] = value


def described(name: str) -> dict[str, Any]:
    """Return a file of ``.github``."""
    content: dict[str, Any] = yaml.safe_load((CHECKOUT / ".github" / name).read_text("utf-8"))
    return content
