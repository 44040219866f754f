"""Tags for the project's page: its app, `partners`, cannot import tokens or courses."""

from __future__ import annotations

from django import template

from assessments.onboarding.readiness import readiness

register = template.Library()
register.simple_tag(readiness)
