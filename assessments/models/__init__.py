"""The models of links, attempts, items and courses."""

from assessments.catalogue.uploads import Upload as Upload
from assessments.figures.models import ProjectFigures as ProjectFigures
from assessments.models.answers import Answer as Answer
from assessments.models.attempts import Attempt as Attempt
from assessments.models.banks import ItemBank as ItemBank
from assessments.models.catalogue_snapshots import CatalogueSnapshot as CatalogueSnapshot
from assessments.models.courses import Course as Course
from assessments.models.items import Item as Item
from assessments.models.link_events import LinkEvent as LinkEvent
from assessments.models.links import AssessmentLink as AssessmentLink
from assessments.models.private_links import PrivateLink as PrivateLink
from assessments.models.refused_calls import RefusedCall as RefusedCall
from assessments.models.reported_outcomes import ReportedOutcome as ReportedOutcome
from assessments.models.students import Student as Student
from assessments.webhooks.endpoints import WebhookEndpoint as WebhookEndpoint
from assessments.webhooks.events import WebhookEvent as WebhookEvent
