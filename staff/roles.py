"""The four roles of staff, and the permissions of each.

The migrations in config/migrations create the groups. A change to this table needs a new
migration; tests/staff/test_roles.py compares the two.
"""

from __future__ import annotations

SUPPORT = "Support"
CONTENT = "Content"
AUDITOR = "Auditor"
ADMINISTRATOR = "Administrator"
ROLES = (SUPPORT, CONTENT, AUDITOR, ADMINISTRATOR)

DESCRIPTIONS = {
    SUPPORT: "onboards partners, issues tokens and links, helps students. Cannot see outcomes.",
    CONTENT: "maintains courses and item banks. Cannot see students.",
    AUDITOR: "reads everything, including outcomes and the audit trail. Cannot change anything.",
    ADMINISTRATOR: "does all the others do, exports results, erases students, manages accounts.",
}
PROJECTS = {"partners.view_partner", "partners.view_project"}
STUDENTS = {
    *("tokens.view_accesstoken", "assessments.view_webhookendpoint", "assessments.view_student"),
    *("assessments.view_assessmentlink", "assessments.view_assessment"),
}
BANKS = {"assessments.view_course", "assessments.view_item", "assessments.view_itembank"}
ACCOUNTS = {"partners.view_auditevent", "auth.view_user", "auth.view_group"}

PERMISSIONS = {
    SUPPORT: {
        *PROJECTS,
        *STUDENTS,
        "assessments.view_course",
        *("partners.add_partner", "partners.change_partner", "partners.add_project"),
        *("partners.change_project", "partners.close_project"),
        *("tokens.issue_token", "tokens.rotate_token", "tokens.revoke_token"),
        *("assessments.manage_webhooks", "assessments.issue_link", "assessments.cancel_link"),
        *("assessments.close_assessment", "assessments.extend_assessment"),
    },
    CONTENT: {
        *PROJECTS,
        *BANKS,
        *("assessments.add_course", "assessments.change_course", "assessments.publish_itembank"),
    },
    AUDITOR: {*PROJECTS, *STUDENTS, *BANKS, *ACCOUNTS, "assessments.view_answer"},
}
# Who can change accounts can give any role, so only an Administrator can.
PERMISSIONS[ADMINISTRATOR] = {
    *(permission for role in PERMISSIONS.values() for permission in role),
    *("assessments.export_results", "assessments.erase_student"),
    *("auth.add_user", "auth.change_user"),
}
