"""The two bases of admin pages; `assessments/desk` has the third, about students."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.functional import cached_property

from partners.back_office.actions import Action
from partners.back_office.edit_forms import EditForm
from partners.back_office.pages import name_of_page, page_of

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:  # Django's own class takes no type argument
    ModelAdmin = admin.ModelAdmin

MAX_COUNTED = 10_000
# Django's filters append these to the name of the field.
_SUFFIXES = ("", "__exact", "__id__exact", "__isnull", "__isempty")


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # Django's takes none
    """Count at most MAX_COUNTED rows. Rows beyond are found by a filter or a search."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows.values("pk")[:MAX_COUNTED].count())

    @property
    def counted(self) -> str:
        return f"{self.count:,}{' or more' if self.count == MAX_COUNTED else ''}"


class NamedChangeList(ChangeList):
    """A list with the name that the menu has. Sorts by the columns of `sortable_by` only."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        site: Any = self.model_admin.admin_site
        self.title = site.name_of_list(self.model)

    def get_ordering_field(self, field_name: Any) -> Any:
        # Django accepts `?o=` for any column.
        if field_name not in (self.sortable_by or ()):
            return None
        return super().get_ordering_field(field_name)


def nobody(self: Any, request: HttpRequest, obj: Model | None = None) -> bool:
    """Refuse everybody, as the permission method of an admin."""
    return False


class _StaffAdmin(ModelAdmin):
    """What all pages have in common: `Action` as buttons, lists that are counted to a cap.

    Of a large table, list indexed columns in `sortable_by`, and in `search_fields` lookups that use
    an index: `field__exact` or `field__startswith`. A bare field scans the table.
    """

    row_actions: ClassVar[Sequence[type[Action]]] = ()  # at `<pk>/<name>/`
    list_actions: ClassVar[Sequence[type[Action]]] = ()  # at `<name>/`
    actions = None
    paginator = CappedPaginator
    show_full_result_count = False
    has_delete_permission = nobody  # other rows and the audit trail refer to each row

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return NamedChangeList

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Refuse filters that the list lacks, with 400: year 99999 would fail in the database."""
        names = set()
        for entry in self.list_filter:
            field: Any = entry[0] if isinstance(entry, tuple) else entry
            if isinstance(field, str):
                names |= {f"{field}{suffix}" for suffix in _SUFFIXES}
            else:
                names.add(field.parameter_name)
        return lookup in names

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of actions. Leave out Django's history: the audit trail replaces it."""
        history = name_of_page(self.model, "history")
        urls = [page for page in super().get_urls() if page.name != history]
        pages = [(f"<int:pk>/{each.name}/", each) for each in self.row_actions]
        for address, action in [*pages, *((f"{each.name}/", each) for each in self.list_actions)]:
            view = self.admin_site.admin_view(action.as_view(model_admin=self))
            urls.insert(0, path(address, view, name=name_of_page(self.model, action.name)))
        return urls

    def buttons(self, request: HttpRequest, row: Model) -> list[tuple[str, str]]:
        """Return (address, words) of each action that the user and the state of the row allow."""
        buttons = []
        for action_class in self.row_actions:
            action = action_class(model_admin=self, row=row)
            action.setup(request)
            is_permitted = action.has_link and request.user.has_perm(action.permission)
            if is_permitted and not action.refusal():
                buttons.append((page_of(row, action.name), action.link or action.title))
        return buttons

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if row := context["original"]:
            context |= self.context_of(request, row)
        return super().render_change_form(request, context, *args, **kwargs)

    def context_of(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return what the page of a row shows beside its form."""
        return {"buttons": self.buttons(request, row)}

    @admin.display(description="project", ordering="project__name")
    def project_name(self, row: Any) -> str:
        return row.project.name_in_lists if row.project else ""


class ReadOnlyAdmin(_StaffAdmin):
    """Rows that only actions change."""

    has_add_permission = has_change_permission = nobody


class EditableAdmin(_StaffAdmin):
    """Rows with a form, which locks by field: a subclass of EditForm."""

    form = EditForm

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.save(update_fields=list(form.changes) if change else None)
