from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_wsgi_application()

from config import metrics, overload  # noqa: E402  needs the line above
from config.json_body import MAX_BODY_BYTES, REFUSED_TYPE, read_content_type  # noqa: E402  likewise

# PostgreSQL ends statements that would block others. Only in the web process, because commands may
# take longer. A pooler takes no options, so its roles have them (deploy/postgresql/roles.sql).
if not settings.DATABASE_POOLED:
    os.environ.setdefault(
        "PGOPTIONS",
        "-c lock_timeout=2s -c statement_timeout=15s -c idle_in_transaction_session_timeout=15s",
    )


def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Serve a request after correcting headers that Django cannot handle."""
    # Django decodes the URL and the form with the charset that the caller names while it creates
    # the request, so an error there reaches no middleware and no error page. Without a type a form
    # has no fields. The API's parser says what was wrong.
    content_type = environ.get("CONTENT_TYPE", "")
    if ";" in content_type and not read_content_type(content_type)[1]:
        environ[REFUSED_TYPE], environ["CONTENT_TYPE"] = content_type, ""
    path = environ.get("PATH_INFO", "")
    is_chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
    if path.startswith("/partner/") and is_chunked and not environ.get("CONTENT_LENGTH"):
        # Django needs a length. One byte over the limit makes the parser refuse the body.
        body = environ["wsgi.input"].read(MAX_BODY_BYTES + 1)
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
    return django_application(environ, start_response)


application: WSGIApplication = metrics.counted(overload.shed(serve))
