"""The columns that the peer uses of the service's tables, and its API keys."""

import secrets

from django.db import models
from rest_framework_api_key.models import AbstractAPIKey


class Project(models.Model):
    project_id = models.CharField(max_length=64, unique=True)

    class Meta:
        db_table = "partners_project"


class ProjectAPIKey(AbstractAPIKey):
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="api_keys")


class Student(models.Model):
    project = models.ForeignKey(Project, on_delete=models.PROTECT)
    email_key = models.CharField(max_length=254)
    email = models.CharField(max_length=254)
    name = models.CharField(max_length=100)
    mobile = models.CharField(max_length=21)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "assessments_student"


def new_link_id():
    return f"lnk_{secrets.token_hex(8)}"


class Link(models.Model):
    link_id = models.CharField(max_length=20, default=new_link_id)
    reference = models.CharField(max_length=64, default="")
    student = models.ForeignKey(Student, on_delete=models.PROTECT)
    token_digest = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=100)
    mobile = models.CharField(max_length=20)
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        db_table = "assessments_assessmentlink"


class Attempt(models.Model):
    assessment_id = models.CharField(max_length=20, unique=True)
    student = models.ForeignKey(Student, on_delete=models.PROTECT)
    started_at = models.DateTimeField()
    finish_by_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)
    abandoned_at = models.DateTimeField(null=True)
    results_read_at = models.DateTimeField(null=True)
    recommendations = models.JSONField(null=True)

    class Meta:
        db_table = "assessments_attempt"


class Answer(models.Model):
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="answers")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "assessments_answer"
