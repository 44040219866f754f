"""What students say of their age in tests."""

from assessments.models.consent import Age

GUARDIAN = {"guardian_name": "Meena Rao", "guardian_contact": "meena.rao@example.org"}
MINOR = {"consent": "yes", "age": "minor", **GUARDIAN}
A_MINOR = Age(is_minor=True, **GUARDIAN)
