"""What stands in the service's database about one student."""

from __future__ import annotations

from typing import Any

from tests.support.backend import Applicant
from tests.support.server import Service


def attempts(service: Service, applicant: Applicant) -> list[dict[str, Any]]:
    """Return the student's attempts, oldest first."""
    return service.rows(
        "SELECT a.* FROM assessments_assessment a"
        " JOIN assessments_student s ON s.id = a.student_id WHERE s.email = %s ORDER BY a.id",
        (applicant.email,),
    )


def links(service: Service, applicant: Applicant) -> list[dict[str, Any]]:
    """Return the student's links, oldest first."""
    return service.rows(
        "SELECT l.* FROM assessments_assessmentlink l"
        " JOIN assessments_student s ON s.id = l.student_id WHERE s.email = %s ORDER BY l.id",
        (applicant.email,),
    )


def choices(service: Service, attempt: dict[str, Any]) -> dict[int, int]:
    """Return the choices given in an attempt, by position."""
    answers = service.rows(
        "SELECT position, choice FROM assessments_answer"
        " WHERE assessment_id = %s AND choice IS NOT NULL",
        (attempt["id"],),
    )
    return {answer["position"]: answer["choice"] for answer in answers}


def items(service: Service, attempt: dict[str, Any]) -> dict[int, str]:
    """Return the codes of the items that an attempt was shown, by position."""
    shown = service.rows(
        "SELECT n.position, i.code FROM assessments_answer n"
        " JOIN assessments_item i ON i.id = n.item_id WHERE n.assessment_id = %s",
        (attempt["id"],),
    )
    return {row["position"]: row["code"] for row in shown}


def choices_by_item(service: Service, attempt: dict[str, Any]) -> dict[str, int]:
    """Return the choices given in an attempt, by the item's code."""
    codes = items(service, attempt)
    return {codes[position]: choice for position, choice in choices(service, attempt).items()}
