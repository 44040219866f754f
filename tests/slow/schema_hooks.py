"""Loaded by Schemathesis: what the OpenAPI file says of a name in words alone.

Its pattern has only what every regular expression engine reads alike. Its description refuses more:
invisible, private and unassigned characters (partners/plain_text.py).
"""

import json
import re
from pathlib import Path

import schemathesis

from partners.plain_text import is_plain_text

SCHEMAS = json.loads(Path("openapi.json").read_text(encoding="utf-8"))["components"]["schemas"]
PATTERN = re.compile(SCHEMAS["LinkRequest"]["properties"]["name"]["pattern"])


@schemathesis.hook
def map_body(context, body):
    """Make a name plain that the pattern lets through; leave one that it refuses."""
    name = body.get("name") if isinstance(body, dict) else None
    if isinstance(name, str) and PATTERN.search(name) and not is_plain_text(name):
        body["name"] = "".join(each if is_plain_text(each) else "x" for each in name)
    return body
