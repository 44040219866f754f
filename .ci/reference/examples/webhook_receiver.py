"""Receives webhooks and verifies their signature. Needs `pip install standardwebhooks`."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

WEBHOOK = Webhook(os.environ["WEBHOOK_SECRET"].strip())
seen = set()  # in production, a table with a unique column


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            event = WEBHOOK.verify(
                body, {name.lower(): each for name, each in self.headers.items()}
            )
        except (WebhookVerificationError, ValueError):
            return self.answer(400)
        # An event may arrive twice, with the same id.
        if self.headers["webhook-id"] not in seen:
            print(event["type"], event["data"], flush=True)
            seen.add(self.headers["webhook-id"])
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
