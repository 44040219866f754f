"""The forms of staff's pages, read and sent as a browser does."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

CSRF = "csrfmiddlewaretoken"
TICKED = ("checkbox", "radio")


@dataclass
class Control:
    """An input, a select or a textarea: what it sends, and what it offers."""

    name: str
    kind: str
    sends: list[str] = field(default_factory=list)
    offers: list[str] = field(default_factory=list)


@dataclass
class AdminForm:
    action: str
    controls: dict[str, Control] = field(default_factory=dict)
    buttons: list[str] = field(default_factory=list)

    def sent(self, changes=None):
        """Return what a browser sends after these changes; None unticks or empties a control."""
        values = {each.name: each.sends for each in self.controls.values()}
        values |= changes or {}
        return {name: value for name, value in values.items() if value not in (None, [])}


class _Parser(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms = []
        self._form = None
        self._control = None  # the open select or textarea

    def handle_starttag(self, tag, attrs):
        has = {name: value or "" for name, value in attrs}
        kind = has.get("type", "text") if tag == "input" else tag
        if tag == "form" and has.get("method") == "post":
            self._form = AdminForm(has.get("action", ""))
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif kind in ("submit", "button"):
            self._form.buttons.append(has.get("name", ""))
        elif tag == "option" and self._control:
            self._control.offers.append(has.get("value", ""))
            self._control.sends += [has.get("value", "")] if "selected" in has else []
        elif tag in ("input", "select", "textarea") and "disabled" not in has and has.get("name"):
            control = self._form.controls.setdefault(has["name"], Control(has["name"], kind))
            if tag == "input":
                value = has.get("value", "on" if kind in TICKED else "")
                control.offers.append(value)
                control.sends += [value] if kind not in TICKED or "checked" in has else []
            else:
                self._control = control
                control.sends = [""] if tag == "textarea" else control.sends

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        elif tag in ("select", "textarea") and self._control:
            if tag == "textarea":  # HTML drops the line break after the tag
                self._control.sends = [self._control.sends[0].removeprefix("\n")]
            self._control.sends = self._control.sends or self._control.offers[:1]
            self._control = None

    def handle_data(self, data):
        if self._control and self._control.kind == "textarea":
            self._control.sends = ["".join([*self._control.sends, data])]


def forms_of(response):
    """Return the page's forms that save something, without the one that signs out."""
    if response.streaming:
        return []
    parser = _Parser()
    parser.feed(response.content.decode())
    return [form for form in parser.forms if not form.action.endswith("/logout/")]


def opened(client, url):
    """Open a page, and return its one form."""
    response = client.get(url)
    assert response.status_code == 200, response.status_code
    [form] = forms_of(response)
    return form


def edit(client, url, changes, button="_save"):
    """Open a page, make these changes in its form, and press a button."""
    return client.post(url, opened(client, url).sent({**changes, button: "1"}))
