import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django_ratelimit.decorators import ratelimit
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_api_key.permissions import BaseHasAPIKey

from bench.api.peer.models import Attempt, Link, Project, ProjectAPIKey, Student

limited = ratelimit(key="header:x-access-token", rate=f"{settings.CALLS_PER_MINUTE}/m")


class ResultsRequest(serializers.Serializer):
    projectId = serializers.CharField(max_length=64)
    email = serializers.EmailField()


class LinkRequest(ResultsRequest):
    name = serializers.CharField(max_length=100)
    mobile = serializers.RegexField(r"^[0-9+() -]{6,20}$")


class Record(serializers.Serializer):
    AssessmentId = serializers.CharField(source="assessment_id")
    Status = serializers.SerializerMethodField()
    Recommendations = serializers.SerializerMethodField()
    AssessmentDuration = serializers.SerializerMethodField()

    def get_Status(self, attempt):
        return "Completed" if attempt.completed_at else "Abandoned"

    def get_Recommendations(self, attempt):
        return [course["name"] for course in attempt.recommendations or []]

    def get_AssessmentDuration(self, attempt):
        end = attempt.completed_at or attempt.last_answered_at or attempt.started_at
        minutes, seconds = divmod(int((end - attempt.started_at).total_seconds()), 60)
        return f"{minutes}m {seconds}s"


class HasProjectAPIKey(BaseHasAPIKey):
    model = ProjectAPIKey


class PartnerView(APIView):
    permission_classes = [HasProjectAPIKey]

    def validate(self, request):
        """Return the project that the API key belongs to, and the fields of the request."""
        serializer = self.serializer_class(data=request.data)
        serializer.is_valid(raise_exception=True)
        fields = serializer.validated_data
        prefix = request.META[settings.API_KEY_CUSTOM_HEADER].partition(".")[0]
        project = get_object_or_404(
            Project, project_id=fields["projectId"], api_keys__prefix=prefix
        )
        return project, fields


@method_decorator(limited, name="post")
class GetRedirectUrl(PartnerView):
    serializer_class = LinkRequest

    def post(self, request):
        project, fields = self.validate(request)
        details = {"name": fields["name"], "mobile": fields["mobile"]}
        link_token = secrets.token_urlsafe(16)
        now = timezone.now()
        with transaction.atomic():
            student, _ = Student.objects.update_or_create(
                project=project,
                email_key=fields["email"].lower(),
                defaults={"email": fields["email"], **details},
            )
            Link.objects.create(
                student=student,
                token_digest=hashlib.sha256(link_token.encode()).hexdigest(),
                issued_at=now,
                expires_at=now + timedelta(hours=72),
                **details,
            )
        url = f"{settings.APP_URL}/{project.project_id}/assessment?token={link_token}"
        return Response({"redirect-url": url})


@method_decorator(limited, name="post")
class GetAssessmentsInfo(PartnerView):
    serializer_class = ResultsRequest

    def post(self, request):
        project, fields = self.validate(request)
        now = timezone.now()
        finished = Q(completed_at__isnull=False) | Q(abandoned_at__isnull=False)
        attempts = (
            Attempt.objects.filter(finished | Q(finish_by_at__lte=now))
            .filter(student__project=project, student__email_key=fields["email"].lower())
            .annotate(last_answered_at=Max("answers__answered_at"))
            .order_by("-started_at", "-id")[:100]
        )
        unread = [each.pk for each in attempts if each.results_read_at is None]
        if unread:
            Attempt.objects.filter(pk__in=unread).update(results_read_at=now)
        return Response(Record(attempts, many=True).data)


urlpatterns = [
    path("partner/get-redirect-url", GetRedirectUrl.as_view()),
    path("partner/get-assessments-info", GetAssessmentsInfo.as_view()),
]
