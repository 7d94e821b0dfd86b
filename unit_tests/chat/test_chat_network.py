"""Whom a connection to an https endpoint trusts."""

import ssl
from collections.abc import Callable
from pathlib import Path

import certifi
import pytest

from independence_bench.bad_input import BadInput
from independence_bench.chat.network import _certificates

Environment = Callable[..., None]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Sets the variables that name trusted certificates, and unsets the others."""

    def only(**values: object) -> None:
        for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"):
            monkeypatch.delenv(name, raising=False)
        for name, value in values.items():
            monkeypatch.setenv(name, str(value))

    return only


def trusted() -> int:
    return len(_certificates().get_ca_certs())


def test_what_is_trusted_is_what_the_environment_names_else_the_authorities_of_browsers(
    environment: Environment, tmp_path: Path
) -> None:
    environment()
    assert trusted() > 50

    known = ssl.create_default_context(cafile=certifi.where()).get_ca_certs(binary_form=True)
    one, two = tmp_path / "one.pem", tmp_path / "two.pem"
    one.write_text(ssl.DER_cert_to_PEM_cert(known[0]))
    two.write_text("".join(map(ssl.DER_cert_to_PEM_cert, known[:2])))
    environment(SSL_CERT_FILE=one)
    assert trusted() == 1
    environment(SSL_CERT_DIR=tmp_path)
    assert trusted() == 0  # read from the folder when they are needed
    environment(REQUESTS_CA_BUNDLE=two)
    assert trusted() == 2
    environment(REQUESTS_CA_BUNDLE=tmp_path)
    assert trusted() == 0
    environment(SSL_CERT_FILE=one, REQUESTS_CA_BUNDLE=two)
    assert trusted() == 1

    environment(SSL_CERT_FILE=one, SSL_CERT_DIR=tmp_path)
    assert trusted() == 1


@pytest.mark.parametrize(
    ("variable", "value", "cause"),
    [
        ("SSL_CERT_FILE", "nowhere.pem", "this file of trusted certificates cannot be read: No such file"),
        ("SSL_CERT_FILE", "empty.pem", "this file of trusted certificates holds no certificate"),
        ("SSL_CERT_DIR", "empty.pem", "there is no such folder of trusted certificates"),
        ("REQUESTS_CA_BUNDLE", "nowhere.pem", "this file of trusted certificates cannot be read: No such file"),
    ],
)
def test_a_variable_that_names_no_certificates_is_refused_by_name(
    environment: Environment, tmp_path: Path, variable: str, value: str, cause: str
) -> None:
    (tmp_path / "empty.pem").touch()
    environment(**{variable: tmp_path / value})
    with pytest.raises(BadInput) as refused:
        _certificates()
    assert str(refused.value).startswith(f"{variable}={tmp_path / value}: {cause}")
