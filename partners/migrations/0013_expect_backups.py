from typing import Any

from django.db import migrations
from django.utils import timezone


def expect(apps: Any, schema_editor: Any) -> None:
    """Expect a first backup within a day from now on."""
    successes = apps.get_model("partners", "LastSuccess").objects
    successes.using(schema_editor.connection.alias).get_or_create(
        task="backup", defaults={"known_since": timezone.now()}
    )


class Migration(migrations.Migration):

    dependencies = [
        ("partners", "0012_last_successes"),
    ]

    operations = [
        migrations.RunPython(expect, migrations.RunPython.noop, elidable=True),
    ]
