from __future__ import annotations

from typing import Any

from django.db import migrations
from django.db.models import F


def fill(apps: Any, schema_editor: Any) -> None:
    """Take the catalogues of earlier releases as current since they were first stored.

    There are a few for each project, so one statement is enough.
    """
    snapshots = apps.get_model("assessments", "CatalogueSnapshot").objects
    snapshots.using(schema_editor.connection.alias).filter(current_since=None).update(
        current_since=F("taken_at")
    )


class Migration(migrations.Migration):
    dependencies = [("assessments", "0050_catalogue_current_since")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
