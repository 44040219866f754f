"""For the project's page, which belongs to an app that knows neither tokens nor courses."""

from __future__ import annotations

from django import template

from assessments.onboarding.readiness import readiness

register = template.Library()
register.simple_tag(readiness)
