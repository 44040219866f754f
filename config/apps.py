"""The project's settings and middleware, installed for its commands and system checks."""

from typing import Any
from xml.parsers import expat

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, Warning, register


class ConfigConfig(AppConfig):
    name = "config"


@register(Tags.security, deploy=True)
def check_deployment(**kwargs: Any) -> list[CheckMessage]:
    https_needs_a_proxy = Warning(
        "APP_URL is an https address, but TRUSTED_PROXY_COUNT is 0.",
        hint="Behind a proxy all requests count as http: pages redirect to themselves, and "
        "calls get https_required. Set the number of proxies in front.",
        id="config.W003",
    )
    expat_is_old = Info(
        f"Python's {expat.EXPAT_VERSION} may be slow on hostile XML (CVE-2023-52425).",
        hint="Workbooks are checked before they are read, so nothing must be done. A "
        "distribution may have mended its version without another number.",
        id="config.I001",
    )
    applies = (
        (https_needs_a_proxy, settings.SECURE_COOKIES and not settings.TRUSTED_PROXY_COUNT),
        (expat_is_old, expat.version_info < (2, 6)),
    )
    return [message for message, is_true in applies if is_true]
