"""Admin lists of large tables: counted up to a cap, sorted by indexed columns only."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import ALL_VAR, ERROR_FLAG, PAGE_VAR, ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property

from partners.admin_base import ModelAdmin
from partners.models import Project

MOST_COUNTED = 10_000
# With more projects than this, the filter offers a search instead of a list.
MOST_PROJECTS = 20


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # Django's takes none
    """Count at most MOST_COUNTED rows. Rows beyond are found by a filter or a search.

    Reads the keys first, so that joins and annotations run for the rows of one page only.
    `counted` is the count as the page shows it.
    """

    @cached_property
    def keys(self) -> list[Any]:
        """The keys of the rows in order, and one more than MOST_COUNTED if there are more."""
        rows: Any = self.object_list
        return list(rows.values_list("pk", flat=True)[: MOST_COUNTED + 1])

    @cached_property
    def count(self) -> int:
        return min(len(self.keys), MOST_COUNTED)

    @property
    def counted(self) -> str:
        return f"{self.count:,}{' or more' if len(self.keys) > MOST_COUNTED else ''}"

    def page(self, number: int | str) -> Page[Any]:
        number = self.validate_number(number)
        end = min(number * self.per_page, self.count)
        rows: Any = self.object_list
        rows = rows.filter(pk__in=self.keys[(number - 1) * self.per_page : end])
        return Page(rows, number, self)


class LargeTableChangeList(ChangeList):
    """Sort by the columns of `sortable_by` only. Django accepts `?o=` for any column."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if not self.multi_page:
            # Use the keys already read; Django would query the rows again.
            self.result_list = self.paginator.page(1).object_list

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
    """Filter a list by project, for any number of projects.

    `?project=` takes a primary key, a projectId or part of a name. Up to MOST_PROJECTS projects
    are listed; beyond that there is a search. A value that matches no project gives an empty
    list, so that a typing error never shows everybody's rows as one college's.
    """

    title = "project"
    parameter_name = "project"
    template = "admin/project_filter.html"
    path = "project"

    def __init__(
        self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any
    ) -> None:
        super().__init__(request, params, model, model_admin)
        self.asked = (self.value() or "").strip()
        found = list(Project.objects.search(self.asked)[: MOST_PROJECTS + 1])
        self.chosen = found[0] if self.asked and len(found) == 1 else None
        self.found = found[:MOST_PROJECTS]
        self.has_more = len(found) > MOST_PROJECTS

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return []

    def has_output(self) -> bool:
        return True

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.asked:
            return queryset
        return queryset.filter(**{self.path: self.chosen}) if self.chosen else queryset.none()

    def choices(self, changelist: Any) -> Any:
        """Offer "All" and the projects found, unless there are too many."""
        self.kept = [
            (name, value)
            for name, values in changelist.filter_params.items()
            if name not in {self.parameter_name, PAGE_VAR, ALL_VAR, ERROR_FLAG}
            for value in values
        ]
        yield {
            "selected": not self.asked,
            "query_string": changelist.get_query_string(remove=[self.parameter_name]),
            "display": "All",
        }
        if self.has_more and not self.asked:
            return
        for project in self.found:
            yield {
                "selected": project == self.chosen,
                "query_string": changelist.get_query_string({self.parameter_name: project.pk}),
                "display": f"{project.name_in_lists}, {project.partner.name}",
            }


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
