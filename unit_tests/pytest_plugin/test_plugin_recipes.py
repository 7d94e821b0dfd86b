"""The recipes for clusters and other CI systems: their commands are run as they stand, or hold no unknown option."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bench_project import CHECKOUT, BenchProject

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
