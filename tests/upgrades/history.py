"""What has happened in the database of a dump: ten days of a small service.

`happen` runs inside `manage.py shell` with MODE=test, whose keys are known. It calls commands,
operations and pages, and methods of models only where staff would press a button.
"""

import json
import os
import re
import sys
import tempfile
from datetime import timedelta
from zlib import crc32

import time_machine
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.test import Client, override_settings
from django.utils import timezone

from assessments.api.failure_log import LOG
from assessments.made_up.demo import COURSES
from assessments.models import Attempt, WebhookEndpoint
from partners.models import Project
from tests.assessments.attempts import MINOR, inside
from tests.assessments.partner import CANCEL, DETAIL, FEED, LINK, OUTCOME, RESULTS, STATUS, Backend
from tests.factories import BY
from tests.staff import accounts
from tests.support import commands
from tests.support.admin_forms import edit
from tests.support.browser import Browser
from tests.support.receiver import listening, status

FIGURES = "/admin/assessments/projectfigures/"


def happen():
    """Let ten days pass in the database of this process. Print what a test must know, as JSON."""
    with override_settings(SECOND_FACTOR_REQUIRED=True), listening() as receiver:
        now, service = timezone.now(), Service(receiver)
        for ago, day in (
            (timedelta(days=10), service.first_day),
            (timedelta(days=1), service.yesterday),
            (timedelta(minutes=25), service.today),
        ):
            with time_machine.travel(now - ago) as service.clock:
                accounts.sign_in(service.staff, User.objects.get(), service.app)
                day()
        json.dump(service.facts | service.answers(), sys.stdout)


def command(*arguments):
    return commands.run(*(str(each) for each in arguments))[0]


