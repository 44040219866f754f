"""The demo: a start without any setting, and a second one with the data of the first."""

import re
import shlex

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from assessments.made_up import demo
from assessments.made_up.demo import seed
from assessments.models import AssessmentLink, Attempt, Course, Student
from assessments.models.link_events import LinkEvent
from partners.models import Partner, Project
from tests.factories import issued_token
from tests.support.browser import Browser
from tests.support.commands import run
from tokens.models import AccessToken

pytestmark = pytest.mark.sqlite


@pytest.fixture
def in_demo_mode(db, settings, monkeypatch):
    settings.MODE = "demo"
    settings.APP_URL = settings.APP_URL  # put back after the test, as the command sets it
    monkeypatch.setenv("APP_URL", "")
    monkeypatch.setattr(demo, "STUDENTS", [("completed", 1, "Meena Das")])


def start(*options):
    return run("demo", "--no-serve", *options, no_color=True)[0]


def paste_curl_lines(printed):
    """Call what the lines call, in their order; return the answers."""
    answers = []
    for line in map(shlex.split, re.findall(r"^\s*(curl .*)$", printed, re.M)):
        path = line[2].partition("//")[2].partition("/")[2]
        headers = dict(each.split(": ", 1) for each in line if ": tok_" in each)
        body = line[line.index("-d") + 1]
        called = Client().post(f"/{path}", body, "application/json", headers=headers)
        assert called.status_code == 200
        answers.append(called.json())
    return answers


@pytest.mark.usefixtures("in_demo_mode")
def test_what_it_prints_works(settings):
    assert "Everybody in your network" in start("--host", "192.168.1.20")
    printed = start("--port", "8123")
    assert "Everybody in your network" not in printed
    assert Partner.objects.count() == User.objects.count() == 1
    assert list(Project.objects.order_by("pk").values_list("is_test", flat=True)) == [False, True]
    assert Course.objects.active().count() == 2 * 24
    assert AccessToken.objects.live().count() == 2
    assert AssessmentLink.objects.count() == 1 + 2

    settings.ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
    link, *_ = re.findall(r"http://127.0.0.1:8123(/\S+/assessment\?token=\S+)", printed)
    assert Browser().start(link).asks_subjects
    [result] = re.findall(r"http://127.0.0.1:8123(\S+/result\?key=\S+)", printed)
    assert Browser().get(result).name == "private-result"

    # The last two lines are of the test project, which gives a completed result at once.
    issued, *_, magic, results = paste_curl_lines(printed)
    assert issued["redirect-url"].startswith("http://127.0.0.1:8123/prj_")
    assert "tok_test_" in printed
    assert list(magic) == ["redirect-url"]
    [record] = results
    assert record["Status"] == "Completed"
    assert len(record["Recommendations"]) >= 3


def test_its_students_are_in_every_state(bank, project):
    seed(project, issued_token(project)[0], timezone.now())

    at = timezone.now()
    links = AssessmentLink.objects.with_attempts()
    assert links.count() == 30
    states = {link.state_at(at).value for link in links}
    assert states == {"unused", "in-use", "finished", "ended", "expired"}
    assert set(Attempt.objects.completed().values_list("language", flat=True)) == {"en", "hi"}
    assert Attempt.objects.flagged().count() == 1
    assert {"opened", "robot"} <= set(LinkEvent.objects.values_list("kind", flat=True))
    assert not Student.objects.filter(created_at__gt=at).exists()


@pytest.mark.django_db
def test_it_never_touches_another_database():
    with pytest.raises(CommandError, match=r"manage\.py demo"):
        call_command("demo", "--no-serve")

    assert not Partner.objects.exists()


@pytest.mark.usefixtures("in_demo_mode")
def test_a_port_that_is_none_and_a_host_that_opens_nothing_are_refused(monkeypatch):
    with pytest.raises(CommandError, match="no address"):
        call_command("demo", host="0.0.0.0")
    with pytest.raises(CommandError, match="can't be used"):
        call_command("demo", port=70_000)
    monkeypatch.setenv("PORT", "http")
    with pytest.raises(CommandError, match="invalid int value: 'http'"):
        call_command("demo", "--no-serve")
