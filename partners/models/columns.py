"""Name the columns that a constant SQL statement reads."""

from django.db import models


def columns_of(model: type[models.Model], *names: str) -> list[str]:
    """Return the columns of these fields and the key, in the order that `from_db` expects."""
    fields = model._meta.concrete_fields
    return [each.attname for each in fields if each.primary_key or each.name in names]
