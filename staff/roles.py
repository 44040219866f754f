"""The four roles of staff, and the permissions of each.

The migrations in config/migrations create the groups. A change to this table needs a new
migration; tests/staff/test_roles.py compares the two.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

SUPPORT = "Support"
CONTENT = "Content"
AUDITOR = "Auditor"
ADMINISTRATOR = "Administrator"
ROLES = (SUPPORT, CONTENT, AUDITOR, ADMINISTRATOR)

# Shown where a role is chosen.
DESCRIPTIONS = {
    SUPPORT: "onboards partners, issues tokens and links, helps students. Cannot see outcomes.",
    CONTENT: "maintains courses and item banks. Cannot see students.",
    AUDITOR: "reads everything, including outcomes and the audit trail. Cannot change anything.",
    ADMINISTRATOR: "does all the others do, exports results, erases students, manages accounts.",
}


@dataclass(frozen=True)
class Right:
    """Something a role may do: words that follow "permission to", and the permissions."""

    words: str
    permissions: Collection[str]
    roles: Collection[str]


# A user who can change accounts can give any role, so only an Administrator can.
TABLE = (
    Right(
        "see partners, projects and their figures",
        ["partners.view_partner", "partners.view_project"],
        [SUPPORT, CONTENT, AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "onboard partners, change partners and projects",
        [
            *("partners.add_partner", "partners.change_partner"),
            *("partners.add_project", "partners.change_project"),
        ],
        [SUPPORT, ADMINISTRATOR],
    ),
    Right(
        "close and reopen projects",
        ["partners.close_project"],
        [SUPPORT, ADMINISTRATOR],
    ),
    Right(
        "see access tokens and refused calls",
        ["tokens.view_accesstoken"],
        [SUPPORT, AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "issue, rotate and revoke access tokens",
        ["tokens.issue_token", "tokens.rotate_token", "tokens.revoke_token"],
        [SUPPORT, ADMINISTRATOR],
    ),
    Right(
        "see webhooks and what they delivered",
        ["assessments.view_webhookendpoint"],
        [SUPPORT, AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "set up, change, test, replay and switch off webhooks",
        ["assessments.manage_webhooks"],
        [SUPPORT, ADMINISTRATOR],
    ),
    Right(
        "see students, their links and assessments",
        [
            "assessments.view_student",
            "assessments.view_assessmentlink",
            "assessments.view_assessment",
        ],
        [SUPPORT, AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "issue fresh links, cancel unused ones, close and extend assessments, end private links",
        [
            "assessments.issue_link",
            "assessments.cancel_link",
            "assessments.close_assessment",
            "assessments.extend_assessment",
        ],
        [SUPPORT, ADMINISTRATOR],
    ),
    Right(
        "read outcomes (recommended courses, signs of careless answers)",
        ["assessments.view_answer"],
        [AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "export results",
        ["assessments.export_results"],
        [ADMINISTRATOR],
    ),
    Right(
        "erase students",
        ["assessments.erase_student"],
        [ADMINISTRATOR],
    ),
    Right(
        "see courses",
        ["assessments.view_course"],
        [CONTENT, AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "add and change courses",
        ["assessments.add_course", "assessments.change_course"],
        [CONTENT, ADMINISTRATOR],
    ),
    Right(
        "see items and item banks",
        ["assessments.view_item", "assessments.view_itembank"],
        [CONTENT, AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "make item banks current and retire them",
        ["assessments.publish_itembank"],
        [CONTENT, ADMINISTRATOR],
    ),
    Right(
        "read the audit trail",
        ["partners.view_auditevent"],
        [AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "see staff accounts and roles",
        ["auth.view_user", "auth.view_group"],
        [AUDITOR, ADMINISTRATOR],
    ),
    Right(
        "add and change staff accounts and give roles",
        ["auth.add_user", "auth.change_user"],
        [ADMINISTRATOR],
    ),
)


def permissions_of(role: str) -> set[str]:
    """Return the permissions of a role, in the form `tokens.issue_token`."""
    return {name for right in TABLE if role in right.roles for name in right.permissions}


def right_of(permission: str) -> Right | None:
    """Return the right that includes a permission, or None if no role has it."""
    return next((right for right in TABLE if permission in right.permissions), None)


def in_words(permissions: Collection[str]) -> list[str]:
    """Describe these permissions. One that belongs to no role is shown by its name."""
    held = [right for right in TABLE if set(right.permissions) <= set(permissions)]
    said = {name for right in held for name in right.permissions}
    return [*(right.words for right in held), *sorted(set(permissions) - said)]
