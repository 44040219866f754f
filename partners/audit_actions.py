"""The names of all audited actions, by kind of object."""

from __future__ import annotations

ACTIONS: dict[str, tuple[str, ...]] = {
    "staff": (
        "signed_in",
        "sign_in_refused",
        "signed_out",
        "second_factor_set",
        "second_factor_refused",
        "second_factor_reset",
        "recovery_code_used",
        "recovery_codes_made",
        *("password_changed", "password_link_made", "password_chosen"),
        "added",
        "changed",
        "refused",
    ),
    "partner": ("created", "changed"),
    "project": ("created", "changed", "closed", "reopened"),
    "token": ("issued", "rotated", "revoked"),
    "link": ("issued", "cancelled"),
    "assessment": ("closed", "extended", "private_link_ended"),
    "webhook": (
        *("set_up", "changed", "secret_rotated", "switched_off", "switched_on"),
        *("test_sent", "replayed"),
    ),
    "student": ("read", "listed", "erased", "email_corrected"),
    "results": ("exported",),
    "answers": ("exported",),
    "data": ("purged",),
    "bank": ("published", "made_current", "retired"),
    "courses": ("loaded", "added", "changed", "restored"),
}


# What staff only looked at, and how they signed in: many events that hide the acts.
READS = ("student.read", "student.listed")
SIGN_INS = tuple(
    f"staff.{act}"
    for act in (
        *("signed_in", "sign_in_refused", "signed_out"),
        *("second_factor_refused", "recovery_code_used"),
    )
)


def of_kind(kind: str) -> list[str]:
    """Return the full names of a kind's actions, such as `token.issued`; [] for an unknown kind."""
    return [f"{kind}.{act}" for act in ACTIONS.get(kind, ())]
