"""Admin lists over tables of a million rows: counted up to a cap, never sorted by whatever column.

@admin.register(AssessmentLink)
class AssessmentLinkAdmin(BigList, ReadOnly):
    list_filter = (ProjectFilter.on("student__project"), PeriodFilter.on("issued_at"))
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import ALL_VAR, ERROR_FLAG, PAGE_VAR, ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property

from partners.project_search import projects_called

MOST_COUNTED = 10_000
# So many projects are offered to choose from; of more, one is searched for.
MOST_PROJECTS = 20

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
    RowPaginator = Paginator[Any]
else:  # Django's own classes take no type argument
    Base = admin.ModelAdmin
    RowPaginator = Paginator


class CappedPaginator(RowPaginator):
    """Count no further than MOST_COUNTED rows; what lies beyond is found by a filter or a search.

    The keys are read first, alone: so what is joined to a row, or counted for it, is asked for the
    rows of the page and not for all those before it. `counted` is what a page says of the count.
    """

    @cached_property
    def keys(self) -> list[Any]:
        """The keys of the rows, in their order, and one more than are counted if there are more."""
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


class BigChangeList(ChangeList):
    """Sort by the columns of `sortable_by` only. Django takes `?o=` for any that could be."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if not self.multi_page:
            # By the keys that are known, where Django would look for the rows once more.
            self.result_list = self.paginator.page(1).object_list

    def get_ordering_field(self, field_name: Any) -> Any:
        if field_name not in (self.sortable_by or ()):
            return None
        return super().get_ordering_field(field_name)


class BigList(Base):
    """The list of a big table: newest first, no count or sort of the whole, no facet counts.

    Name in `sortable_by` only columns with an index, and in `search_fields` only what an index
    finds: `field__exact` or `field__startswith`, never a bare field, which scans.
    """

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by: ClassVar[Any] = ()
    ordering: ClassVar[Any] = ("-pk",)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return BigChangeList


class _OnField(admin.SimpleListFilter):
    """A filter on a field that its subclass, or `on`, names."""

    path: ClassVar[str]

    @classmethod
    def on(cls, path: str) -> type[Self]:
        """Return this filter on another field, written as in a query: `student__project`."""
        return type(f"{cls.__name__}On_{path}", (cls,), {"path": path})


class ProjectFilter(_OnField):
    """Narrow a list to one project, however many there are.

    The address takes a primary key, a projectId or part of a name: `?project=42`. Up to 20
    projects are listed, more are searched for. What matches no project gives an empty list, for
    staff who mistyped must not take everybody's rows for one college's.
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
        self.kept: list[tuple[str, str]] = []
        found = list(projects_called(self.asked)[: MOST_PROJECTS + 1])
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
        """Offer the projects found, unless there are too many, and the way back to all."""
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
                "display": f"{project.name}, {project.partner.name}",
            }


class PeriodFilter(_OnField):
    """Narrow a list to the newest days of a time column, which needs an index."""

    title = "time"
    parameter_name = "period"
    days: ClassVar = {"today": 0, "7": 7, "30": 30, "90": 90}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("today", "Today (UTC)"),
            *((days, f"Last {days} days") for days in ("7", "30", "90")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        since = self.since()
        return queryset.filter(**{f"{self.path}__gte": since}) if since else queryset

    def since(self, at: datetime | None = None) -> datetime | None:
        """Return when the period chosen began; None without one, or one that is not offered."""
        days = self.days.get(self.value() or "")
        if days is None:
            return None
        at = at or timezone.now()
        return (
            at - timedelta(days=days)
            if days
            else timezone.localtime(at).replace(hour=0, minute=0, second=0, microsecond=0)
        )
