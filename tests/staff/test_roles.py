"""Every page of the staff's site: who gets in, what its address may ask, and no lost update."""

import html
from http.cookies import SimpleCookie
from types import SimpleNamespace

import pytest
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.test import Client
from django.urls import reverse

from assessments.models import Attempt
from partners.models import AuditEvent, Project
from tests import roles
from tests.assessments.attempts import issue
from tests.factories import CourseFactory, UserFactory, staff_as
from tests.staff.rows import address, make_rows, staff_pages
from tests.support.admin_forms import edit, forms_of, opened
from tests.support.browser import Page

pytestmark = pytest.mark.django_db

NO_ROLE, ANONYMOUS = "no role", "anonymous"
VISITORS = {
    "S": roles.SUPPORT,
    "C": roles.CONTENT,
    "A": roles.AUDITOR,
    "M": roles.ADMINISTRATOR,
    "-": NO_ROLE,
}
ALL = "SCAM-"
OPENS, DONE, AWAY = {200}, {200, 302}, {302}
MISSING, REFUSED, NOT_SO, GONE = {404}, {403}, {405}, {410}


def page(read, sent, **answers):
    """Say who may read a page and who may send to it, by initials, and what they get.

    Other staff get `refused`. A visitor who is not signed in is led to the sign-in page, unless
    `stranger` says otherwise.
    """
    usual = {"reads": OPENS, "sends": DONE, "refused": REFUSED, "stranger": None}
    return SimpleNamespace(read=read, sent=sent, **usual | answers)


