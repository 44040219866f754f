from __future__ import annotations

from django.urls import path

from assessments.api.ended_assessments import GetAssessmentDetail, ListAssessments, ReportOutcome
from assessments.api.integration import CheckCredentials, GetRecentFailures
from assessments.api.student_links import CancelLinks, GetStudentStatus
from assessments.api.views import GetAssessmentsInfo, GetRedirectUrl

OPERATIONS = (
    *(GetRedirectUrl, GetAssessmentsInfo, GetStudentStatus, ListAssessments, GetAssessmentDetail),
    *(CancelLinks, ReportOutcome, CheckCredentials, GetRecentFailures),
)

urlpatterns = [path(each.name, each.as_view(), name=each.name) for each in OPERATIONS]
