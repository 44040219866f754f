"""The bytes and requests of a page, as Chromium counts them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


class Wire:
    """Counts the cost of a page as Chromium reports it: received headers and bodies.

    The `receipt` is the answer to the form that led to the page: a redirect, or a few bytes.
    """

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)
        self._cached = set()
        self._sent_by_script = set()
        self.bytes = self.receipt = self.requests = 0
        self._session.on("Network.requestWillBeSent", self._sent)
        self._session.on("Network.requestServedFromCache", self._from_cache)
        self._session.on("Network.responseReceived", self._answered)
        self._session.on("Network.loadingFinished", self._finished)
        self._session.send("Network.enable")

    def start(self):
        """Begin a new page."""
        self.bytes = self.receipt = self.requests = 0

    def _sent(self, event):
        if not event["request"]["url"].startswith("http"):
            return
        # a redirect is a separate answer with the same id
        self.receipt += event.get("redirectResponse", {}).get("encodedDataLength", 0)
        self.requests += 1
        if event.get("type") == "Fetch":
            self._sent_by_script.add(event["requestId"])

    def _answered(self, event):
        if event["response"].get("fromDiskCache"):
            self._from_cache(event)

    def _from_cache(self, event):
        if event["requestId"] not in self._cached:
            self._cached.add(event["requestId"])
            self.requests -= 1

    def _finished(self, event):
        if event["requestId"] in self._sent_by_script:
            self.receipt += int(event["encodedDataLength"])
        elif event["requestId"] not in self._cached:
            self.bytes += int(event["encodedDataLength"])
