from staff import audit_admin, users  # noqa: F401  they register their pages
