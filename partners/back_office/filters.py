from collections.abc import Sequence
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from partners.models import Project


class ChoiceFilter(admin.SimpleListFilter):
    """Filter by one of `options`, of which each is the name of a method of the queryset.

    A value that is not among them shows all rows.
    """

    title = parameter_name = "state"
    options: ClassVar[Sequence[tuple[str, str]]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return self.options

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        chosen = self.value()
        return self.rows(request, queryset, chosen) if chosen in dict(self.options) else queryset

    def rows(self, request: HttpRequest, queryset: Any, chosen: str) -> Any:
        return getattr(queryset, chosen)()


class _OnField:
    path: ClassVar[str]

    @classmethod
    def on(cls, path: str) -> type[Self]:
        """Return this filter for another field, such as `student__project`."""
        return type(f"{cls.__name__}On_{path}", (cls,), {"path": path})


class ProjectFilter(_OnField, admin.SimpleListFilter):
    """Filter by project. A typing error gives an empty list, never the rows of all."""

    title = "project"
    parameter_name = "project"
    path = "project"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        self.projects = {
            str(project.pk): project
            for project in Project.objects.select_related("partner").order_by("name", "pk")
        }
        return [
            (key, f"{project.name_in_lists}, {project.partner.name}")
            for key, project in self.projects.items()
        ]

    @property
    def chosen(self) -> Project | None:
        return self.projects.get(self.value() or "")

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        return queryset.filter(**{self.path: self.chosen}) if self.chosen else queryset.none()


class PeriodFilter(_OnField, ChoiceFilter):
    """Filter a list by the last days of a time column, which needs an index."""

    title = "time"
    parameter_name = "period"
    options = (
        ("today", "Today (UTC)"),
        *((days, f"Last {days} days") for days in ("7", "30", "90")),
    )

    def rows(self, request: HttpRequest, queryset: Any, chosen: str) -> Any:
        now = timezone.now()
        if chosen == "today":
            since = now.replace(hour=0, minute=0, second=0, microsecond=0)
        else:
            since = now - timedelta(days=int(chosen))
        return queryset.filter(**{f"{self.path}__gte": since})