# Django's pages of each model: who may look at its rows, add, change and delete one. The list
# is shown whichever way it is asked for.
MODELS = {
    #                              look    add   change delete
    "partners_partner":           ("SCAM", "SM", "SM", ""),
    "partners_project":           ("SCAM", "SM", "SM", ""),
    "partners_auditevent":        ("AM",   "",   "",   ""),
    "tokens_accesstoken":         ("SAM",  "",   "",   ""),
    "assessments_student":        ("SAM",  "",   "",   ""),
    "assessments_assessmentlink": ("SAM",  "",   "",   ""),
    "assessments_attempt":     ("SAM",  "",   "",   ""),
    "assessments_refusedcall":    ("SAM",  "",   "",   ""),
    # changed by pages of their own
    "assessments_webhookendpoint": ("SAM", "",   "",   ""),
    "assessments_course":         ("SCAM", "CM", "CM", ""),
    "assessments_item":           ("CAM",  "",   "",   ""),
    "assessments_itembank":       ("CAM",  "",   "",   ""),
    "auth_user":                  ("AM",   "M",  "M",  ""),
    "auth_group":                 ("AM",   "",   "",   ""),
}  # fmt: skip
PAGES = {
    "index": page(ALL, ALL),
    "login": page(ALL, ALL, reads=AWAY, sends=OPENS, stranger=OPENS),
    # the only page that leads out
    "logout": page(ALL, ALL, reads=AWAY, sends=AWAY, stranger=AWAY),
    "sign_in_code": page(ALL, ALL, reads=AWAY, sends=AWAY),
    "second_factor": page(ALL, ALL),
    # says that it needs a link
    "choose_password": page(ALL, ALL, reads=GONE, sends=GONE, stranger=GONE),
    "account": page(ALL, ALL),
    # leads to the account where there is no second factor yet
    "recovery_codes": page(ALL, ALL, reads=DONE),
    "password_change": page(ALL, ALL),
    "password_change_done": page(ALL, "", refused=NOT_SO),
    "jsi18n": page(ALL, "", refused=NOT_SO),
    "view_on_site": page(ALL, ALL, reads=MISSING, sends=MISSING),
    "app_list": page("SCAM", "SCAM", refused=MISSING),
    "alive": page(ALL, ALL, sends=OPENS),
    "onboard": page("SM", "SM"),
    "invite": page("SM", "SM"),
    # lead back to the page that takes a file, because the file is not theirs
    "invite_columns": page("SM", "SM", reads=AWAY, sends=AWAY),
    "invite_check": page("SM", "SM", reads=AWAY, sends=AWAY),
    "assessments_course_columns": page("CM", "CM", reads=AWAY, sends=AWAY),
    "assessments_course_compare": page("CM", "CM", reads=AWAY, sends=AWAY),
    "preview": page("SCAM", "SCAM", sends={303}),
    "partners_project_close": page("SM", "SM"),
    "partners_project_reopen": page("SM", "SM", reads=DONE),
    # leads back to the project, which has no result without courses here
    "partners_project_fill": page("SCM", "SCM", reads=AWAY, sends=AWAY),
    "tokens_accesstoken_issue": page("SM", "SM"),
    "tokens_accesstoken_rotate": page("SM", "SM"),
    "tokens_accesstoken_revoke": page("SM", "SM"),
    # leads back to the token, which still works here
    "tokens_accesstoken_cancel_links": page("SM", "SM", reads=AWAY, sends=AWAY),
    "assessments_assessmentlink_find": page("SAM", "SAM"),
    "assessments_assessmentlink_cancel": page("SM", "SM"),
    "assessments_student_issue": page("SM", "SM"),
    # leads back to the student, who has started
    "assessments_student_correct_email": page("SM", "SM", reads=AWAY, sends=AWAY),
    "assessments_student_erase": page("M", "M"),
    "assessments_attempt_close": page("SM", "SM"),
    "assessments_attempt_extend": page("SM", "SM"),
    # leads back to the attempt, whose result has no private link here
    "assessments_attempt_end_private_link": page("SM", "SM", reads=AWAY),
    # of a project that the address names, which is missing here
    "assessments_webhookendpoint_set_up": page("SM", "SM", reads=MISSING, sends=MISSING),
    "assessments_webhookendpoint_edit": page("SM", "SM"),
    "assessments_webhookendpoint_secret": page("SM", "SM"),
    "assessments_webhookendpoint_test": page("SM", "SM"),
    "assessments_webhookendpoint_replay": page("SM", "SM"),
    "assessments_webhookendpoint_switch_off": page("SM", "SM"),
    # leads back to the endpoint, which is on here
    "assessments_webhookendpoint_switch_on": page("SM", "SM", reads=AWAY, sends=AWAY),
    "assessments_course_catalogue": page("SCAM", "", refused={403, 405}),
    "assessments_course_load": page("CM", "CM"),
    "assessments_course_download": page("SCAM", "", refused={403, 405}),
    "assessments_course_earlier": page("SCAM", "", refused={403, 405}),
    "assessments_course_restore": page("CM", "CM"),
    "assessments_projectfigures_changelist": page("SCAM", "", refused={403, 405}),
    "assessments_projectfigures_download": page("SCAM", "", refused={403, 405}),
    # of a project that the address names, which is missing here
    "assessments_projectfigures_unfinished": page("SAM", "", reads=MISSING, refused={403, 405}),
    "assessments_projectfigures_fresh_links": page("SM", "SM", reads=MISSING, sends=MISSING),
    "assessments_projectfigures_export": page("M", "M"),
    "assessments_itembank_make_current": page("CM", "CM", reads=DONE),
    "assessments_itembank_retire": page("CM", "CM", reads=DONE),
    "assessments_item_preview": page("CAM", "CAM"),
    # leads back to the account, which chooses its own password
    "auth_user_password_link": page("M", "M"),
    # leads to the page of the object, which then refuses
    "<path:object_id>/": page(ALL, ALL, reads=AWAY, sends=AWAY),
    "(?P<url>.*)$": page(ALL, ALL, reads=MISSING, sends=MISSING),
}
for _model, (_look, _add, _change, _delete) in MODELS.items():
    PAGES |= {
        f"{_model}_changelist": page(_look, _look),
        f"{_model}_change": page(_look, _change),
        f"{_model}_add": page(_add, _add),
        f"{_model}_delete": page(_delete, _delete),
    }


