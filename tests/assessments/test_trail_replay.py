"""From today's rows, the trail since a moment and the snapshots: how it stood at that moment."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessments.catalogue.course_description import columns_of
from assessments.catalogue.courses_file import parse
from assessments.models import Course
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.catalogues import Catalogue
from partners.models import AuditEvent, Project
from tests.assessments.test_catalogue_file import file
from tests.factories import CourseFactory, UserFactory
from tests.support.admin_forms import edit

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WHO = {"actor": "command:tests"}


def as_json(values: Any) -> Any:
    return json.loads(json.dumps(values, cls=DjangoJSONEncoder))


def settings_of(project: Project) -> dict[str, Any]:
    row = Project.objects.get(pk=project.pk)
    columns = {each.name: each.value_from_object(row) for each in row._meta.concrete_fields}
    return as_json(columns)


def courses_of(project: Project) -> dict[str, Any]:
    return as_json({each.code: columns_of(each.stored) for each in project.courses.all()})


def events_since(project: Project, moment: datetime) -> list[AuditEvent]:
    """Return what happened to a project, the newest first."""
    return list(AuditEvent.objects.about(project).filter(at__gt=moment).order_by("-pk"))


def settings_at(project: Project, moment: datetime) -> dict[str, Any]:
    rebuilt = settings_of(project)
    for event in events_since(project, moment):
        for column, (before, after) in event.details.get("changes", {}).items():
            assert rebuilt[column] == after, column
            rebuilt[column] = before
    return rebuilt


def courses_at(project: Project, moment: datetime) -> dict[str, Any]:
    of_courses = [each for each in events_since(project, moment) if "digest" in each.details]
    digest = CatalogueSnapshot.objects.current(project).digest
    for event in of_courses:
        assert event.details["digest"] == digest
        digest = event.details["digest_before"]
    return as_json(CatalogueSnapshot.objects.get(project=project, digest=digest).columns)


def test_settings_and_catalogue_are_rebuilt_as_they_stood_at_noon(project: Project) -> None:
    admin = Client()
    admin.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    page = f"/admin/partners/project/{project.pk}/change/"
    Catalogue(project).load(
        parse(file("A,Nursing,1", "B,Law,2", "C,Botany,3", header="code,name,order")), **WHO
    )
    course = CourseFactory.create(project=project, code="D", fields=["maths"], about={"en": "x"})
    noon, settings, courses = timezone.now(), settings_of(project), courses_of(project)

    edit(admin, page, {"retention_months": "6", "name": "Renamed", "accent": "rose"})
    edit(admin, f"/admin/assessments/course/{course.pk}/change/", {"about_en": "New text."})
    nursing = project.courses.get(code="A")
    edit(
        admin,
        f"/admin/assessments/course/{nursing.pk}/change/",
        {"name": "Care", "order": "9"},
    )
    project.close(**WHO)
    project.reopen(**WHO)
    project.close(**WHO)
    sent = {"file": SimpleUploadedFile("c.csv", file("E,Zoology,1", header="code,name,order"))}
    loaded = admin.post(
        reverse("admin:assessments_course_load", args=[project.pk]), sent, follow=True
    )
    seen = CatalogueSnapshot.objects.current(project).digest
    admin.post(loaded.request["PATH_INFO"], {"seen": seen, "confirmed": "on"})
    edit(admin, page, {"retention_months": "12", "return_url": "https://college.example/"})
    noon_again = CatalogueSnapshot.objects.earlier(project)[3]
    later = CatalogueSnapshot.objects.current(project).digest
    Catalogue(project).take(noon_again, seen=later, may_deactivate_many=True, **WHO)
    edit(admin, f"/admin/assessments/course/{course.pk}/change/", {"order": "7"})

    assert settings_of(project) != settings
    assert courses_of(project) != courses
    assert settings_at(project, noon) == settings
    assert courses_at(project, noon) == courses
    assert Course.objects.get(code="E").is_active is False
