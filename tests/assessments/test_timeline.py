"""What is said of a link in every state, the line of what happened to it, and who fetched it."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import DatabaseError
from django.template.loader import render_to_string

from assessments.models import AssessmentLink, Attempt, LinkEvent, Student
from assessments.models.ended import End
from assessments.models.link_events import (
    MAX_EVENTS,
    SHARES,
    FetchKind,
    LinkEventQuerySet,
)
from assessments.models.link_history import LinkHistory, diagnose, events
from assessments.models.links import LinkState
from assessments.student.robots import HEADLESS, PRELOAD, PROGRAM, identify_robot
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue
from tests.support.browser import Browser
from tokens.models import AccessToken

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
TOTAL = "14 of 44 answered"


def hours(count):
    return NOON + timedelta(hours=count)


def link_of(attempt=None, closed=None, revoked=None, **fields):
    project = Project(time_zone="UTC", closed_at=closed and hours(closed))
    token = AccessToken(revoked_at=revoked and hours(revoked))
    return AssessmentLink(
        pk=7,
        student=Student(project=project),
        access_token=token,
        attempt=attempt,
        issued_at=NOON,
        expires_at=hours(72),
        used_at=hours(3) if attempt else None,
        **fields,
    )


def fetch(hour, kind, what=""):
    return LinkEvent(at=hours(hour), kind=kind, what=what)


def attempt_of(last=4, **fields):
    attempt = Attempt(assessment_id="asm_1", started_at=hours(3), finish_by_at=hours(27), **fields)
    attempt.last_answered_at = last and hours(last)
    return attempt


def used(attempt=None, state=LinkState.IN_PROGRESS, revoked=None, **facts):
    """Return the history of a link with an attempt, by default one in progress."""
    link = link_of(attempt or attempt_of(), revoked=revoked)
    sections = [("Interests", hours(3))]
    facts = {"uses": [link], "progress": TOTAL, "sections": sections, **facts}
    return LinkHistory(link, state, **facts)


def ended(how, read=None, filled=None):
    over = "completed_at" if how == End.COMPLETED else "abandoned_at"
    times = {over: hours(6), "courses_filled_at": filled and hours(filled)}
    attempt = attempt_of(results_read_at=read and hours(read), **times)
    state = LinkState.COMPLETED if how == End.COMPLETED else LinkState.ABANDONED
    return used(attempt, state, ended=how)


UNUSED = LinkHistory(link_of(), LinkState.UNUSED, issued_by="by access token tok_1")
ROBOT, OPENED = fetch(1, "robot", "WhatsApp (chat preview)"), fetch(2, "opened")
IN_USE = used()
MOVED = replace(IN_USE, uses=[*IN_USE.uses, AssessmentLink(pk=9, used_at=hours(5))])
EXPIRED = replace(UNUSED, state=LinkState.EXPIRED)
CANCELLED = LinkHistory(
    link_of(cancelled_at=hours(5)), LinkState.CANCELLED, cancelled_by="by anna: wrong address"
)
CLOSED = LinkHistory(link_of(closed=1), LinkState.PROJECT_CLOSED)
ELSEWHERE, AT_ONCE = fetch(5, "refused", "in-use"), fetch(3.5, "refused", "in-use")

CASES = [
    (UNUSED, "unopened"),
    (replace(UNUSED, fetches=[ROBOT]), "robots-only"),
    (replace(UNUSED, fetches=[ROBOT, OPENED]), "not-started"),
    (EXPIRED, "expired-unopened"),
    (replace(EXPIRED, fetches=[ROBOT]), "expired-robots-only"),
    (replace(EXPIRED, fetches=[OPENED]), "expired-not-started"),
    (replace(EXPIRED, fetches=[fetch(80, "refused", "expired")]), "expired-unopened"),
    (CANCELLED, "cancelled"),
    (replace(CANCELLED, fetches=[ROBOT, fetch(80, "refused", "cancelled")]), "cancelled"),
    (CLOSED, "project-closed"),
    (IN_USE, "in-progress"),
    (used(attempt_of(last=None)), "in-progress"),
    (replace(IN_USE, fetches=[ELSEWHERE]), "other-browser"),
    (replace(IN_USE, fetches=[AT_ONCE]), "in-progress"),
    (MOVED, "moved"),
    (ended(End.LEFT), "left"),
    (ended(End.REPLACED), "replaced"),
    (used(state=LinkState.ABANDONED, ended=End.LATE), "late"),
    (ended(End.CLOSED), "closed"),
    (replace(ended(End.ERASED), erased_at=hours(6)), "erased"),
    (ended(End.COMPLETED), "completed-unread"),
    (ended(End.COMPLETED, read=8), "completed-read"),
]


def shown(history):
    attempt = history.link.attempt
    context = {
        "diagnosis": diagnose(history),
        "history": None if history.erased_at else history,
        "ended_at": attempt and attempt.ends_at,
        "student": history.link.student,
    }
    html = render_to_string("admin/assessments/_diagnosis.html", context)
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&#x27;", "'").split())


@pytest.mark.parametrize(("history", "code"), CASES)
def test_what_happened_and_what_to_do(history, code):
    assert diagnose(history) == code
    assert shown(history).endswith(".")


REVOKED = "the link still works"
MOVABLE = "issue a fresh link: its page says whether it continues the attempt on any device"


@pytest.mark.parametrize(
    ("history", "said"),
    [
        (replace(UNUSED, link=link_of(revoked=4)), REVOKED),
        (used(revoked=4), REVOKED),
        *((IN_USE, MOVABLE), (replace(IN_USE, fetches=[ELSEWHERE]), MOVABLE)),
        (replace(EXPIRED, newer=9), "The student has a newer link, #9."),
    ],
)
def test_what_to_do_depends_on_tokens_numbers_and_other_links(history, said):
    assert said in shown(history)


def test_the_whole_timeline_is_in_its_order():
    left = replace(ended(End.LEFT, read=8), uses=MOVED.uses)
    given = AuditEvent(at=hours(4.5), action="attempt.extended", actor="anna", reason="exam week")
    history = replace(
        left,
        link=link_of(left.link.attempt, revoked=7),
        issued_by="by access token tok_1",
        actions=[given],
        fetches=[ROBOT, OPENED, fetch(3.2, "opened"), ELSEWHERE],
    )

    entries = [
        ((each.at - NOON) / timedelta(hours=1), each.text, each.detail)
        for each in events(history, hours(100))
    ]

    assert entries == [
        (0, "Issued", "by access token tok_1"),
        (1, "Fetched by WhatsApp (chat preview)", "this does not use the link"),
        (2, "Opened", ""),
        (3, "Started", "asm_1, with this link"),
        (3, "Reached “Interests”", ""),
        (3.2, "Opened again in the same browser", ""),
        (4, "Last answer", TOTAL),
        (4.5, "More time given", "by anna: exam week"),
        (5, "Opened, where it could not be started", "in progress"),
        (5, "Continued", "asm_1, with link #9"),
        (6, "Left by the student", TOTAL),
        (7, "The access token that asked for it was revoked", "links already issued still work"),
        (8, "Outcome first read by the partner", ""),
    ]


def test_staff_who_added_courses_to_a_result_are_in_the_line():
    [*_, last] = events(ended(End.COMPLETED, filled=9), hours(100))

    assert (last.at, last.kind) == (hours(9), "staff")


CHROME = (
    "Mozilla/5.0 (Linux; Android 13; SM-A145F) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Mobile Safari/537.36"
)
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
)
COMPATIBLE = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; "

ROBOTS = [
    ("WhatsApp/2.24.11.79 A", "WhatsApp (chat preview)"),
    ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
     "facebook (chat preview)"),
    (f"{SAFARI} facebookexternalhit/1.1 Facebot Twitterbot/1.0", "Apple Messages (chat preview)"),
    ("facebookexternalhit/1.1;line-poker/1.0", "LINE (chat preview)"),
    ("TelegramBot (like TwitterBot)", "Telegram (chat preview)"),
    ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Slack (chat preview)"),
    ("Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5", "Skype (chat preview)"),
    ("LinkedInBot/1.0 (compatible; Mozilla/5.0; Jakarta Commons-HttpClient/4.3)",
     "LinkedIn (chat preview)"),
    ("Twitterbot/1.0", "Twitter (chat preview)"),
    ("Microsoft Office/16.0 (Windows NT 10.0; Safelinks)", "Microsoft Office (mail scanner)"),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; Proofpoint URL Defense)",
     "Proofpoint (mail scanner)"),
    ("Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
     "Google (mail scanner)"),
    ("Mozilla/5.0 (compatible; Campus E-Mail Scan)", "E-Mail Scan (mail scanner)"),
    ("Mozilla/5.0 (compatible; Campus Security Scanner/1.0)", "Campus Security Scanner (robot)"),
    (f"{SAFARI} (Applebot/0.1; +http://www.apple.com/go/applebot)", "Applebot (robot)"),
    (f"{COMPATIBLE}GPTBot/1.2; +https://openai.com/gptbot)", "GPTBot (robot)"),
    ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/125.0.0.0 Safari/537.36",
     HEADLESS),
    ("curl/8.5.0", PROGRAM),
    ("Dalvik/2.1.0 (Linux; U; Android 12; RMX3501)", PROGRAM),
    ("", PROGRAM),
    ("something of our own 1.0", PROGRAM),
    ("Mozilla/5.0 (compatible; NeverHeardOfBot/0.1)", "NeverHeardOfBot (robot)"),
]  # fmt: skip
PEOPLE = [  # browsers inside apps, apps and phones that sound like robots, phones of few words
    CHROME,
    SAFARI,
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
    f"{CHROME} Telegram-Android/10.14.5 (Samsung SM-A145F; Android 13; SDK 33; AVERAGE)",
    f"{SAFARI} [FBAN/FBIOS;FBAV/468.0.0.38.94;FBDV/iPhone13,2]",
    f"{SAFARI} Line/14.7.1",
    f"{CHROME} Slack_SSB/4.38.125",
    f"{CHROME} QR Scanner/3.2",
    f"{SAFARI} CurlScan/1.0",
    CHROME.replace("SM-A145F", "CUBOT_X18_Plus"),
    "Opera/9.80 (J2ME/MIDP; Opera Mini/7.1.32052/191.308; U; en) Presto/2.12.423 Version/12.16",
    "UCWEB/2.0 (MIDP-2.0; U; Adr 4.4.2; en-US) U2/1.0.0 UCBrowser/10.7.9.856 Mobile",
    "Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
]


@pytest.mark.parametrize(
    ("method", "headers", "name"),
    [
        *(("GET", {"User-Agent": user_agent}, name) for user_agent, name in ROBOTS),
        *(("GET", {"User-Agent": user_agent}, "") for user_agent in PEOPLE),
        ("HEAD", {"User-Agent": CHROME}, PROGRAM),
        ("GET", {"User-Agent": CHROME, "Range": "bytes=0-99"}, PROGRAM),
        ("GET", {"User-Agent": CHROME, "Purpose": "prefetch"}, PRELOAD),
        ("GET", {"User-Agent": CHROME, "Purpose": ""}, ""),
        ("POST", {"User-Agent": CHROME}, ""),
    ],
)
def test_a_robot_has_a_name_and_a_persons_browser_has_none(method, headers, name):
    assert identify_robot(method, headers) == name


AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
WHATSAPP = "WhatsApp/2.24.11.79 A"


def open_as(url, user_agent=CHROME):
    return Browser().client.get(url, HTTP_USER_AGENT=user_agent).status_code


@pytest.mark.usefixtures("bank")
def test_the_same_within_ten_minutes_is_kept_once(project):
    link, url = issue(project, AT)

    with time_machine.travel(AT, tick=False) as clock:
        for user_agent in (CHROME, WHATSAPP, CHROME, "curl/8.5.0", WHATSAPP, CHROME):
            assert open_as(url, user_agent) == 200
            clock.shift(timedelta(minutes=1))
        clock.shift(timedelta(minutes=10))
        open_as(url)

    assert list(link.events.order_by("number").values_list("number", "kind", "what")) == [
        (1, "opened", ""),
        (2, "robot", "WhatsApp (chat preview)"),
        (3, "robot", "a program"),
        (4, "opened", ""),
    ]


@pytest.mark.usefixtures("bank")
def test_neither_address_nor_browser_is_kept(project):
    link, url = issue(project)

    Browser(address="203.0.113.7").client.get(url, HTTP_USER_AGENT=f"curl/8 {CHROME}")

    (row,) = LinkEvent.objects.filter(link=link).values()
    assert set(row) == {"id", "link_id", "number", "at", "kind", "what"}
    assert row["what"] == "a program"


def test_robots_leave_room_for_the_student_and_at_most_twenty_are_kept(project):
    link, _ = issue(project, AT)

    for kind in FetchKind:
        for number in range(30):
            LinkEvent.objects.note(link, kind, "", AT + timedelta(minutes=11 * number))

    assert SHARES == {FetchKind.ROBOT: 8, FetchKind.OPENED: 8, FetchKind.REFUSED: 4}
    kinds = [kind for kind in FetchKind for _ in range(SHARES[kind])]
    assert list(link.events.order_by("number").values_list("number", "kind", "what")) == [
        (number, kind, "") for number, kind in enumerate(kinds, 1)
    ]
    assert len(kinds) == MAX_EVENTS


@pytest.mark.usefixtures("bank")
def test_a_page_opens_though_its_fetch_cannot_be_stored(project, monkeypatch, caplog):
    link, url = issue(project)

    def fail(*_, **__):
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(LinkEventQuerySet, "create", fail)

    assert open_as(url) == 200

    assert list(link.events.order_by("number").values_list("number", "kind", "what")) == []
    assert f"link {link.pk}" in caplog.text
    assert url.partition("token=")[2] not in caplog.text
