"""Which language a page is in, whoever asks and however."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import QueryDict
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import translation

from assessments import languages
from assessments.models import Assessment, AssessmentLink, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, issue
from tests.assessments.browser import Browser, Page
from tests.assessments.conftest import COMMAND
from tests.assessments.hindi import english_on, in_both_languages

HINDI = {"HTTP_ACCEPT_LANGUAGE": "hi-IN,hi;q=0.9,en;q=0.8"}
ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en-IN,en;q=0.9"}
HOSTILE = ["xx", "HI", "hi ", "hi\0", "../../hi", "hi" * 5000, "en,hi", "<script>", "हिन्दी", ""]


@pytest.fixture
def bank(db: None, small_bank: dict[str, Any]) -> ItemBank:
    """Give the small bank in both languages."""
    bank, _ = ItemBank.objects.publish(in_both_languages(small_bank), shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)
    return bank


@pytest.fixture
def attempt(bank: ItemBank, project: Project, browser: Browser) -> Assessment:
    """Give an attempt in Hindi, begun in `browser`."""
    browser.press(browser.open(f"{issue(project)[1]}&language=hi"), {"consent": "yes"})
    attempt = Assessment.objects.get()
    assert attempt.language == "hi"
    return attempt


def language_of(page: Page) -> str:
    """Return what the page says its language is; it must have nothing of the other one."""
    language = page.text.partition('<html lang="')[2][:2]
    if language == "hi":
        assert english_on(page.text, allowed={"College", "Asha"}) == []
    else:
        assert "।" not in page.text
    return language


# --- a page that belongs to no attempt


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/prj_0123456789abcdef/assessment?token=unknown", 404),
        ("/prj_0123456789abcdef/assessment", 404),
        ("/prj_0123456789abcdef/assessment/1", 403),
        ("/prj_0123456789abcdef/assessment/result", 403),
        ("/nothing", 404),
    ],
)
def test_a_refusal_is_in_the_language_of_the_browser(
    browser: Browser, path: str, status: int
) -> None:
    page = browser.get(path, **HINDI)

    assert page.status == status
    assert language_of(page) == "hi"
    assert language_of(browser.get(path, **ENGLISH)) == "en"
    assert language_of(browser.get(path)) == "en"


def test_a_closed_link_is_refused_in_the_language_of_the_browser(
    bank: ItemBank, project: Project, browser: Browser, other_browser: Browser
) -> None:
    _, url = issue(project)
    other_browser.start(url)

    page = browser.get(url, **HINDI)

    assert (page.status, page.name) == (410, "link-unavailable")
    assert language_of(page) == "hi"


def test_what_is_refused_unread_is_in_the_language_of_the_browser(client: Client) -> None:
    response = client.post("/nothing", CONTENT_LENGTH="9" * 30, **HINDI)

    assert response.status_code == 400
    assert language_of(Page(response)) == "hi"


@pytest.mark.urls("tests.config.probe_urls")
def test_a_crash_is_told_in_the_language_of_the_browser(client: Client) -> None:
    client.raise_request_exception = False

    response = client.get("/crash", **HINDI)

    assert response.status_code == 500
    assert language_of(Page(response)) == "hi"


@pytest.mark.urls("tests.config.probe_urls")
def test_without_its_template_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.raise_request_exception = False
    monkeypatch.setattr("config.error_pages.loader.render_to_string", None)

    page = Page(client.get("/crash", **HINDI))

    assert language_of(page) == "hi"
    assert "data-page" not in page.text


@pytest.mark.django_db
def test_the_address_says_more_than_the_browser(browser: Browser) -> None:
    assert language_of(browser.get("/nothing?language=hi", **ENGLISH)) == "hi"
    assert language_of(browser.get("/nothing?language=en", **HINDI)) == "en"


@pytest.mark.django_db
@pytest.mark.parametrize("named", HOSTILE)
def test_a_made_up_language_in_the_address_is_passed_over(browser: Browser, named: str) -> None:
    query = QueryDict(mutable=True)
    query["language"] = named
    page = browser.get(f"/prj_0123456789abcdef/assessment?{query.urlencode()}", **HINDI)

    assert page.status == 404
    assert language_of(page) == "hi"


@pytest.mark.parametrize("named", HOSTILE)
def test_a_made_up_language_in_the_form_starts_an_attempt_in_english(
    bank: ItemBank, project: Project, browser: Browser, named: str
) -> None:
    page = browser.open(issue(project)[1])

    browser.press(page, {"consent": "yes", "language": named})

    assert Assessment.objects.get().language == "en"


@pytest.mark.parametrize(
    "header",
    ["hi," * 3400, "x" * 10_000, "hi;q=" + "9" * 10_000, "\xff\xfe", "*;q=0.1," * 1000, ";;;,,,"],
)
def test_a_hostile_header_is_harmless(client: Client, header: str) -> None:
    response = client.get("/nothing", HTTP_ACCEPT_LANGUAGE=header)

    assert response.status_code == 404
    assert language_of(Page(response)) in {"en", "hi"}


@pytest.mark.django_db
def test_too_many_parameters_are_refused_in_the_language_of_the_browser(client: Client) -> None:
    """The refusal is a page like the others: by the header, and under the same policy."""
    too_many = "&".join(["a=1"] * 1001)

    response = client.get(f"/prj_0123456789abcdef/assessment?{too_many}", **HINDI)

    assert response.status_code == 400
    assert language_of(Page(response)) == "hi"
    assert "Content-Security-Policy" in response.headers
    assert response.headers["X-Frame-Options"] == "DENY"
    assert client.get(f"/healthz?{too_many}").status_code == 200


def test_a_neighbour_on_the_domain_does_not_choose_the_language(client: Client) -> None:
    client.cookies["django_language"] = "hi"

    assert language_of(Page(client.get("/nothing", **ENGLISH))) == "en"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/admin/login/", "/admin/nothing", "/docs/", "/openapi.json", "/partner/x", "/partner"],
)
def test_staff_and_partners_read_english(client: Client, path: str) -> None:
    for address in (path, f"{path}?language=hi"):
        response = client.get(address, **HINDI)

        assert not any("ऀ" <= letter <= "ॿ" for letter in response.content.decode())


@pytest.mark.urls("tests.config.probe_urls")
def test_no_language_stays_for_the_next_request(client: Client) -> None:
    client.raise_request_exception = False
    with translation.override("en"):
        for path in ("/nothing", "/crash", "/forbidden"):
            client.get(path, **HINDI)
            assert translation.get_language() == "en"
            assert language_of(Page(client.get(path))) == "en"


# --- a form that was refused


@pytest.mark.urls("tests.config.probe_urls")
@pytest.mark.parametrize("cookie", [True, False])
def test_a_refused_form_is_explained_in_its_own_language(cookie: bool) -> None:
    client = Client(enforce_csrf_checks=True)
    if cookie:
        client.cookies["csrftoken"] = "a" * 32

    response = client.post("/form", {"answer": "3", "language": "hi"}, **ENGLISH)

    page = Page(response)
    assert page.status == 403
    assert language_of(page) == "hi"
    assert page.form.filled["language"] == "hi"
    with translation.override("en"):
        client.post("/form", {"language": "hi"})
        assert translation.get_language() == "en"


@pytest.mark.urls("tests.config.probe_urls")
def test_a_foreign_form_does_not_choose_the_language() -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post("/form", {"language": "hi"}, HTTP_ORIGIN="https://evil.example")

    assert language_of(Page(response)) == "en"


@pytest.mark.urls("tests.config.probe_urls")
def test_a_refused_form_of_staff_is_explained_in_english() -> None:
    response = Client(enforce_csrf_checks=True).post("/admin/form", {"language": "hi"}, **HINDI)

    assert response.status_code == 403
    assert language_of(Page(response)) == "en"


def test_an_answer_without_its_cookie_is_refused_in_its_own_language(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.open(reverse("assessment", args=[attempt.student.project.project_id]))
    del browser.client.cookies["attempt"]

    refused = browser.send(page, **ENGLISH)

    assert refused.status == 403
    assert language_of(refused) == "hi"


# --- inside an attempt


def test_an_attempt_keeps_its_language_whatever_the_browser_says(
    attempt: Assessment, browser: Browser
) -> None:
    project_id = attempt.student.project.project_id
    at_start = reverse("question", args=[project_id, 1])

    assert language_of(browser.get(at_start, **ENGLISH)) == "hi"
    assert language_of(browser.get(f"{at_start}?language=en", **ENGLISH)) == "hi"
    assert language_of(browser.get(reverse("leave", args=[project_id]), **ENGLISH)) == "hi"
    completed(attempt)
    assert language_of(browser.get(reverse("result", args=[project_id]), **ENGLISH)) == "hi"


def test_an_english_attempt_stays_english(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    page = browser.start(issue(project)[1])
    assert page.name == "section"

    page = browser.open(reverse("assessment", args=[project.project_id]), **HINDI)

    assert language_of(page) == "en"


def test_what_an_attempt_refuses_is_in_its_language(attempt: Assessment, browser: Browser) -> None:
    project_id = attempt.student.project.project_id
    page = browser.open(reverse("assessment", args=[project_id]))

    foreign = browser.send(page, {"assessment": "asm_of_another"}, **ENGLISH)
    missing = browser.get(reverse("question", args=[project_id, 9999]), **ENGLISH)
    attempt.abandon()
    ended = browser.send(page, **ENGLISH)
    left = browser.get(reverse("assessment", args=[project_id]), **ENGLISH)

    assert [page.status for page in (foreign, missing, ended, left)] == [409, 404, 409, 200]
    assert {language_of(page) for page in (foreign, missing, ended, left)} == {"hi"}


@pytest.mark.parametrize("path", ["question", "leave"])
def test_a_page_of_another_attempt_is_refused_in_the_language_of_that_page(
    attempt: Assessment, browser: Browser, path: str
) -> None:
    """Two students on one phone: the one who pressed is not the one whose attempt is open."""
    project = attempt.student.project
    position = [] if path == "leave" else [1]
    hindi = browser.open(reverse(path, args=[project.project_id, *position]))
    browser.start(f"{issue(project, email='bina@example.com')[1]}&language=en")

    refused = browser.send(hindi, **ENGLISH)

    assert refused.status == 409
    assert language_of(refused) == "hi"


@pytest.mark.parametrize("odd", ["ta", "HI", "en-GB", "x"])
def test_an_attempt_in_a_language_that_we_lack_is_shown_in_english(
    attempt: Assessment, browser: Browser, odd: str
) -> None:
    Assessment.objects.update(language=odd)
    project_id = attempt.student.project.project_id

    for path in (reverse("question", args=[project_id, 1]), reverse("leave", args=[project_id])):
        page = browser.get(path, **HINDI)
        assert page.status == 200
        assert language_of(page) == "en"
    completed(attempt)
    page = browser.get(reverse("result", args=[project_id]), **HINDI)
    assert page.status == 200
    assert language_of(page) == "en"


# --- before the start


def test_the_landing_page_is_in_the_language_of_the_browser(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    link, url = issue(project)

    assert language_of(browser.get(url, **HINDI)) == "hi"
    assert language_of(browser.get(f"{url}&language=en", **HINDI)) == "en"
    assert language_of(browser.get(f"{url}&language=hi", **ENGLISH)) == "hi"
    assert AssessmentLink.objects.get(pk=link.pk).used_at is None


def test_an_attempt_that_waits_is_offered_in_its_own_language(
    attempt: Assessment, other_browser: Browser
) -> None:
    """By a fresh link, unless another language is asked for."""
    _, url = issue(attempt.student.project)

    page = other_browser.get(url, **ENGLISH)

    assert "start" in [button.get("name") for button in page.form.buttons]
    assert language_of(page) == "hi"
    assert page.form.filled["language"] == "hi"
    assert 'lang="en"' in other_browser.get(f"{url}&language=en", **ENGLISH).text


def test_a_bank_without_hindi_is_not_offered_in_it(
    db: None, small_bank: dict[str, Any], project: Project, browser: Browser
) -> None:
    bank, _ = ItemBank.objects.publish(small_bank, shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)

    page = browser.get(f"{issue(project)[1]}&language=hi", **HINDI)
    browser.press(page, {"consent": "yes", "language": "hi"})

    assert language_of(page) == "en"
    assert Assessment.objects.get().language == "en"


@pytest.mark.parametrize(
    ("bank_languages", "wanted", "best"),
    [
        (["en", "hi"], ["hi"], "hi"),
        (["en", "hi"], ["", None, "hi", "en"], "hi"),
        (["en", "hi"], ["ta", "hi"], "hi"),
        (["en"], ["hi"], "en"),
        (["en", "ta"], ["ta"], "en"),
        (["en", "hi"], [], "en"),
    ],
)
def test_the_best_language_is_the_first_wanted_that_pages_and_bank_have(
    bank_languages: list[str], wanted: list[str | None], best: str
) -> None:
    assert languages.best(bank_languages, *wanted) == best


def test_a_language_is_offered_by_its_own_name() -> None:
    assert languages.offered(["hi", "en", "ta"]) == [("en", "English"), ("hi", "हिन्दी")]
    assert languages.offered(["en"]) == [("en", "English")]


@pytest.mark.parametrize(
    ("language", "month", "shown"),
    [
        ("en", 11, "21 November 2026"),
        ("hi", 11, "21 नवंबर 2026"),
        ("hi", 9, "21 सितंबर 2026"),
        ("hi", 12, "21 दिसंबर 2026"),
    ],
)
def test_a_date_has_the_month_in_its_usual_spelling(language: str, month: int, shown: str) -> None:
    template = Template('{{ day|date:"j E Y" }}')

    with translation.override(language):
        day = template.render(Context({"day": datetime(2026, month, 21, tzinfo=UTC)}))

    assert day == shown
