"""One server has one name: URLs are normalised, and what could hold a secret is refused."""

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog.endpoints import ad_hoc_endpoint, host_and_port, normalised_url
from independence_bench.spec import Endpoint


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("HTTP://Example.COM:80/v1/", "http://example.com/v1"),
        ("https://example.com:443/api/v1", "https://example.com/api/v1"),
        ("http://127.0.0.1:8080/v1//", "http://127.0.0.1:8080/v1"),
        ("http://[::1]:9000/v1", "http://[::1]:9000/v1"),
        (" http://host/V1 ", "http://host/V1"),
    ],
)
def test_equal_servers_get_one_normal_form(typed: str, normal: str) -> None:
    assert normalised_url(typed, "--endpoint") == normal


@pytest.mark.parametrize(
    "typed",
    [
        "localhost:8080",
        "ftp://host/v1",
        "http://",
        "",
        "http://host:99999/v1",
        "//host/v1",
        "http://a..b/v1",
        f"http://{64 * 'a'}/v1",
    ],
)
def test_what_is_no_url_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(BadInput, match=r"not a URL.*for example, http://127\.0\.0\.1:8080/v1"):
        normalised_url(typed, "--endpoint")


def test_user_info_is_refused_and_never_shown() -> None:
    with pytest.raises(BadInput) as caught:
        ad_hoc_endpoint("http://me:hunter2@host/v1", None, {}, "--endpoint")
    assert "user info" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_query_is_refused_and_never_shown() -> None:
    with pytest.raises(BadInput) as caught:
        ad_hoc_endpoint("http://host/v1?key=hunter2", None, {}, "--endpoint")
    assert "query" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_the_full_path_of_a_chat_call_is_refused_with_the_remedy() -> None:
    with pytest.raises(BadInput, match="without /chat/completions"):
        normalised_url("http://host/v1/chat/completions", "--endpoint")


def test_a_url_of_a_row_borrows_the_rows_settings_but_keeps_the_key_named_on_the_command_line() -> None:
    row = Endpoint(name="router", base_url="https://router.example/api/v1", key_env="ROUTER_KEY", dialect="openrouter")
    found = ad_hoc_endpoint("https://ROUTER.example/api/v1/", "OTHER_KEY", {"router": row}, "--endpoint")
    assert (found.dialect, found.key_env, found.ad_hoc) == ("openrouter", "OTHER_KEY", True)
    assert ad_hoc_endpoint("https://router.example/api/v1", None, {"router": row}, "--endpoint").key_env == "ROUTER_KEY"


def test_an_ad_hoc_endpoint_has_no_limit_no_key_and_is_named_by_host_and_port() -> None:
    found = ad_hoc_endpoint("http://127.0.0.1:8090/v1", None, {}, "--endpoint")
    assert (found.name, found.key_env, found.max_concurrency, found.free) == ("127.0.0.1:8090", None, None, False)
    assert host_and_port("https://example.com/v1") == "example.com"
