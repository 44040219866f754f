from __future__ import annotations

from django.urls import path

from assessments.api.cancel_links import CancelLinks
from assessments.api.check import CheckCredentials
from assessments.api.detail import GetAssessmentDetail
from assessments.api.failures import GetRecentFailures
from assessments.api.list_assessments import ListAssessments
from assessments.api.report_outcome import ReportOutcome
from assessments.api.status import GetStudentStatus
from assessments.api.views import GetAssessmentsInfo, GetRedirectUrl

OPERATIONS = (
    *(GetRedirectUrl, GetAssessmentsInfo, GetStudentStatus, ListAssessments, GetAssessmentDetail),
    *(CancelLinks, ReportOutcome, CheckCredentials, GetRecentFailures),
)

urlpatterns = [path(each.name, each.as_view(), name=each.name) for each in OPERATIONS]
