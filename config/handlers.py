"""Each request passes the middleware of its area: the API's, the pages', the staff's.

Django has one list for all. What staff need would be done for each call of the API to no use, and
sessions are nothing that a student's request should meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.urls import ResolverMatch
from django.utils.module_loading import import_string

from config.errors import is_api
from staff.errors import is_staff_address

if TYPE_CHECKING:
    from django.core.handlers import base

    class BaseHandler(base.BaseHandler):
        """With what its stubs leave out."""

        _middleware_chain: Any
        _get_response: Any

        def resolve_request(self, request: HttpRequest) -> ResolverMatch: ...

else:
    BaseHandler = object


OPERATIONS = ("get-redirect-url", "get-assessments-info")  # by the names of their addresses


class ByArea(BaseHandler):
    """Beside a handler of Django: settings.MIDDLEWARE is for staff, two shorter lists for others.

    What a middleware does besides calling the next (`process_view` and the like) must stand in the
    staff's list, which Django itself loads, and counts for every area.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async)
        self._of_operations: dict[str, ResolverMatch] = {}
        of_staff = self._middleware_chain
        of_api = self._chain(settings.API_MIDDLEWARE)
        of_pages = self._chain(settings.PAGE_MIDDLEWARE)

        def chosen(request: HttpRequest) -> Any:
            if is_api(request):
                return of_api(request)
            return of_staff(request) if is_staff_address(request) else of_pages(request)

        self._middleware_chain = chosen

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        """Find the view as Django does, that of an operation once: its address has no parts."""
        match = self._of_operations.get(request.path_info)
        if match is None:
            match = super().resolve_request(request)
            if match.url_name in OPERATIONS:
                self._of_operations[request.path_info] = match
        request.resolver_match = match
        return match

    def _chain(self, paths: Sequence[str]) -> Any:
        handler: Any = convert_exception_to_response(self._get_response)
        for path in reversed(paths):
            handler = convert_exception_to_response(import_string(path)(handler))
        return handler


class Handler(ByArea, WSGIHandler):
    """The service as a WSGI application."""
