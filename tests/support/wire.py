"""The bytes and requests of a page, as Chromium counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page


class Wire:
    """Counts the cost of a page as Chromium reports it: received headers and bodies.

    The `receipt` is the answer to the form that led to the page: a redirect, or a few bytes.
    """

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._cached: set[str] = set()
        self._sent_by_script: set[str] = set()
        self.bytes = self.receipt = self.requests = 0
        self._session.on("Network.requestWillBeSent", self._sent)
        self._session.on("Network.requestServedFromCache", self._from_cache)
        self._session.on("Network.responseReceived", self._answered)
        self._session.on("Network.loadingFinished", self._finished)
        self._session.send("Network.enable")

    def start(self) -> None:
        """Begin a new page."""
        self.bytes = self.receipt = self.requests = 0

    def _sent(self, event: dict[str, Any]) -> None:
        if not event["request"]["url"].startswith("http"):
            return
        # a redirect is a separate answer with the same id
        self.receipt += event.get("redirectResponse", {}).get("encodedDataLength", 0)
        self.requests += 1
        if event.get("type") == "Fetch":
            self._sent_by_script.add(event["requestId"])

    def _answered(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self._from_cache(event)

    def _from_cache(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._cached:
            self._cached.add(event["requestId"])
            self.requests -= 1

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._sent_by_script:
            self.receipt += int(event["encodedDataLength"])
        elif event["requestId"] not in self._cached:
            self.bytes += int(event["encodedDataLength"])
