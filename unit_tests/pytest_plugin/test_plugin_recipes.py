"""The recipes for clusters and other CI systems: their commands are run as they stand, or hold no unknown option."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bench_project import CHECKOUT, BenchProject
from docker.utils.build import exclude_paths

from independence_bench.cli import main

RECIPES = CHECKOUT / "docs" / "recipes"


def test_the_pods_of_the_job_are_all_parts_of_one_plan() -> None:
    job = yaml.safe_load((RECIPES / "kubernetes-job.yaml").read_text("utf-8"))["spec"]
    (pod,) = job["template"]["spec"]["containers"]
    (shard,) = re.findall(r"--shard=\$\(\(JOB_COMPLETION_INDEX \+ 1\)\)/(\d+)", pod["args"][0])

    assert (int(shard), job["completionMode"]) == (job["completions"], "Indexed")


def test_the_image_runs_the_suite_from_the_package() -> None:
    text = (RECIPES / "Containerfile").read_text("utf-8")

    assert (
        'ENTRYPOINT ["pytest", "-c", "/dev/null", "--rootdir=/work", "--pyargs", "independence_bench.bench_tests"]'
        in text
    )
    assert text.index("USER bench") < text.index("ENTRYPOINT")


PRIVATE = [
    ".env",
    ".env.local",
    ".env.production",
    "bench/.env",
    "configs/.env",
    "configs/.env.local",
    "plugin/.env",
    "bench_tests/.env.ci",
    ".git/config",
    ".netrc",
    "stores/1.sqlite",
    "runs/trials.sqlite",
    "reports/trials.sqlite",
    "reports/trials.sqlite-wal",
    "reports/slurm/1.sqlite",
    "all.sqlite",
    "base.jsonl",
    "configs/all.sqlite",
    "bench_tests/reports/trials.sqlite",
    "bench_tests/trials.rescued-1.jsonl",
    "public/results.jsonl",
    "public/viewer/index.html",
    "reports/LEADERBOARD.md",
    "reports/site/index.html",
    "litellm.yaml",
    "configs/litellm.yaml",
    "litellm.log",
    "litellm-venv/bin/python",
    ".venv/bin/python",
    "bench/venv/bin/python",
    "plugin/venv/bin/python",
    "mine/talk.yaml",
    "baseline/measured.jsonl",
    "base-reports/measured.jsonl",
    "watch.sqlite",
    "plugin/independence_bench/__pycache__/version.cpython-312.pyc",
    "configs/key.pem",
    "configs/production.env",
    "bench_tests/results.csv",
    "bench_tests/results/trials.parquet",
    "bench_tests/reports/leaderboard.json",
    "plugin/build/lib/independence_bench/version.py",
    "dist/independence_bench-0.1.0.tar.gz",
]
"""What the guides, and those who follow them, put into a checkout."""

WHEEL_KINDS = {".py", ".yaml", ".yml", ".html", ".js", ".css", ".json", ".md", ".svg", ".gz", ".typed"}
"""Of the files in the package and the folders that it includes."""


def test_an_images_build_gets_what_the_wheel_is_made_of_and_nothing_that_a_guide_puts_beside_it(tmp_path: Path) -> None:
    folders = [CHECKOUT / name for name in ("plugin", "configs", "bench_tests")]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in WHEEL_KINDS]
    needed = [str(file.relative_to(CHECKOUT)) for file in files] + [
        "pyproject.toml",
        "hatch_build.py",
        "README.md",
        "LICENSE",
    ]
    for name in (*needed, *PRIVATE):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    lines = (CHECKOUT / ".dockerignore").read_text("utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]

    sent = {name for name in exclude_paths(str(tmp_path), patterns) if (tmp_path / name).is_file()}

    assert len(needed) > 500
    assert sent == set(needed)


@pytest.mark.external
def test_the_tasks_of_the_array_measure_the_whole_plan_between_them(project: BenchProject) -> None:
    script = RECIPES / "slurm-array.sbatch"
    for task in ("1", "2"):
        environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME")},
            "PYTEST": f"{Path(sys.executable).parent}/pytest",
            "PYTHONPATH": str(CHECKOUT / "plugin"),
            "SLURM_ARRAY_TASK_ID": task,
            "SLURM_ARRAY_TASK_MIN": "1",
            "SLURM_ARRAY_TASK_COUNT": "2",
            "MODEL": "offline/steadfast",
            "RUNS": "1",
        }
        done = subprocess.run(["bash", script], cwd=project.path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    stores = [f"stores/{task}.sqlite" for task in (1, 2)]

    assert (
        main(
            ["merge", *(str(project.path / store) for store in stores), f"--store={project.path}/reports/trials.sqlite"]
        )
        == 0
    )
    assert project.count("transcripts") == 15
