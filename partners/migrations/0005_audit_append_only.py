"""PostgreSQL itself refuses to change an audit event, to delete one before its time, or all."""

from __future__ import annotations

from django.db import migrations

REFUSE = """
CREATE FUNCTION auditevent_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.at < now() - interval '7 years' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit events are append-only: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER auditevent_append_only BEFORE UPDATE OR DELETE ON partners_auditevent
    FOR EACH ROW EXECUTE FUNCTION auditevent_refuse();
CREATE TRIGGER auditevent_never_emptied BEFORE TRUNCATE ON partners_auditevent
    FOR EACH STATEMENT EXECUTE FUNCTION auditevent_refuse();
"""
ALLOW = """
DROP TRIGGER auditevent_never_emptied ON partners_auditevent;
DROP TRIGGER auditevent_append_only ON partners_auditevent;
DROP FUNCTION auditevent_refuse();
"""


def refuse(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(REFUSE, params=None)


def allow(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(ALLOW, params=None)


class Migration(migrations.Migration):
    dependencies = [("partners", "0004_retention")]

    operations = [migrations.RunPython(refuse, allow)]
