"""The WSGI application that gunicorn serves."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.parsing import MAX_BODY_BYTES  # noqa: E402  needs the line above

django_application = get_wsgi_application()


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
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
