"""Pages of the admin's site that belong to no model, and the addresses of those that do."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables

from partners.spreadsheet import CONTENT_TYPES


@sensitive_variables("context")
def admin_page(request: HttpRequest, template: str, title: str, **context: Any) -> HttpResponse:
    """Return a page of the admin's site. It may show a secret: no page of the admin is cached."""
    context = {**admin.site.each_context(request), "title": title, **context}
    return TemplateResponse(request, template, context)


@sensitive_variables("secret", "context")
def secret_page(request: HttpRequest, row: Model, secret: str, **context: Any) -> HttpResponse:
    """Show a new secret of a row once, by `secret.html` beside the template of the row's page."""
    context |= {"opts": row._meta, "row": row, "secret": secret}
    template = f"admin/{row._meta.app_label}/{row._meta.model_name}/secret.html"
    return admin_page(request, template, "Copy the secret now", **context)


def download(content: Iterable[str] | Iterable[bytes], name: str) -> StreamingHttpResponse:
    """Return a file to save under this name, which ends with one of CONTENT_TYPES."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    content_type = CONTENT_TYPES[name.rpartition(".")[2]]
    return StreamingHttpResponse(content, content_type=content_type, headers=headers)


def link_to(row: Model, name: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', page_of(row), name)


def page_of(row: Model, page: str = "change") -> str:
    """Return the address of a row's admin page, or of the page of an action on it."""
    return reverse(f"admin:{name_of_page(row, page)}", args=[row.pk])


def name_of_page(model: Model | type[Model], page: str) -> str:
    """Return the name of a URL of the admin; `page` is Django's, or the name of an action."""
    return f"{model._meta.app_label}_{model._meta.model_name}_{page.replace('-', '_')}"
