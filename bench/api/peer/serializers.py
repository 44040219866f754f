from rest_framework import serializers


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

    def get_Status(self, assessment):
        return "Completed" if assessment.completed_at else "Abandoned"

    def get_Recommendations(self, assessment):
        return [course["name"] for course in assessment.recommendations or []]

    def get_AssessmentDuration(self, assessment):
        end = assessment.completed_at or assessment.last_answered_at or assessment.started_at
        minutes, seconds = divmod(int((end - assessment.started_at).total_seconds()), 60)
        return f"{minutes}m {seconds}s"
