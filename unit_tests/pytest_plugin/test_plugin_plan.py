"""--plan says what would run and what it would cost; it asks nothing and writes nothing."""

import re

import pytest
from bench_project import BenchProject


@pytest.mark.parametrize(
    "options", [(), ("--model=openai/gpt-5-nano", "--judge=google/gemini-3-flash-preview")], ids=["", "no key is set"]
)
def test_a_plan_makes_no_call_writes_nothing_and_needs_no_key(project: BenchProject, options: tuple[str, ...]) -> None:
    before = project.files()

    result = project.run("--plan", "-v", *options)

    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes()
    assert project.server.calls() == (0, 0)
    assert project.files() == before
    assert not (project.path / ".pytest_cache").exists()
    result.stdout.fnmatch_lines(["edition v2, 1 run, judged by *", "15 trials, 41 calls to make"])
    result.stdout.fnmatch_lines(["No request was sent and nothing was written."])


def test_a_plan_counts_what_is_measured_and_what_is_left(project: BenchProject) -> None:
    project.run("-m", "stability")
    before = project.files()

    result = project.run("--plan")

    result.stdout.fnmatch_lines(["15 trials, 26 calls to make"])
    assert row_of(result, "test/model+") == ["15", "5", "16", "10", "unknown", "unknown"]
    project.run("--plan", "-m", "stability").stdout.fnmatch_lines(["5 trials, 0 calls to make"])
    result = project.run("--plan", "-m", "stability", "--judge=test/other")
    result.stdout.fnmatch_lines(["5 trials, 5 calls to make"])
    assert row_of(result, "test/model+") == ["5", "0", "0", "5", "0.0000", "unknown"]
    assert project.files() == before


def test_a_plan_counts_every_run_of_what_is_chosen(project: BenchProject) -> None:
    project.run("-m", "stability")
    direct = project.run("--collect-only", "-q", "--runs=2", "-k", "r2-direct").outlines[0]
    for chosen, trials in (
        ((), 45),
        (("-m", "stability"), 15),
        (("-k", "r2-creativity or r3-creativity"), 2),
        (("--shard=1/1",), 45),
        (("--runs=40",), 600),
        ((f"--deselect={direct}",), 44),
    ):
        result = project.run("--plan", "--runs=3", *chosen)

        result.stdout.fnmatch_lines([f"{trials} trials, * calls to make"])
        measured = "0" if trials == 2 else "5"
        assert row_of(result, "test/model+")[:2] == [str(trials), measured]
        assert trials != 600 or "collected 15 items" in result.stdout.str()


def test_a_plan_estimates_cost_from_list_prices_what_is_free_costs_nothing_and_one_unknown_makes_the_sum_unknown(
    project: BenchProject,
) -> None:
    project.write("configs/endpoints.yaml", PAID_ENDPOINT)
    project.write("configs/models.yaml", PRICED)

    result = project.run("--plan", "-k", "creativity", "--model=test/cheap,test/dear", "--judge=test/cheap")

    cheap, dear, both = (float(row_of(result, label)[4]) for label in ("test/cheap", "test/dear", "all"))
    assert cheap > 0.1
    assert dear == pytest.approx(cheap * 10, rel=0.01)
    assert both == pytest.approx(cheap + dear, abs=0.0002)
    free = project.run("--plan", "-k", "creativity", "--model=test/cheap,test/unpriced", "--judge=offline/lexical")
    assert row_of(free, "test/unpriced")[4:] == row_of(free, "all")[4:] == ["unknown", "0.0000"]
    assert re.fullmatch(r"\d+\.\d{4}", row_of(free, "test/cheap")[4])


PRICED = """
models:
  - {label: test/cheap, id: test/cheap, endpoint: paid, price_in: 100, price_out: 1000}
  - {label: test/dear, id: test/dear, endpoint: paid, price_in: 1000, price_out: 10000}
  - {label: test/unpriced, id: test/unpriced, endpoint: paid}
"""


PAID_ENDPOINT = """
endpoints:
  - {name: paid, base_url: "http://127.0.0.1:9/v1"}
"""


def row_of(result: pytest.RunResult, label: str) -> list[str]:
    """The cells of the plan's row for a label, without the label."""
    (line,) = [line for line in result.outlines if line.startswith(label)]
    return line.split()[1:]


def test_a_plan_rests_on_what_was_measured_before_and_says_whether_the_budget_suffices(project: BenchProject) -> None:
    url = project.server.url
    project.write("configs/endpoints.yaml", f"endpoints: [{{name: paid, base_url: '{url}'}}]")
    project.write("configs/models.yaml", PRICED)
    asked = ("-k", "creativity", "--model=test/cheap", "--judge=test/cheap")
    project.run(*asked)

    result = project.run("--plan", "-k", "creativity", "--model=test/cheap,test/dear", "--judge=test/cheap", "--runs=2",
                         "--max-cost=0.2")  # fmt: skip

    # A call of the server takes 100 and 20 tokens: 0.03 at the cheap price.
    assert row_of(result, "test/cheap")[2:] == ["2", "1", "0.0600", "0.0300"]
    assert row_of(result, "test/dear")[2:] == ["4", "2", "1.2000", "0.0600"]
    result.stdout.fnmatch_lines(
        [
            "The tokens of conversations of test/cheap rest on its own measurements.",
            "The tokens of conversations of test/dear rest on the mean of other models measured before "
            "that have a list price and do not reason.",
            "The tokens of verdicts rest on its own measurements.",
            "Budget: 0.2 US dollars for this session; about 1.3500 are needed: it pays for about 15 %*",
        ]
    )
