from __future__ import annotations

from django.apps import AppConfig


class AssessmentsConfig(AppConfig):
    name = "assessments"
