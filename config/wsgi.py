"""The WSGI application that gunicorn serves."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import django
from django.conf import settings
from django.core.cache import close_caches
from django.core.handlers.base import reset_urlconf
from django.core.handlers.wsgi import WSGIRequest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries
from django.utils.http import parse_header_parameters

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from config import metrics  # noqa: E402  needs the line above
from config.handlers import Handler  # noqa: E402  likewise
from config.parsing import MAX_BODY_BYTES  # noqa: E402  likewise

# PostgreSQL ends what would make everybody wait. Of the web process alone: a command may take its
# time. A pooler takes no options; behind one they stand on the role (deploy/postgresql/roles.sql).
if not settings.DATABASE_POOLED:
    os.environ.setdefault(
        "PGOPTIONS",
        "-c lock_timeout=2s -c statement_timeout=15s -c idle_in_transaction_session_timeout=15s",
    )


# What Django does at both ends of a request, where the beginning of the next is early enough or
# there is nothing to do: it keeps queries when DEBUG is on, no cache of ours has anything to close,
# and there is no second list of addresses. A connection that fails is closed before its next use.
request_started.disconnect(reset_queries)
for tidying in (close_old_connections, close_caches, reset_urlconf):
    request_finished.disconnect(tidying)


class Request(WSGIRequest):
    """A request whose addresses and forms are read as UTF-8, whatever charset its sender names.

    Django would take the charset over, and read the query string with it while the request is
    made: what that raises reaches no middleware and no error page.
    """

    def _set_content_type_params(self, meta: Mapping[str, Any]) -> None:
        try:
            parsed = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except Exception:
            # A header can be made to raise much; a type that cannot be read is none.
            parsed = "", {}
        self.content_type, self.content_params = parsed


django_application = Handler()
django_application.request_class = Request


def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Serve a request. A chunked body under /partner/ is read first, as Django wants a length.

    At most one byte more than the limit is read, which the parser then refuses.
    """
    if (
        environ.get("PATH_INFO", "").startswith("/partner/")
        and "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
        and not environ.get("CONTENT_LENGTH")
    ):
        body = environ["wsgi.input"].read(MAX_BODY_BYTES + 1)
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
    return django_application(environ, start_response)


application: WSGIApplication = metrics.counted(serve)
