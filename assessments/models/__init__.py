"""The models of links, attempts, items and courses."""

from __future__ import annotations

from assessments.catalogue.uploads import Upload
from assessments.figures.models import ProjectFigures
from assessments.models.answers import Answer
from assessments.models.attempts import Attempt
from assessments.models.banks import ItemBank
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.courses import Course
from assessments.models.items import Item
from assessments.models.link_events import LinkEvent
from assessments.models.links import AssessmentLink
from assessments.models.private_links import PrivateLink
from assessments.models.refused_calls import RefusedCall
from assessments.models.reported_outcomes import ReportedOutcome
from assessments.models.students import Student
from assessments.webhooks.endpoints import WebhookEndpoint
from assessments.webhooks.events import WebhookEvent

__all__ = [
    "Answer",
    "Attempt",
    "AssessmentLink",
    "CatalogueSnapshot",
    "Course",
    "ProjectFigures",
    "Item",
    "ItemBank",
    "LinkEvent",
    "PrivateLink",
    "RefusedCall",
    "ReportedOutcome",
    "Student",
    "Upload",
    "WebhookEndpoint",
    "WebhookEvent",
]
