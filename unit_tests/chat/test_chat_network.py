"""Whom a connection to an https endpoint trusts."""

import ssl
from pathlib import Path

import pytest

from independence_bench.chat.network import _certificates


def test_what_is_trusted_is_what_the_environment_names_else_the_authorities_of_browsers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    everywhere = _certificates().get_ca_certs()
    assert len(everywhere) > 50

    one = ssl.DER_cert_to_PEM_cert(_certificates().get_ca_certs(binary_form=True)[0])
    (tmp_path / "one.pem").write_text(one)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "one.pem"))
    assert len(_certificates().get_ca_certs()) == 1

    monkeypatch.delenv("SSL_CERT_FILE")
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert _certificates().get_ca_certs() == []  # read from the folder when they are needed
