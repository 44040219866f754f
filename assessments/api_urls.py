from __future__ import annotations

from django.urls import path

from assessments import api

urlpatterns = [
    path("get-redirect-url", api.GetRedirectUrl.as_view(), name="get-redirect-url"),
    path("get-assessments-info", api.GetAssessmentsInfo.as_view(), name="get-assessments-info"),
]