def test_every_page_has_a_row_in_the_table():
    """If a page is new, say in PAGES who may read it and send to it, or in MODELS for a model."""
    assert {name for name, _route in staff_pages()} == set(PAGES)


@pytest.mark.slow
@pytest.mark.parametrize("initial", [*VISITORS, ANONYMOUS])
def test_each_page_opens_for_those_who_may_and_for_nobody_else(initial):
    rows = make_rows()
    visitor = Visitor(None if initial == ANONYMOUS else VISITORS[initial])
    surprises = []

    for name, route in staff_pages():
        for method, may, answers in (
            ("GET", PAGES[name].read, PAGES[name].reads),
            ("POST", PAGES[name].sent, PAGES[name].sends),
        ):
            where = address(name, route, rows)
            got, is_login, traces = visitor.ask(method, where)
            if initial == ANONYMOUS:
                right = PAGES[name].stranger
                fits = got in right if right is not None else is_login
            elif initial in may:
                fits = got in answers and (not is_login or name == "logout")
            else:
                fits = got in PAGES[name].refused and not traces
            if not fits or got >= 500:
                surprises.append(f"{method} {where} ({name}): {got}")

    assert not surprises, "\n".join(map(str, surprises))


def test_not_even_a_superuser_deletes_a_row_or_edits_what_has_no_form(admin_client, rows):
    made = make_rows()
    before = rows()
    forged = {"post": "yes", "_save": "Save", "form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1"}

    for model, (_look, add, change, _delete) in MODELS.items():
        base = f"/admin/{model.replace('_', '/')}/"
        pk = made[model].pk
        for page, may in ((f"{pk}/delete/", ""), ("add/", add), (f"{pk}/change/", change)):
            if not may:
                assert admin_client.post(base + page, forged).status_code == 403, base + page
        admin_client.post(base, {**forged, "action": "delete_selected", "_selected_action": pk})

    assert {**rows(), "AuditEvent": rows()["AuditEvent"][: len(before["AuditEvent"])]} == before
    assert made["auth_user"].groups.get() == made["auth_group"]


class Visitor:
    """Somebody with a role, or nobody. What they do is undone: each page meets the same rows."""

    def __init__(self, role):
        # One client for all pages: a new one looks through all static files before it asks.
        self.client = Client(raise_request_exception=False)
        if role is not None:
            user = staff_as() if role == NO_ROLE else staff_as(role)
            user.set_password("a long password for tests")
            user.save()
            self.client.force_login(user)
        self.cookies = {name: morsel.value for name, morsel in self.client.cookies.items()}
        self.traces = _traces()

    def ask(self, method, where):
        """Return the status, whether it leads to the sign-in, and whether it left a trace."""
        self.client.cookies = SimpleCookie(self.cookies)
        with transaction.atomic():
            response = self.client.generic(
                method, where, "post=yes", content_type="application/x-www-form-urlencoded"
            )
            to_login = response.headers.get("Location", "").startswith("/admin/login/")
            left = _traces() != self.traces
            transaction.set_rollback(True)
        return response.status_code, response.status_code == 302 and to_login, left


def _traces():
    # A refusal itself is recorded.
    acts = AuditEvent.objects.exclude(action="staff.refused")
    return acts.count(), LogEntry.objects.count()


