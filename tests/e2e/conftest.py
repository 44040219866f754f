import json
import secrets

import pytest
from django_otp.oath import totp

from tests.support.backend import Applicant, PartnerBackend
from tests.support.hygiene import leaks
from tests.support.server import ROOT, SMALL_BANK
from tests.support.student import Student

CATALOGUE = ROOT / "assessments" / "made_up" / "courses.csv"
PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}


MAKE = """
from django.contrib.auth.models import Group, User
from django_otp.plugins.otp_totp.models import TOTPDevice
user = User.objects.create_user({name!r}, password={password!r}, is_staff=True)
user.groups.set([Group.objects.get(name={role!r})])
TOTPDevice.objects.create(user=user, key={key!r}, name="phone", confirmed=True)
"""


class Staff:
    """An account with a role and an authenticator app."""

    def __init__(self, service, role="Support"):
        self.name, self.password = f"staff-{secrets.token_hex(4)}", secrets.token_urlsafe(24)
        self.key = secrets.token_hex(20)
        program = MAKE.format(name=self.name, password=self.password, key=self.key, role=role)
        service.manage("shell", "--verbosity", "0", "--command", program)

    def sign_in(self, page, home):
        page.goto(f"{home}/admin/")
        self.give_password(page)
        self.give_code(page)
        page.wait_for_url(f"{home}/admin/")

    def give_password(self, page):
        page.get_by_label("Username").fill(self.name)
        page.get_by_label("Password").fill(self.password)
        page.get_by_role("button", name="Sign in").click()

    def give_code(self, page):
        page.get_by_label("Six-digit code").fill(f"{totp(bytes.fromhex(self.key)):06}")
        page.get_by_role("button", name="Sign in").click()


@pytest.fixture(scope="session")
def partner(service):
    """Give a partner's backend. Tests share its project and use students of their own."""
    options = ("--project", "Sahyadri College", "--courses", str(CATALOGUE), "--json")
    return PartnerBackend.from_onboarding(
        service.url, service.manage("onboard_partner", "Vidya", *options)
    )


@pytest.fixture
def applicant():
    """Give a student of one's own, with details that are found again wherever they leak to."""
    number = secrets.randbelow(10**8)
    return Applicant("Meenakshi Iyer", f"meenakshi.{number}@example.com", f"+91 98{number:08}")


@pytest.fixture
def link(partner, applicant):
    return partner.redirect_url(applicant)


@pytest.fixture
def new_student(chromium, service):
    """Give a function that makes a student with a fresh browser; at the end none may complain."""
    students = []

    def new(kind=Student, **options):
        student = kind(chromium.new_context(**{"viewport": PHONE} | options), service.url)
        students.append(student)
        return student

    yield new
    complaints = [complaint for student in students for complaint in student.complaints]
    complaints += [leak for student in students for leak in leaks(str(student.context.cookies()))]
    for student in students:
        student.context.close()
    assert not complaints


@pytest.fixture
def student(new_student):
    return new_student()


@pytest.fixture
def open_page(chromium):
    """Give a function that opens a page in a new browser; at the end no console may complain."""
    contexts = []
    complaints = []

    def note(said):
        # chromium also remarks on a field that it need not focus
        if said.type in {"error", "warning"}:
            complaints.append(said.text)

    def opened(**options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.set_default_timeout(10_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def shipped_bank(service):
    """Let attempts that start in this module be on the shipped bank, in both languages."""
    service.manage("load_items", "--make-current")
    yield
    service.manage("load_items", str(SMALL_BANK), "--make-current")


@pytest.fixture(autouse=True)
def nothing_crashed(request):
    """Fail a test during which the shared service logged a crash or an answer of 5xx."""
    if "service" not in request.fixturenames:
        yield
        return
    service = request.getfixturevalue("service")
    before = len(service.logs())
    yield
    new = [json.loads(line) for line in service.logs()[before:].splitlines()]
    assert [
        line
        for line in new
        if line["level"] in {"ERROR", "CRITICAL"} or line.get("status", 0) >= 500
    ] == []


def stored(service, applicant, table="attempt"):
    """Return the student's rows of a table, oldest first: "assessment", "assessmentlink"."""
    return service.rows(
        f"SELECT r.* FROM assessments_{table} r"
        " JOIN assessments_student s ON s.id = r.student_id WHERE s.email = %s ORDER BY r.id",
        (applicant.email,),
    )


def answers(service, applicant):
    """Return `position`, `code` of the item and `choice` of what the student was shown."""
    return service.rows(
        "SELECT n.position, i.code, n.choice FROM assessments_answer n"
        " JOIN assessments_item i ON i.id = n.item_id"
        " JOIN assessments_attempt a ON a.id = n.attempt_id"
        " JOIN assessments_student s ON s.id = a.student_id"
        " WHERE s.email = %s ORDER BY n.position, n.id",
        (applicant.email,),
    )


def choices(service, applicant):
    """Return the choices that are stored, by position."""
    given = answers(service, applicant)
    return {each["position"]: each["choice"] for each in given if each["choice"] is not None}