class Service:
    """The people of a small service, and what they do from day to day."""

    def __init__(self, receiver):
        os.environ["DJANGO_SUPERUSER_PASSWORD"] = accounts.PASSWORD
        command("createsuperuser", "--noinput", "--username", "upgrade", "--email", "u@example.com")
        self.staff, self.receiver, self.clock = Client(), receiver, None
        accounts.give_password(self.staff, User.objects.get())
        self.app, _ = accounts.set_up(self.staff)
        self.facts = {"staff": {"username": "upgrade", "password": accounts.PASSWORD}}
        self.facts["app"] = self.app.key

    def backend(self, project, *arguments):
        """Return the backend with the token that a command made."""
        made = json.loads(command(*arguments, "--json"))
        project = project or Project.objects.get(project_id=made["projectId"])
        return Backend(project, f"{made['TokenId']}:{made['TokenSecret']}")

    def invite(self, name, backend=None):
        """Return the address of a new link. Each student has a number of his own."""
        backend = backend or self.college
        mobile = f"+91 98450 {10000 + sum(name.encode())}"
        student = {"name": f"{name.title()} Rao", "email": f"{name}@example.com", "mobile": mobile}
        body = backend.link_body(**student)
        answer = backend.post(LINK, body, headers={"X-Reference": f"APP-{name}"})
        return answer.json()["redirect-url"]

    def begin(self, name, pages=0, language="en", browser=None, backend=None, **choice):
        """Let a student start a fresh link and answer some pages; return browser and page."""
        browser = browser or Browser()
        url = f"{self.invite(name, backend)}&language={language}"
        page = browser.answer_subjects(browser.start(url, **choice))
        for _ in range(pages):
            self.clock.shift(20)
            page = browser.go_on(page)
        assert page.name in {"section", "question", "ideas"}, page.text
        return browser, page

    def complete(self, name, **more):
        """Let a student finish; return browser and attempt."""
        browser, page = self.begin(name, **more)
        while page.name != "result":
            self.clock.shift(20)
            chosen = {"course": page.form.offered("course")[:2]}
            if page.name == "section":
                chosen = {"begin": "yes"}
            for question in page.form.questions:
                offered = page.form.offered(question)
                chosen[question] = offered[crc32(f"{name} {question}".encode()) % len(offered)]
            page = browser.press(page, chosen)
        return browser, self.attempt(name)

    def attempt(self, name):
        return Attempt.objects.filter(student__email=f"{name}@example.com").latest("pk")

    def first_day(self):
        onboard = ("onboard_partner", "Northern Portal", "--project")
        self.college = self.backend(None, *onboard, "Sahyadri College", "--courses", COURSES)
        self.late_college = self.backend(None, *onboard, "Late College")
        self.tests = self.backend(None, *onboard, "Sahyadri College, tests", "--test")
        project = self.college.project
        self.endpoint = WebhookEndpoint.objects.set_up(
            project, self.receiver.url, sends_expired_links=True, by=BY
        )
        self.begin("late", pages=3)
        browser, attempt = self.complete("hindi", language="hi")
        course = attempt.recommendations[0]["code"]
        browser.post(inside("result", attempt), {"dismiss": course})
        page = browser.open(inside("private-link", attempt))
        page = browser.post(page.form.action, {**page.form.filled, "make": "yes"})
        [self.facts["private"]] = re.findall(
            r'value="http://testserver([^"]+\?key=[^"]+)"', page.text
        )
        for stage in ("applied", "enrolled"):
            said = {"email": "hindi@example.com", "Stage": stage, "CourseCode": course}
            self.college.read(OUTCOME, **said)
        self.complete("erased")
        self.begin("erased", pages=2)
        command("erase_student", project.project_id, "erased@example.com", "--yes")
        Browser(HTTP_USER_AGENT="WhatsApp/2.23.20.0").get(self.invite("expired"))
        browser, _ = self.begin("left", pages=2)
        browser.press(browser.open(inside("leave", self.attempt("left"))), {"leave": "yes"})
        browser, _ = self.begin("again", pages=2)
        self.begin("again", browser=browser, start="again")
        self.attempt("again").close(reason="asked by phone", by=BY)
        self.invite("cancelled")
        self.college.read(CANCEL, email="cancelled@example.com")
        command("deliver_webhooks", "--once")
        command("issue_token", project.project_id, "--label", "expired", "--expires-in", "5d")

    def yesterday(self):
        project = self.college.project
        # A second catalogue: a course less, and another name.
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            *lines, last, _ = COURSES.read_text().splitlines()
            file.write("\n".join([*lines, last.replace(",", ",New ", 1), ""]))
            file.flush()
            command("load_courses", project.project_id, file.name)
        self.endpoint.rotate_secret(by=BY, overlap=timedelta(days=7), seen_version=1)
        self.facts["webhook secret"] = self.endpoint.secret
        # The event of this end is tried in vain.
        self.complete("english")
        self.receiver.answer = status(503)
        command("deliver_webhooks", "--once")
        self.endpoint.change({"url": "https://hooks.example.com/assess"}, by=BY)
        # The old token still works for a week.
        self.facts["ending credential"] = self.college.credential
        self.college = self.backend(project, "rotate_token", self.college.token, "--overlap", "7d")
        other = self.backend(project, "issue_token", project.project_id, "--expires-in", "10d")
        command("revoke_token", other.token, "--yes", "--reason", "a trial")
        # Another college asks the age, has no courses at first, and ends a token at once.
        late = self.late_college
        address = f"/admin/partners/project/{late.project.pk}/change/"
        assert edit(self.staff, address, {"consent_mode": "ask"}).status_code == 302
        self.complete("minor", backend=late, **MINOR)
        command("load_courses", late.project.project_id, COURSES)
        command("fill_results", late.project.project_id, "--yes")
        command("rotate_token", late.token, "--overlap", "0")

    def today(self):
        project = self.college.project
        # In the midst of the puzzles, which depend on earlier answers, in a second browser.
        self.begin("open", pages=8)
        browser, page = self.begin("open", start="continue", pages=1)
        self.tests.link(email="completed@example.com")
        self.college.post(LINK, {"projectId": project.project_id})
        LOG.write()
        pasted = "name,email,mobile\nInvited Rao,invited@example.com,+91 98450 20202"
        self.staff.post(f"/admin/partners/project/{project.pk}/invite/", {"pasted": pasted})
        role = Group.objects.get(name="Support").pk
        self.staff.post(accounts.page("user_add"), {"username": "bina", "groups": [role]})
        command("purge", "--apply")
        command("note_success", "backup")
        self.facts |= {
            "project": project.project_id,
            "credential": self.college.credential,
            "open": inside("attempt", self.attempt("open")),
            "question": page.place,
            "cookies": browser.cookies,
            "unused": self.invite("unused").removeprefix(settings.APP_URL),
        }

    def answers(self):
        """Return what partners and staff are told now: answers to calls, and the figures."""
        ended = self.college.read(FEED)["Assessments"]
        calls = [[DETAIL, {"AssessmentId": each["AssessmentId"]}] for each in ended]
        calls += [[FEED, {"limit": len(ended)}]]
        students = self.college.project.student_set.order_by("pk")
        for each in [each for each in students if not each.is_erased]:
            calls += [[path, {"email": each.email}] for path in (RESULTS, STATUS)]
        said = [[path, fields, self.college.read(path, **fields)] for path, fields in calls]
        return {"calls": said, "figures": figures(self.staff.get(FIGURES).content.decode())}


def figures(page):
    """Return the totals of the page of figures, without their labels."""
    return re.findall(r'<dd class="figure">\s*(.*?)\s*</dd>', page)
