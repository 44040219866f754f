from django.urls import path

from assessments.api.diagnostics import CheckCredentials, GetRecentFailures
from assessments.api.ended_attempts import GetAssessmentDetail, ListAssessments, ReportOutcome
from assessments.api.links_and_results import GetAssessmentsInfo, GetRedirectUrl
from assessments.api.student_links import CancelLinks, GetStudentStatus

OPERATIONS = (
    *(GetRedirectUrl, GetAssessmentsInfo, GetStudentStatus, ListAssessments, GetAssessmentDetail),
    *(CancelLinks, ReportOutcome, CheckCredentials, GetRecentFailures),
)

urlpatterns = [path(each.name, each.as_view(), name=each.name) for each in OPERATIONS]
