"""On a machine without a browser CI tries to install one; what it cannot test it says loudly."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / ".ci" / "browser"
NEEDED = ("bash", "dirname", "env", "id", "timeout")


@pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason="it is a script of bash")
def test_without_a_browser_and_a_package_mirror_nothing_is_tested_and_that_is_said(tmp_path: Path) -> None:
    for name in NEEDED:
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    for name in ("apt-get", "sudo", "python"):  # the mirror does not answer, and no Python may be started
        (tmp_path / name).write_text(f"#!{shutil.which('bash')}\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["bash", SCRIPT, tmp_path / "python"], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "NOT TESTED: the viewer" in done.stderr