BIG = "99999999999999999999999"
LIST = [
    *(f"p={BIG}", "p=-1", "p=" + "9" * 5000, "p=x", "all=", "o=99.-1.x", "o=-", "q=%27%22%25"),
    *("q=" + "x" * 3000, "e=1", f"e=1&p={BIG}", "_popup=1", "_facets=True", "_to_field=id"),
    *("_to_field=password", "id=1", "pk__in=1,x", "state=x", "role=x", "bank=x", "project=x"),
    *(f"project={BIG}", f"bank={BIG}", "is_active__exact=x", "section=%F0%9F%A6%8A", "period=x"),
    *("student__project__id__exact=x", f"project__id__exact={BIG}"),
    "_changelist_filters=x%3D1%26x%3D2",
]
CHANGE = [f"p={BIG}", "_changelist_filters=x%3D1%26x"]
BEGUN = ["abc", "%20", "1.5", "%ED%A0%80", "9" * 23, "9" * 5000, "-1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pages", "queries", "allowed"),
    [(("_changelist", "_compare"), LIST, {200, 302, 400}), (("_change",), CHANGE, {200, 302})],
    ids=["lists", "rows"],
)
def test_no_query_breaks_a_list_or_the_page_of_a_row(admin_client, pages, queries, allowed):
    rows = make_rows()
    where = [address(*each, rows) for each in staff_pages() if each[0].endswith(pages)]

    found = {(path, q[:40]): admin_client.get(f"{path}?{q}") for path in where for q in queries}

    statuses = {asked: answer.status_code for asked, answer in found.items()}
    assert {asked: got for asked, got in statuses.items() if got not in allowed} == {}


@pytest.mark.slow
@pytest.mark.usefixtures("project")
def test_no_query_breaks_a_form_begun_for_a_row(admin_client):
    begun = (
        "assessments/course/add/?project",
        "partners/project/add/?partner",
        "onboard/?partner_name",
    )

    for path in begun:
        for query in BEGUN:
            found = admin_client.get(f"/admin/{path}={query}").status_code
            assert found in {200, 404}, (path, query[:30])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "field", "theirs", "mine"),
    [
        ("partners_partner_change", "name", "Acme", "Apex"),
        ("partners_project_change", "name", "Riverside", "Lakeside"),
        ("assessments_course_change", "name", "Botany", "Biology"),
        (
            "assessments_webhookendpoint_edit",
            "url",
            "https://a.example.com/hook",
            "https://b.example.com/hook",
        ),
        ("auth_user_change", "first_name", "Asha", "Bina"),
    ],
)
def test_no_save_overwrites_anothers_value_unasked(page, field, theirs, mine):
    where = address(page, dict(staff_pages())[page], make_rows())
    client, colleague = Client(), Client()
    for each in (client, colleague):
        each.force_login(UserFactory.create(is_superuser=True))
    form = opened(client, where)
    edit(colleague, where, {field: theirs})

    refused = client.post(where, form.sent({field: mine, "_save": "1"}))

    assert "while you were editing" in html.unescape(refused.content.decode())
    assert opened(client, where).controls[field].sends == [theirs]
    [again] = forms_of(refused)
    client.post(where, again.sent({"_save": "1"}))
    assert opened(client, where).controls[field].sends == [mine]


# Markup, and what needs none.
PAYLOADS = [
    '"><svg/onload=alert(1)></title><script>alert(1)</script><img/src=x/onerror=alert(1)>',
    "'onmouseover='alert(1){{31337*3}}{{31337|add:62674}}{%debug%}javascript:alert(1)",
]
EXECUTED = ("<script>alert(1)", "<img/src=x", "<svg/onload", "onerror=alert(1)>", "'onmouseover='")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_on_the_pages_and_lists_of_staff(bank, project, browser, admin_client, payload):
    Project.objects.filter(pk=project.pk).update(name=payload)
    course = CourseFactory.create(project=project, name=payload)
    browser.start(issue(project, name=payload)[1])

    attempt = Attempt.objects.get()
    for row in (attempt.links.get(), attempt.student, attempt, course):
        name = f"admin:assessments_{row._meta.model_name}"
        for path in (reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])):
            text = Page(admin_client.get(path)).text
            assert [each for each in (*EXECUTED, ">94011") if each in text] == []
