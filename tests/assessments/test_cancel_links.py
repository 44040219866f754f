"""A link that nobody has started can be cancelled; after that it starts nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from assessments.models import Assessment, AssessmentLink, ItemBank, Student
from assessments.models.cancelling import CANCELLED, LinkStarted
from assessments.models.links import LinkState, LinkUnavailable
from assessments.models.students import ReasonNamesThePerson
from assessments.support import exports, link_history
from partners.models import AuditEvent, Project
from tests.assessments.attempts import DETAILS, issue, marked_completed, use
from tests.factories import AccessTokenFactory
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
WHO = "command:tests"
PARTNER = "token:tok_aaaaaaaaaaaaaaaa"
WHY = "sent to a wrong address"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def again(link: AssessmentLink) -> AssessmentLink:
    """Read the link as another process would."""
    return AssessmentLink.objects.get(pk=link.pk)


def events() -> list[tuple[str, str, str]]:
    found = AuditEvent.objects.filter(action=CANCELLED).order_by("pk")
    return [(event.actor, event.object_id, event.reason) for event in found]


def test_a_cancelled_link_is_no_longer_unused(project: Project) -> None:
    link, _ = issue(project, AT)

    assert link.cancel(reason=WHY, at=LATER, actor=WHO)

    assert again(link).cancelled_at == link.cancelled_at == LATER
    assert link.state_at(LATER) == LinkState.CANCELLED
    assert not AssessmentLink.objects.unused(LATER).exists()
    assert events() == [(WHO, f"assessmentlink-{link.pk}", WHY)]


def test_it_stays_cancelled_past_its_expiry_and_in_a_closed_project(project: Project) -> None:
    link, _ = issue(project, AT)
    link.cancel(reason=WHY, at=LATER, actor=WHO)

    assert again(link).state_at(link.expires_at) == LinkState.CANCELLED
    project.close(at=LATER, actor=WHO)
    assert again(link).state_at(LATER) == LinkState.CANCELLED


def test_the_update_itself_refuses_a_cancelled_link(
    bank: ItemBank, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the link were cancelled between the check and the write."""
    link, _ = issue(project, AT)
    again(link).cancel(reason=WHY, at=LATER, actor=WHO)
    monkeypatch.setattr(AssessmentLink, "state_at", lambda link, at: LinkState.UNUSED)

    with pytest.raises(LinkUnavailable) as refused:
        use(link, at=LATER)

    assert refused.value.state == LinkState.CANCELLED
    assert again(link).used_at is None
    assert not Assessment.objects.exists()


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize("what", ["used", "cancelled", "expired"])
def test_only_an_unused_link_is_cancelled(project: Project, what: str) -> None:
    link, _ = issue(project, AT)
    if what == "used":
        use(link, at=AT)
    elif what == "cancelled":
        link.cancel(reason=WHY, at=AT, actor=WHO)
    at = link.expires_at if what == "expired" else LATER
    before, said = again(link).cancelled_at, events()

    assert not link.cancel(reason="once more", at=at, actor=WHO)

    assert again(link).cancelled_at == before
    assert events() == said


def test_a_reason_that_names_the_student_cancels_nothing(project: Project) -> None:
    link, _ = issue(project, AT)

    with pytest.raises(ReasonNamesThePerson):
        link.cancel(reason=f"{DETAILS['name']} asked", at=LATER, actor=WHO)

    assert again(link).cancelled_at is None
    assert events() == []


class TestByItsId:
    def test_it_is_cancelled_once(self, project: Project) -> None:
        link, _ = issue(project, AT)
        other, _ = issue(project, AT)
        assert link.link_id

        cancel = AssessmentLink.objects.cancel_named
        assert cancel(project, link.link_id, at=LATER, actor=PARTNER) == 1
        assert cancel(project, link.link_id, at=LATER, actor=PARTNER) == 0

        assert again(link).cancelled_at == LATER
        assert again(other).cancelled_at is None
        assert events() == [(PARTNER, f"assessmentlink-{link.pk}", "1 link")]

    @pytest.mark.parametrize("ended", [False, True])
    def test_a_started_one_is_refused(self, bank: ItemBank, project: Project, ended: bool) -> None:
        link, _ = issue(project, AT)
        attempt = use(link, at=AT)
        if ended:
            marked_completed(attempt, AT)
        assert link.link_id

        with pytest.raises(LinkStarted):
            AssessmentLink.objects.cancel_named(project, link.link_id, at=LATER, actor=PARTNER)

        assert again(link).cancelled_at is None
        assert events() == []

    def test_one_of_another_project_or_of_nobody_or_of_an_erased_student_is_unknown(
        self, project: Project, other_project: Project
    ) -> None:
        theirs, erased = issue(other_project, AT)[0], issue(project, AT)[0]
        erased.student.erase(at=AT, actor=WHO)

        for link_id in (theirs.link_id, erased.link_id, "lnk_0000000000000000", ""):
            with pytest.raises(AssessmentLink.DoesNotExist):
                AssessmentLink.objects.cancel_named(project, str(link_id), at=LATER, actor=PARTNER)

        assert again(theirs).cancelled_at is None


