"""A catalogue file on its way through the admin: sent, compared, and loaded by a button."""

import html
import re

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

EDITOR = tuple(f"assessments.{act}_course" for act in ("view", "change", "add"))


def url(name, *rows):
    return reverse(f"admin:assessments_course_{name}", args=[row.pk for row in rows])


def send(client, project, content, name="courses.csv"):
    """Send a file, and follow to the page that compares it, or to that of its columns."""
    sent = {"file": SimpleUploadedFile(name, content)}
    return client.post(url("load", project), sent, follow=True)


def press(client, page, **ticked):
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', page.content.decode())
    assert seen
    read = re.search(r'name="read" value="([^"]*)"', page.content.decode())
    sent = {"seen": seen[1], "read": html.unescape(read[1]) if read else ""}
    return client.post(page.request["PATH_INFO"], sent | ticked, follow=True)


def words(answer):
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split()))


def link(page, text):
    """Return the address of the first link with this text."""
    pattern = r'<a\s[^>]*href="([^"]*)"[^>]*>\s*' + text + r"\s*</a>"
    return html.unescape(re.findall(pattern, page.content.decode())[0])


def names(project):
    return dict(project.courses.active().values_list("code", "name"))


def now(project):
    return {each.code: each for each in project.courses.as_data()}
