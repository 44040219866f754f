"""The roles of staff, and what the migrations let each do."""

from importlib import import_module
from pkgutil import iter_modules

from config import migrations

SUPPORT, CONTENT, AUDITOR, ADMINISTRATOR = "Support", "Content", "Auditor", "Administrator"
ROLES = (SUPPORT, CONTENT, AUDITOR, ADMINISTRATOR)
PERMISSIONS = {role: set() for role in ROLES}
for found in iter_modules(migrations.__path__):
    for role, rights in import_module(f"config.migrations.{found.name}").ROLES.items():
        PERMISSIONS[role] |= {f"{app}.{name}" for app, names in rights.items() for name in names}
