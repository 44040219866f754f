"""Pages cross the network compressed. What must not be, or gains nothing, stays as it is."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client


@pytest.fixture
def phone() -> Client:
    """Give a client that takes what browsers take."""
    return Client(HTTP_ACCEPT_ENCODING="gzip, deflate, br, zstd")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status"),
    [("/prj_0123456789abcdef/assessment?token=wrong", 404), ("/docs/", 200), ("/nothing", 404)],
)
def test_a_page_is_compressed(client: Client, phone: Client, path: str, status: int) -> None:
    plain = client.get(path)

    response = phone.get(path)

    assert response.status_code == plain.status_code == status
    assert response.headers["Content-Encoding"] == "gzip"
    assert response.headers["Vary"].count("Accept-Encoding") == 1
    assert response.headers["Content-Length"] == str(len(response.content))
    assert len(response.content) < len(plain.content) * 0.7
    assert gzip.decompress(response.content)[:15] == plain.content[:15]
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Content-Length"] == str(len(plain.content))


def test_a_page_that_is_refused_at_the_door_is_compressed_too(phone: Client) -> None:
    response = phone.get("/nothing", HTTP_HOST="evil.example")

    assert response.status_code == 400
    assert response.headers["Content-Encoding"] == "gzip"


def test_copies_of_a_page_differ_in_length(phone: Client) -> None:
    """Who reads lengths to guess a secret (BREACH) sees noise."""
    lengths = {len(phone.get("/nothing").content) for _ in range(20)}

    assert len(lengths) > 5


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/partner/nothing", "/admin/login/", "/readyz", "/openapi.json"])
def test_all_else_is_not_compressed(phone: Client, path: str) -> None:
    response = phone.get(path)

    assert response.content
    assert "Content-Encoding" not in response.headers
