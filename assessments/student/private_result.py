"""The page behind a private link. It reads no cookie, sets none and changes no row."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from assessments.languages import of_attempt as language_of
from assessments.models.private_links import PrivateLink
from assessments.student import pages
from assessments.student.link_views import unknown
from assessments.student.pages import page
from assessments.student.result_views import result_context
from partners import test_traffic


@sensitive_variables("keys", "key")
@require_http_methods(["GET", "HEAD"])
def private_result(request: HttpRequest, project_id: str) -> HttpResponse:
    """Show the part of a result that its student shared. Robots may fetch it too."""
    keys = request.GET.getlist("key")
    key = keys[0] if len(keys) == 1 else ""
    try:
        link = PrivateLink.objects.for_key(project_id, key)
    except PrivateLink.DoesNotExist:
        return unknown(request, pages.unknown_private_link)
    test_traffic.mark(request.META, link.assessment.student.project)
    attempt = link.assessment
    translation.activate(language_of(attempt))
    context = result_context(attempt, with_puzzles=link.with_puzzles)
    # Notes about carelessness are the student's business, and may come from the puzzles. The link's
    # page did not announce that retakes and removed courses would be shown.
    context |= {"confidence_note": "", "retake_note": "", "dismissed": []}
    response = page(
        request,
        "student/private_result.html",
        "private-result",
        attempt.student.project,
        until=link.expires_at,
        with_puzzles=link.with_puzzles,
        **context,
    )
    # The address is a secret. Without forms, nothing here needs a referrer.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