class TestByTheAddress:
    @pytest.mark.usefixtures("bank")
    def test_the_unused_links_of_the_student_are_cancelled(self, project: Project) -> None:
        used, expired, *unused = (issue(project, AT)[0] for _ in range(4))
        sister, _ = issue(project, AT, email="mira.rao@example.com")
        use(used, at=AT)
        AssessmentLink.objects.filter(pk=expired.pk).update(expires_at=LATER)

        cancel = AssessmentLink.objects.cancel_for_email
        assert cancel(project, DETAILS["email"].upper(), at=LATER, actor=PARTNER) == 2
        assert cancel(project, DETAILS["email"], at=LATER, actor=PARTNER) == 0

        cancelled = set(AssessmentLink.objects.filter(cancelled_at=LATER))
        assert cancelled == set(unused)
        assert again(sister).cancelled_at is None
        assert events() == [(PARTNER, f"student-{used.student_id}", "2 links")]

    def test_an_unknown_address_has_none(self, project: Project, other_project: Project) -> None:
        theirs, _ = issue(other_project, AT)

        for email in (DETAILS["email"], "nobody@example.com", "no address"):
            cancelled = AssessmentLink.objects.cancel_for_email(
                project, email, at=LATER, actor=PARTNER
            )
            assert cancelled == 0

        assert again(theirs).cancelled_at is None
        assert events() == []


class TestWhatSupportSees:
    def test_who_cancelled_it(self, project: Project) -> None:
        token = AccessTokenFactory.create(project=project)
        links = [
            AssessmentLink.objects.issue(project, **DETAILS, access_token=token, at=AT)[0]
            for _ in range(3)
        ]
        named, by_staff, with_token = links
        assert named.link_id
        AssessmentLink.objects.cancel_named(
            project, named.link_id, at=LATER, actor=f"token:{token.token_id}"
        )
        by_staff.cancel(reason=WHY, at=LATER + timedelta(hours=1), actor="command:root")
        token.links.cancel(token, at=LATER + timedelta(hours=2), actor="command:root")

        facts = [link_history.of_link(again(link), LATER + timedelta(days=1)) for link in links]

        assert [fact.state for fact in facts] == ["cancelled"] * 3
        assert [fact.cancelled_by for fact in facts] == [
            f"by access token {token.token_id}",
            f"by command:root: {WHY}",
            "with the other links of its access token, by command:root",
        ]
        assert again(with_token).cancelled_at == LATER + timedelta(hours=2)


@pytest.mark.usefixtures("bank")
class TestThePage:
    HEADING = "This link was cancelled"

    def test_it_says_so_and_keeps_the_person_to_itself(self, project: Project) -> None:
        link, url = issue(project)
        browser = Browser()
        landing = browser.open(url)
        link.cancel(reason=WHY, actor=WHO)

        for page in (browser.get(url), browser.send(landing, {"consent": "yes"})):
            assert (page.status, page.name, page.heading) == (410, "link-unavailable", self.HEADING)
            assert page.forms == []
            assert page.response.headers["Cache-Control"] == "no-store"
            assert f"ask {project.name} for a new link" in " ".join(page.text.split())
            for value in (*DETAILS.values(), "Asha", WHY, str(link.link_id)):
                assert value not in page.text
        assert again(link).used_at is None
        assert not Assessment.objects.exists()


def test_erasure_and_export_know_a_cancelled_link(project: Project) -> None:
    link, _ = issue(project, AT)
    link.cancel(reason=WHY, at=LATER, actor=WHO)

    exported = exports.person(link.student, at=LATER, actor=WHO)
    link.student.erase(at=LATER, actor=WHO)

    assert exported["links"][0]["cancelled_at"] == LATER
    assert again(link).cancelled_at == LATER
    assert again(link).state_at(LATER) == LinkState.CANCELLED
    assert Student.objects.get().touched(timezone.now()).startable == 0
