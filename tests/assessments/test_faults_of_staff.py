"""Every SQL statement behind a button of staff fails once: all of the act stands, or nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client

from assessments.admin.onboard_page import OnboardForm
from assessments.models import Student
from tests.assessments.attempts import issue, use
from tests.assessments.faults import fail_afresh_at_each_statement
from tests.assessments.link_actions import WHY, address, hidden
from tests.assessments.onboarding import FIELDS
from tests.factories import ProjectFactory, UserFactory, issued_token

HEADER = "code,name,order"
ROW = "BOT,Botany,1"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]

Act = Callable[[], HttpResponse]


def is_error_page(response: HttpResponse) -> bool:
    """Tell whether it is the staff's page for a crash, with a number and no trace."""
    text = response.content.decode()
    return response.status_code in (400, 500) and "gone" not in text


@pytest.fixture
def unvalidated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the database nothing when a row is validated, which onboarding does in forty statements.

    Django goes on where these fail: it is the INSERT that counts.
    """
    monkeypatch.setattr(Model, "validate_constraints", lambda *args, **kwargs: None)


class Office:
    """A member of staff who may do everything, and somebody or something new for each act."""

    def __init__(self) -> None:
        self.user = UserFactory.create(is_superuser=True)
        self.client = Client(raise_request_exception=False)
        self.client.force_login(self.user)
        self.project = ProjectFactory.create()
        self._numbers = itertools.count()

    def sending(self, url: str, **fields: str) -> Act:
        """Return what sends a form."""
        return lambda: self.client.post(url, {"reason": WHY, **fields})

    def pressing(self, url: str, **fields: str) -> Act:
        """Open the page that asks; return what sends its form."""
        return self.sending(url, **hidden(self.client, url), **fields)

    def student(self) -> Student:
        """Make a student with an open attempt and a link to spare."""
        email = f"s{next(self._numbers)}@example.com"
        use(issue(self.project, email=email)[0])
        return issue(self.project, email=email)[0].student

    def issuing_a_token(self) -> Act:
        project = str(ProjectFactory.create().pk)
        return self.pressing("/admin/tokens/accesstoken/issue/", project=project)

    def rotating_a_token(self) -> Act:
        token, _ = issued_token()
        return self.pressing(f"/admin/tokens/accesstoken/{token.pk}/rotate/", overlap="7d")

    def revoking_a_token(self) -> Act:
        token, _ = issued_token()
        return self.sending(f"/admin/tokens/accesstoken/{token.pk}/revoke/")

    def issuing_a_fresh_link(self) -> Act:
        return self.pressing(address("issue", self.student()))

    def closing_an_attempt(self) -> Act:
        return self.sending(address("close", self.student().assessments.get()))

    def extending_an_attempt(self) -> Act:
        return self.pressing(address("extend", self.student().assessments.get()), days="7")

    def erasing_a_student(self) -> Act:
        return self.sending(address("erase", self.student()))

    def onboarding(self) -> Act:
        sent = {
            "once": OnboardForm(user=self.user)["once"].value(),
            **FIELDS,
            "partner_name": f"Portal {next(self._numbers)}",
            "courses": SimpleUploadedFile("c.csv", f"{HEADER}\n{ROW}\n".encode()),
        }
        return lambda: self.client.post("/admin/onboard/", sent)


# What each act leaves: a row that is new, a column that was changed.
ACTS = {
    "issuing_a_token": {"new AccessToken"},
    "rotating_a_token": {"new AccessToken", "AccessToken.rotated_at", "AccessToken.expires_at"},
    "revoking_a_token": {"AccessToken.revoked_at", "AccessToken.revoke_reason"},
    "issuing_a_fresh_link": {"new AssessmentLink"},
    "closing_an_attempt": {"Assessment.abandoned_at"},
    "extending_an_attempt": {"Assessment.finish_by_at"},
    "erasing_a_student": {
        *(f"Student.{column}" for column in ("email_key", "email", "name", "mobile")),
        *(f"AssessmentLink.{column}" for column in ("token_digest", "name", "mobile")),
        *("AssessmentLink.expires_at", "Assessment.browser_digest", "Assessment.abandoned_at"),
    },
    "onboarding": {
        *("new Partner", "new Project", "new AccessToken"),
        *("new Course", "new CatalogueSnapshot"),
    },
}


@pytest.mark.usefixtures("unvalidated")
@pytest.mark.parametrize("name", ACTS)
def test_an_act(name: str) -> None:
    """An act and its audit event are one; what is pressed again says so, and does nothing more."""
    prepare = getattr(Office(), name)

    before, after, whole = fail_afresh_at_each_statement(prepare, is_error_page)

    assert before > 8
    assert after > 2
    assert set(whole) == {*ACTS[name], "new AuditEvent"}
