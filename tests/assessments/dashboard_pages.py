"""The page of figures, as it is read, and days for it to show."""

from __future__ import annotations

import re
from datetime import date
from html import unescape

from django.http import HttpResponse

from assessments.models import ProjectDay
from partners.models import Project
from tests.assessments.counted import AT

RIGHT = "partners.view_project"
PAGE = "/admin/assessments/projectday/"
COUNT = f"{PAGE}count/"
TODAY = AT.date()


def day(day: date, project: Project | None = None, **figures: object) -> ProjectDay:
    """Make a counted day."""
    return ProjectDay.objects.create(project=project, day=day, counted_at=AT, **figures)


def words(response: HttpResponse) -> str:
    """Return what is read on the page, in one line."""
    assert response.status_code == 200
    content = response.content.decode().partition('id="content-main"')[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", content)).split())


def tiles(response: HttpResponse) -> dict[str, str]:
    assert response.status_code == 200
    html = response.content.decode()
    return dict(re.findall(r'<dt>(.*?)</dt>\s*<dd class="figure">\s*(.*?)\s*</dd>', html, re.S))
