from __future__ import annotations

from django.db import migrations

from partners.online_migrations import PostgreSQLOnly

REFUSE = """
CREATE FUNCTION project_kind_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'project_kind_is_fixed: a test project stays one, and a live one too'
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER project_kind_is_fixed BEFORE UPDATE OF is_test ON partners_project
    FOR EACH ROW WHEN (OLD.is_test IS DISTINCT FROM NEW.is_test)
    EXECUTE FUNCTION project_kind_refuse();
"""
ALLOW = """
DROP TRIGGER project_kind_is_fixed ON partners_project;
DROP FUNCTION project_kind_refuse();
"""


class Migration(migrations.Migration):
    """Refuse a change of `is_test`. On SQLite, only the admin's read-only field does."""

    dependencies = [("partners", "0009_test_projects")]

    operations = [PostgreSQLOnly(REFUSE, reverse_sql=ALLOW)]
