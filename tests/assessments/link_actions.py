"""The pages that act on links and attempts, as support presses their buttons."""

import re

from django.urls import reverse

VIEW = ("assessments.view_student", "assessments.view_assessmentlink", "assessments.view_attempt")
RIGHTS = ("issue_link", "cancel_link", "close_attempt", "extend_attempt")
WHY = "lost, says the college"


def address(act, row):
    return reverse(f"admin:assessments_{row._meta.model_name}_{act}", args=[row.pk])


def hidden(client, url):
    html = client.get(url).content.decode()
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html)
    return {name: value for name, value in fields if name != "csrfmiddlewaretoken"}


def press(client, url, **fields):
    return client.post(url, {**hidden(client, url), "reason": WHY, **fields})


def shown_link(response):
    found = re.search(r'id="redirect-url"[^>]*>([^<]+)<', response.content.decode())
    assert found
    return found[1]
