"""/openapi.json and the pages under /docs/: this service's values, no secret, links lead on."""

import re

import pytest

# What a real credential or link looks like; placeholders must not.
CREDENTIAL = re.compile(r"tok_[0-9A-Za-z]{16}|sec_[0-9A-Za-z]{20,}|token=[0-9A-Za-z_-]{22}")
PAGES = ["/openapi.json", "/docs/", "/docs/changelog", "/"]


def attributes(page, name):
    return re.findall(rf'<[a-z][^>]*\s{name}="([^"]*)"', page)


def test_the_file_and_the_page_have_the_values_of_this_service(client, settings):
    settings.APP_URL = "https://assess.example.org"
    settings.SUPPORT_EMAIL = "o'brien@example.org"
    settings.LINK_RATE_PER_MINUTE = 7

    response = client.get("/openapi.json", headers={"Host": "localhost"})
    page = client.get("/docs/").text

    document = response.json()
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert document["openapi"].startswith("3.")
    assert document["servers"] == [{"url": "https://assess.example.org"}]
    assert document["info"]["contact"]["email"] == "o'brien@example.org"
    assert document["info"]["version"] == settings.VERSION
    described = document["paths"]["/partner/get-redirect-url"]["post"]["description"]
    assert "may make 7 calls" in described
    assert "mailto:o&#x27;brien@example.org" in page
    assert "may make 7 calls" in page
    assert "{{" not in response.text + page


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_only_read_and_has_no_secret(client, settings, path):
    response = client.get(path)

    assert response.headers["Cache-Control"] == "public, max-age=300"
    assert not response.cookies
    assert not CREDENTIAL.search(response.text.replace("x" * 16, "").replace("y" * 16, ""))
    assert settings.SECRET_KEY not in response.text
    assert (client.post(path).status_code, client.head(path).status_code) == (405, 200)


def test_the_links_within_the_page_and_of_each_failure_lead_somewhere(client, settings):
    page = client.get("/docs/").text
    problem = client.post("/partner/get-redirect-url", {}, "application/json").json()

    ids, links = attributes(page, "id"), attributes(page, "href")
    assert len(ids) == len(set(ids)) > 20
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert problem["type"] == f"{settings.APP_URL}/docs/#{problem['code']}"
    assert problem["code"] in ids
