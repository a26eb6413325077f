"""Receives webhooks on loopback and verifies them with the reference library of Standard Webhooks.

usage: python3 webhook_receiver.py SECRET   (needs standardwebhooks from PyPI)

Prints its port, then a JSON object for each request: whether it was verified (true, or the error), the id and the body.
It answers /taken with 204. For each event, it answers /unwell with 503, 429, a redirect, garbage and 500, in this
order, and then with 204; the first event gets no answer instead of 500.
"""

import collections
import http.server
import json
import sys
import time

from standardwebhooks.webhooks import Webhook


class Receiver(http.server.BaseHTTPRequestHandler):
    """Verifies, prints and answers each request."""

    protocol_version = "HTTP/1.1"
    seen = collections.Counter()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            self.server.webhook.verify(body, dict(self.headers))
            verified = True
        except Exception as error:  # any error means that the request is not valid
            verified = str(error) or type(error).__name__
        one = self.headers["webhook-id"]
        turn = Receiver.seen[one]
        Receiver.seen[one] += 1
        print(json.dumps({"verified": verified, "id": one, "body": body.decode()}), flush=True)
        self.answer(turn if self.path == "/unwell" else 5)

    def answer(self, turn):
        if turn == 3:
            self.wfile.write(b"\0\1\2garbage\r\n\r\n")
            self.close_connection = True
            return
        if turn == 4 and len(Receiver.seen) == 1:
            time.sleep(3600)
        self.send_response({0: 503, 1: 429, 2: 307, 4: 500}.get(turn, 204))
        if turn == 1:
            self.send_header("Retry-After", "1")
        if turn == 2:
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.webhook = Webhook(sys.argv[1])
    print(server.server_port, flush=True)
    server.serve_forever()
