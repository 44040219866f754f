from django.urls import path

from bench.api.peer.views import GetAssessmentsInfo, GetRedirectUrl

urlpatterns = [
    path("partner/get-redirect-url", GetRedirectUrl.as_view()),
    path("partner/get-assessments-info", GetAssessmentsInfo.as_view()),
]
