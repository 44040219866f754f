"""Admin lists of large tables: counted up to a cap, sorted by indexed columns only."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property

from partners.back_office.admin_base import ModelAdmin
from partners.models import Project

MAX_COUNTED = 10_000


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # Django's takes none
    """Count at most MAX_COUNTED rows. Rows beyond are found by a filter or a search."""

    @cached_property
    def _found(self) -> int:
        rows: Any = self.object_list
        found: int = rows.values("pk")[: MAX_COUNTED + 1].count()
        return found

    @cached_property
    def count(self) -> int:
        return min(self._found, MAX_COUNTED)

    @property
    def counted(self) -> str:
        return f"{self.count:,}{' or more' if self._found > MAX_COUNTED else ''}"


class LargeTableChangeList(ChangeList):
    """Sort by the columns of `sortable_by` only. Django accepts `?o=` for any column."""

    def get_ordering_field(self, field_name: Any) -> Any:
        if field_name not in (self.sortable_by or ()):
            return None
        return super().get_ordering_field(field_name)


class LargeTableAdmin(ModelAdmin):
    """The list of a large table: newest first, no full count or sort, no facet counts.

    List only indexed columns in `sortable_by`, and in `search_fields` only lookups that use an
    index: `field__exact` or `field__startswith`. A bare field scans the table.
    """

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by: ClassVar[Any] = ()
    ordering: ClassVar[Any] = ("-pk",)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LargeTableChangeList


class _OnField(admin.SimpleListFilter):
    path: ClassVar[str]

    @classmethod
    def on(cls, path: str) -> type[Self]:
        """Return this filter for another field, such as `student__project`."""
        return type(f"{cls.__name__}On_{path}", (cls,), {"path": path})


class ProjectFilter(_OnField):
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


class PeriodFilter(_OnField):
    """Filter a list by the last days of a time column, which needs an index."""

    title = "time"
    parameter_name = "period"
    days = ("7", "30", "90")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("today", "Today (UTC)"), *((days, f"Last {days} days") for days in self.days)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen, since = self.value(), timezone.now()
        if chosen == "today":
            since = since.replace(hour=0, minute=0, second=0, microsecond=0)
        elif chosen in self.days:
            since -= timedelta(days=int(chosen))
        else:
            return queryset
        return queryset.filter(**{f"{self.path}__gte": since})
