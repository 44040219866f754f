"""Django's settings. Those that the environment may change are in config/env.py."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.files.storage import FileSystemStorage

from config import env
from config.logging import configuration

BASE_DIR = Path(__file__).resolve().parent.parent
ENVIRONMENT = env.read(BASE_DIR)
VERSION = env.VERSION

MODE: str = ENVIRONMENT.mode
DEBUG = False
APP_URL: str = ENVIRONMENT["APP_URL"]
SUPPORT_EMAIL: str = ENVIRONMENT["SUPPORT_EMAIL"]
TRUSTED_PROXY_COUNT: int = ENVIRONMENT["TRUSTED_PROXY_COUNT"]
REDIS_URL: str = ENVIRONMENT["REDIS_URL"]
METRICS_TOKEN: str = ENVIRONMENT["METRICS_TOKEN"]
WEBHOOK_KEY: str = ENVIRONMENT["WEBHOOK_KEY"]
WEBHOOK_TEST_RECEIVER = MODE != "production"  # allows webhooks to this machine over http
DATABASE_POOLED: bool = ENVIRONMENT["DATABASE_POOLED"]

LINK_RATE_PER_MINUTE: int = ENVIRONMENT["LINK_RATE_PER_MINUTE"]
RESULTS_RATE_PER_MINUTE: int = ENVIRONMENT["RESULTS_RATE_PER_MINUTE"]
OTHER_RATE_PER_MINUTE: int = ENVIRONMENT["OTHER_RATE_PER_MINUTE"]
FAILED_CREDENTIALS_PER_MINUTE: int = ENVIRONMENT["FAILED_CREDENTIALS_PER_MINUTE"]
UNKNOWN_LINKS_PER_MINUTE: int = ENVIRONMENT["UNKNOWN_LINKS_PER_MINUTE"]

# The most by which a server's clock may differ from the database's when an attempt ends; in tests
# attempts end at any time.
CLOCK_TOLERANCE = timedelta(days=36500) if MODE == "test" else timedelta(seconds=30)

# --- apps and middleware
INSTALLED_APPS = [
    "config",
    "partners",
    "tokens",
    "assessments",
    "staff.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "staff.apps.StaffConfig",  # after django.contrib.auth, whose admin pages it replaces
    # rest_framework and django_ratelimit are only libraries here. As apps, the one would add the
    # files of the browsable API, the other checks that refuse our cache.
]
MIDDLEWARE = [
    "config.middleware.default_headers",
    "config.middleware.CompressPages",
    "config.middleware.request_context",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.answer_early",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.answer_calls",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Those from staff do nothing outside /admin/.
    "staff.sessions.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Applies to students' forms. DRF's views are exempt.
    "django.middleware.csrf.CsrfViewMiddleware",
    "staff.sessions.AuthenticationMiddleware",
    "staff.sessions.OTPMiddleware",
    "staff.sessions.session_limits",
    "staff.sessions.local_times",
    "staff.sessions.MessageMiddleware",
    "config.middleware.WrongClock",
]
ROOT_URLCONF = "config.urls"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["django.templatetags.i18n", "django.templatetags.static"],
        },
    }
]

# --- databases, caches and files
# Connections: workers x threads. Django's pool failed requests after a restart of PostgreSQL.
_database: Any = dj_database_url.parse(
    ENVIRONMENT["DATABASE_URL"], conn_max_age=60, conn_health_checks=True
)
_options = _database.setdefault("OPTIONS", {})
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # Without these, concurrent writers get "database is locked".
    _options |= {"transaction_mode": "IMMEDIATE", "timeout": 20}
    _options["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
    # A file, because threads cannot share an in-memory database.
    _database["TEST"] = {"NAME": f"{_database['NAME']}.tests"}
else:
    _database["ENGINE"] = "config.postgresql"
    # Behind a pooler, the next transaction may get another connection, without the prepared
    # statements and cursors of the previous one.
    _database["DISABLE_SERVER_SIDE_CURSORS"] = DATABASE_POOLED
    _database["OPTIONS"] = {
        # In seconds, the last in milliseconds. All but the first end a wait for a host that is
        # gone, in half a minute at most; one that hangs still acknowledges what it gets.
        "connect_timeout": 5,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 4,
        "tcp_user_timeout": 10_000,
        **_options,
        "server_side_binding": True,
        "prepare_threshold": None if DATABASE_POOLED else 5,
    }
DATABASES = {"default": _database}
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # TIMEOUT is one minute plus django-ratelimit's margin.
    "limits": {"BACKEND": "tokens.limit_store.LimitStore", "LOCATION": REDIS_URL, "TIMEOUT": 65},
}
RATELIMIT_USE_CACHE = "limits"
STATIC_URL = "/static/"
_STATIC = BASE_DIR / ENVIRONMENT["STATIC_ROOT"]
STATIC_ROOT = _STATIC / "served" if MODE == "production" else None
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = MODE != "production"
# Otherwise each test client would list all the files at its start.
WHITENOISE_AUTOREFRESH = MODE == "test"
# The manifest needs collectstatic to have run, which the demo and the tests do without. It lies
# beside the files that are served, because it lists them all.
_MANIFEST = {
    "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage",
    "OPTIONS": {"manifest_storage": FileSystemStorage(location=_STATIC)},
}
_PLAIN = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": _MANIFEST if MODE == "production" else _PLAIN,
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024  # of a form's fields; config/json_body.py: JSON, 16 kB
FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024  # of any body, so of a catalogue's file too
# Nothing goes to disk.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# --- authentication and security
SECRET_KEY: str = ENVIRONMENT["SECRET_KEY"]
SECRET_KEY_FALLBACKS: list[str] = ENVIRONMENT["SECRET_KEY_FALLBACKS"]
ALLOWED_HOSTS: list[str] = ENVIRONMENT["ALLOWED_HOSTS"]
SECURE_COOKIES = APP_URL.startswith("https://")
_COOKIE_PREFIX = "__Host-" if SECURE_COOKIES else ""
ATTEMPT_COOKIE_PREFIX = f"{_COOKIE_PREFIX}attempt-"  # before the AssessmentId
SESSION_COOKIE_NAME = f"{_COOKIE_PREFIX}sessionid"
STAFF_BROWSER_COOKIE_NAME = f"{_COOKIE_PREFIX}staff-browser"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_AGE = 12 * 60 * 60  # staff only; staff/sessions.py ends them earlier
CSRF_COOKIE_NAME = f"{_COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = [APP_URL]
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
# Only the session: the cookie storage is signed, not encrypted.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SECURE_SSL_REDIRECT = SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_COOKIES
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if SECURE_COOKIES else 0
# `no-referrer` makes Chromium send `Origin: null`, which the CSRF check refuses.
SECURE_REFERRER_POLICY = "strict-origin"
# Sent with every page by config.middleware. No page fetches fonts, frames or a manifest, so they
# fall back to default-src; so would objects, but ASVS 3.4.3 asks for their word.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
    "img-src 'self' data:"
)
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 15}},
    # The user's names count here too, in place of Django's look at what is similar.
    {"NAME": "staff.passwords.StrengthValidator"},
    # Of its 48 with 15 characters, the line above accepts ten, such as "kartoffelpuffer".
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60  # of staff/passwords.py, which alone uses it
SECOND_FACTOR_REQUIRED = MODE == "production"
# The name in authenticator apps: the host, because a user may work with two installations.
OTP_TOTP_ISSUER = urlsplit(APP_URL).hostname
# HSTS preload binds every host of the domain, which only its owner can decide.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

# --- the partner API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["tokens.authentication.AccessTokenAuthentication"],
    # Authentication raises when the header is missing, so there is nothing left to permit.
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["config.json_body.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.json_body.AlwaysJSON",
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%SZ",  # times of answers are in UTC, as TIME_ZONE is
    "EXCEPTION_HANDLER": "assessments.api.failures.answer_exception",
}

# --- language, time, logs
LANGUAGE_CODE = "en"
# Languages of student pages, by their own names. Staff and partners read English: docs/languages.md
LANGUAGES = [("en", "English"), ("hi", "हिन्दी")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
LOGGING = configuration(MODE, ENVIRONMENT["LOG_LEVEL"])
