"""A student's form without its CSRF token is refused on every address, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from assessments.models import Assessment, PrivateLink
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed
from tests.support.browser import Browser, Page

Snapshot = Callable[[], object]
CSRF_FIELD = "csrfmiddlewaretoken"


def student_addresses(project_id: str) -> set[str]:
    """Return every address of the student pages, as the URLconf has them."""
    values = {"project_id": project_id, "position": 1}

    def leaves(resolver: URLResolver) -> Iterator[URLPattern]:
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                yield from leaves(pattern)
            else:
                yield pattern

    return {
        reverse(pattern.name, kwargs={name: values[name] for name in pattern.pattern.converters})
        for pattern in leaves(get_resolver())
        if "project_id" in pattern.pattern.converters
    }


def walk_through_every_form(browser: Browser, url: str, snapshot: Snapshot) -> None:
    """Send each form without, with a wrong and with its token; only the last may change a row."""
    project_id = url.split("/")[3]
    addresses = student_addresses(project_id)
    leave = reverse("leave", args=[project_id])
    assert leave in addresses, "the URLconf is not searched as it should be"

    def send(page: Page, chosen: dict[str, str]) -> Page:
        unprotected = {**page.form.filled, **chosen}
        token = unprotected.pop(CSRF_FIELD)
        before = snapshot()
        for address in sorted({page.form.action, *addresses}):
            for wrong in ({}, {CSRF_FIELD: "a" * 32}):
                refused = Page(browser.client.post(address, {**unprotected, **wrong}))
                assert refused.status == 403, address
                assert refused.name == "error-403", address
        assert snapshot() == before

        accepted = browser.client.post(page.form.action, {**unprotected, CSRF_FIELD: token})

        assert accepted.status_code == 303
        assert snapshot() != before
        return browser.follow(Page(accepted))

    section = send(browser.open(url), {"consent": "yes"})
    assert section.name == "section"
    question = send(section, {"begin": "yes"})
    form = question.form
    assert form.questions
    send(question, {name: form.offered(name)[0] for name in form.questions})
    assert send(browser.open(leave), {}).name == "left"


@pytest.mark.usefixtures("bank")
def test_no_form_is_accepted_without_its_token(project: Project, browser: Browser) -> None:
    def snapshot() -> object:
        models = apps.get_app_config("assessments").get_models()
        return {model: sorted(map(repr, model._base_manager.values())) for model in models}

    walk_through_every_form(browser, issue(project)[1], snapshot)


@pytest.mark.slow
@pytest.mark.usefixtures("bank")
def test_no_form_that_keeps_a_result_is_accepted_without_its_token(
    project: Project, browser: Browser
) -> None:
    browser.start(issue(project)[1])
    attempt = marked_completed(Assessment.objects.get())
    made = PrivateLink.objects.make(attempt, with_puzzles=False, seen="")[0]
    address, forget = (
        reverse(name, args=[project.project_id]) for name in ("private-link", "forget")
    )
    forms = [*browser.open(address).forms, browser.open(forget).form]

    for form in forms:
        pressed = {button["name"]: button["value"] for button in form.buttons}
        unprotected = {name: value for name, value in form.filled.items() if name != CSRF_FIELD}
        for wrong in ({}, {CSRF_FIELD: "a" * 32}):
            refused = browser.client.post(form.action, {**unprotected, **pressed, **wrong})
            assert refused.status_code == 403

    assert [form.buttons[0]["name"] for form in forms] == ["make", "end", "forget"]
    assert list(PrivateLink.objects.working()) == [made]
    assert Assessment.objects.get().browser_digest == attempt.browser_digest
