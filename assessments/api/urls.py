from __future__ import annotations

from django.urls import path

from assessments.api import cancelling, check, views

urlpatterns = [
    path("get-redirect-url", views.GetRedirectUrl.as_view(), name="get-redirect-url"),
    path("get-assessments-info", views.GetAssessmentsInfo.as_view(), name="get-assessments-info"),
    path("cancel-links", cancelling.CancelLinks.as_view(), name="cancel-links"),
    path("check-credentials", check.CheckCredentials.as_view(), name="check-credentials"),
]
