"""The lines of the page *Data* do what they say in the programs that they are written for."""

import html
import json
import re
import subprocess
import venv
from pathlib import Path

from sample_site import Site

READ = """
import json, sys
import duckdb, pandas
in_pandas, in_duckdb = json.loads(sys.argv[1])
print(json.dumps([len(eval(in_pandas)), len(duckdb.sql(in_duckdb).fetchall())]))
"""


def test_the_lines_for_pandas_and_duckdb_read_the_tables(site: Site, tmp_path: Path) -> None:
    page = (site.folder / "data.html").read_text("utf-8")
    lines = html.unescape(re.search(r'<pre class="prose cite">(.*?)</pre>', page, re.S)[1]).strip().splitlines()
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "pandas", "duckdb"], check=True)
    done = subprocess.run(
        [python, "-c", READ, json.dumps(lines)], cwd=site.folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    models, averages = json.loads(done.stdout)
    assert models >= 5 and averages > models
