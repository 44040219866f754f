"""The service's settings, with drf-spectacular and with placeholders for OWN_VALUES."""

from __future__ import annotations

from config.docs_views import OWN_VALUES
from config.settings import *  # noqa: F403  all settings
from config.settings import BASE_DIR, INSTALLED_APPS, REST_FRAMEWORK

# The service fills these in when it renders the built files.
globals().update({name: f"{{{{ {name} }}}}" for name in OWN_VALUES})

INSTALLED_APPS = [*INSTALLED_APPS, "drf_spectacular"]
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"}
SPECTACULAR_SETTINGS = {
    "POSTPROCESSING_HOOKS": ["reference.schema.complete"],
    "SORT_OPERATIONS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / ".ci" / "reference" / "templates"],
        "OPTIONS": {"libraries": {"backticks": "reference.backticks"}},
    }
]
