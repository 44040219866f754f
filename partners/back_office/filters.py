from collections.abc import Sequence
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property

from partners.models import Project

MAX_LINKS = 10  # of a filter; beyond, a project is searched for


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
    """Filter by a project's key, or by a part of what the list of projects says of some.

    A typing error gives an empty list, never the rows of all.
    """

    title = "project"
    parameter_name = "project"
    path = "project"
    template = "admin/project_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        self.projects = {
            str(project.pk): project
            for project in Project.objects.select_related("partner").order_by("name", "pk")
        }
        return [
            (key, f"{project.name_in_lists}, {project.partner.name}")
            for key, project in self.projects.items()
        ]

    def choices(self, changelist: Any) -> Any:
        # For the form that stands in place of many links.
        self.has_many = len(self.projects) > MAX_LINKS
        self.others = {k: v for k, v in changelist.params.items() if k != self.parameter_name}
        value = self.value() or ""
        self.text = dict(self.lookup_choices).get(value, value)
        return super().choices(changelist)

    @cached_property
    def matching(self) -> list[Project]:
        value = (self.value() or "").strip().casefold()
        if value.isdecimal() or not value:
            return [self.projects[value]] if value in self.projects else []
        labels = {key: label.casefold() for key, label in self.lookup_choices}
        equal = [key for key, label in labels.items() if value == label]
        return [self.projects[key] for key in equal or labels if value in labels[key]]

    @property
    def chosen(self) -> Project | None:
        return self.matching[0] if len(self.matching) == 1 else None

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        return queryset.filter(**{f"{self.path}__in": self.matching})


class PeriodFilter(_OnField, ChoiceFilter):
    """Filter a list by the last days of a time column, which needs an index."""

    title = "time"
    parameter_name = "period"
    options = (("today", "Today"), *((days, f"Last {days} days") for days in ("7", "30", "90")))

    def rows(self, request: HttpRequest, queryset: Any, chosen: str) -> Any:
        now = timezone.now()
        if chosen == "today":
            since = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
        else:
            since = now - timedelta(days=int(chosen))
        return queryset.filter(**{f"{self.path}__gte": since})
