"""Find the pages of the admin, so that new ones are measured without being listed."""

import re
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from itertools import product
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Count
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone

from assessments.models import AssessmentLink, Attempt, Item, Student
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from bench.rows import OFFSET
from partners.models import AuditEvent, Project
from tokens.models import AccessToken

# Pages that belong to the sign-in; figures, which are timed by themselves.
PASSED_OVER = {
    *("login", "logout", "jsi18n", "alive"),
    *("assessments_projectfigures_changelist", "assessments_projectfigures_download"),
}
# Parameters of pages that need a file, lead elsewhere, or show what other pages show.
NOT_KNOWN = {"upload", "content_type_id", "app_label", "name"}
# Pages of a project, though their URL names begin with another model.
OF_PROJECT = ("invite", "assessments_course_", "assessments_projectfigures_")
LINK = re.compile(r'href="([^"?#]*)(\?[^"#]*)"')


@dataclass(frozen=True)
class Page:
    """An address; with `term`, a search posted to it. With `leads_on`, follow its links."""

    name: str
    path: str
    term: str = ""
    leads_on: bool = False


def first_pages():
    """Yield the pages that no other page needs to lead to."""
    for name, parameters in addresses(admin.site.get_urls()):
        if name in PASSED_OVER or NOT_KNOWN.intersection(parameters):
            continue
        if not parameters:
            yield Page(name, reverse(f"admin:{name}"), leads_on=True)
            yield from narrowed(name)
            if name.endswith("_find"):
                for what, term in terms():
                    yield Page(f"{name} {what}", reverse(f"admin:{name}"), term)
        else:
            found = list(objects(model_of(name, parameters)))
            # The delete page looks the same for every object.
            for which, pk in found[:1] if name.endswith("_delete") else found:
                args = [pk]
                if "snapshot" in parameters:
                    args.insert(0, CatalogueSnapshot.objects.get(pk=pk).project_id)
                yield Page(f"{name} {which}", reverse(f"admin:{name}", args=args))
    for label in sorted({model._meta.app_label for model in admin.site._registry}):
        yield Page(f"app {label}", reverse("admin:app_list", args=[label]))


def addresses(patterns):
    """Return the name of every URL of the site, with the names of its parameters."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name, list(pattern.pattern.regex.groupindex)


def narrowed(name):
    """Yield a list as reached from a project's page, and with each kind of search."""
    path = reverse(f"admin:{name}")
    if name == "assessments_projectfigures_unfinished":
        today = timezone.now().date()
        year = f"&first={today - timedelta(days=365)}&last={today}"
        for (which, pk), days in product(objects(Project), ("", year)):
            yield Page(f"{name} of {which} project{days}", f"{path}?project={pk}{days}")
    if not name.endswith("_changelist"):
        return
    model_admin = admin.site._registry[model_of(name)]
    filters = [getattr(entry, "parameter_name", entry) for entry in model_admin.list_filter]
    for which, pk in objects(Project) if "project" in filters else ():
        leads_on = which == "the largest"
        yield Page(f"{name} of {which} project", f"{path}?project={pk}", leads_on=leads_on)
    for what, term in terms() if model_admin.search_fields else ():
        yield Page(f"{name} search {what}", f"{path}?{urlencode({'q': term})}")


def further_pages(page, text):
    """Yield the variants that a page links to: filters, orders, pages, ranges of days."""
    base = page.path.partition("?")[0]
    queries = (unescape(query) for path, query in LINK.findall(text) if path in {"", base})
    for query in dict.fromkeys(queries):
        yield Page(f"{base.removeprefix('/admin')}{query}", base + query)


def model_of(name, parameters=()):
    """Return the model of an admin page from its URL name: `<app>_<model>_<page>`."""
    if "snapshot" in parameters:
        return CatalogueSnapshot
    if "pk" in parameters and name.startswith(OF_PROJECT):
        return Project
    for model in admin.site._registry:
        if name.startswith(f"{model._meta.app_label}_{model._meta.model_name}_"):
            return model
    raise LookupError(f"{name} is no page of a model.")


def objects(model):
    """Yield the name and key of rows of a model whose pages differ."""
    rows = model._default_manager.order_by("pk")
    wanted = {"the oldest": rows, "the newest": rows.reverse()}
    not_ended = {"completed_at": None, "abandoned_at": None}
    now = timezone.now()
    is_open = {**not_ended, "finish_by_at__gt": now}
    if model is Project:
        by_size = Project.objects.alias(size=Count("student")).order_by("size")
        wanted = {"the smallest": by_size, "the largest": by_size.reverse()}
    elif model is Student:
        wanted = {"the busiest": rows.filter(pk=OFFSET + 1), "with one attempt": rows.reverse()}
    elif model is Attempt:
        wanted = {
            "completed": rows.filter(completed_at__isnull=False).reverse(),
            "left": rows.filter(abandoned_at__isnull=False).reverse(),
            "open": rows.filter(**is_open).reverse(),
            "late": rows.filter(**not_ended, pk__gt=OFFSET),
        }
    elif model is AssessmentLink:
        wanted = {
            "completed": rows.filter(attempt__completed_at__isnull=False).reverse(),
            "open": rows.filter(attempt__in=Attempt.objects.filter(**is_open)).reverse(),
            "unused": rows.filter(used_at=None, expires_at__gt=now).reverse(),
            "expired": rows.filter(used_at=None, pk__gt=OFFSET),
            "of the busiest": rows.filter(student_id=OFFSET + 1),
        }
    for which, found in wanted.items():
        pk = found.values_list("pk", flat=True).first()
        if pk is not None:
            yield which, pk


def terms():
    """Return an example of each kind of search term that staff use."""
    student = Student.objects.get(pk=OFFSET + 7)
    project = student.project
    event = AuditEvent.objects.order_by("pk")[0]
    return {
        "mobile as typed": student.mobile.removeprefix("+91"),
        **{name: getattr(student, name) for name in ("email", "mobile", "name")},
        **{name: getattr(event, name) for name in ("actor", "request_id", "object_id")},
        "TokenId": AccessToken.objects.filter(project=project).order_by("pk")[0].token_id,
        "AssessmentId": Attempt.objects.get(pk=OFFSET + 1).assessment_id,
        "project id": project.project_id,
        "name of a project": project.name,
        "course": "BSc",
        "item": Item.objects.order_by("pk")[0].code,
        "who": "staff1",
        "link": f"http://testserver/{project.project_id}/assessment?token={'A' * 22}",
        "nothing": "nobody@nowhere.example",
    }.items()
