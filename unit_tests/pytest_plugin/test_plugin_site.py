"""``--site``: the viewer's pages at the end of a session."""

from bench_project import BenchProject
from model_server import error
from test_plugin_bad_input import refused


def test_site_is_written_at_the_end_of_a_session_and_named(project: BenchProject) -> None:
    result = project.run("-k", "creativity", "--site")

    assert (project.path / "reports/site/index.html").is_file()
    result.stdout.fnmatch_lines(["*reports/site/index.html"])


def test_an_edition_of_roles_has_a_site_of_its_own(project: BenchProject) -> None:
    asked = ("bench_tests", "--edition=roles-mini", "--model=offline/noise", "-k", "marie-curie", "--site")
    result = project.pytester.runpytest_inprocess(*asked)

    assert (project.path / "reports/site/index.html").is_file(), result.stdout.str()


def test_without_the_option_no_site_is_written(project: BenchProject) -> None:
    project.run("-k", "creativity")
    assert not (project.path / "reports/site").exists()


def test_a_foreign_site_folder_is_refused_before_anything_is_asked(project: BenchProject) -> None:
    project.write("reports/site/thesis.txt", "mine")
    assert "which is no file of a site" in refused(project, "-k", "creativity", "--site", "-p", "no:cacheprovider")


def test_a_session_that_measured_nothing_says_that_there_is_no_site(project: BenchProject) -> None:
    project.server.generate = error(404, "no such model")
    result = project.run("-k", "creativity", "--site")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["No site was written: *holds no measured trial yet*"])
    assert not (project.path / "reports/site").exists()
