"""A simulated daemon, for states that a recording on an idle machine cannot cause."""

import contextlib
import copy
import http.server
import json
import threading
import urllib.parse
import urllib.request

NOW = "2026-11-23T08:00:00.000000Z"
SCANNER = {
    "vendor": "0c2e", "product": "0b61", "held_since": NOW, "scans": 7, "redacted": 1, "last_scan": NOW,
    "rejections": {}, "last_rejection": None, "lost_keys": {"count": 0, "last": None},
    "layout_suspicion": {"count": 0, "last": None, "message": None},
}
SINK = {"trouble": None, "last_error": None, "cursor": None, "lag_events": 0, "lag_s": 0, "dead_letters": 0}
STATUS = {
    "register": "till-3", "version": "0", "started": NOW, "time": NOW, "streams": 1, "lookups": {},
    "listen": [{"place": "/run/keywedge/keywedge.sock", "trouble": None}],
    "scanners": [{**SCANNER, "name": "counter"}],
    "sources": [{
        "name": "shop", "kind": "http", "state": "ready", "trouble": None, "retry_after_s": None, "failures": {},
        "last_failure": None}],
    "journal": {
        "file": "j", "state": "open", "trouble": None, "waiting": 0, "epoch": "k3v9q0c2m7xd", "events": 0,
        "size_bytes": 0, "oldest": None, "newest": None},
    "sinks": [{**SINK, "name": "erp", "state": "ok"}],
    "consumers": [],
}
SCAN = {
    "scanner": {"name": "counter"}, "symbology": "ean-13", "gtin": None, "problems": [],
    "lookup": {"status": "found"}}


def event(number, kind, data, time=NOW):
    """Returns an event of the scanner at the counter."""
    return {"id": f"e{number}", "source": "/keywedge/till-3/scanners/counter", "type": kind, "time": time, "data": data}


class Stub:
    """Serves a real daemon's page files, and simulates its event stream and status.

    Each stream begins with the same events, even if its reader has them already, and continues with those that `send`
    adds; with `ends`, it ends at once. With `resumes`, only the first stream has the initial events. `asked` has the
    query of each stream. A test may change `status`. Requests for it are not answered while `is_frozen` is true, and
    are refused with `wants_token`.
    """

    def __init__(self, real, events=(), status=None, ends=False, resumes=False, wants_token=False):
        self.asked = []
        self.status = copy.deepcopy(STATUS if status is None else status)
        self.is_frozen = False
        self._events = list(events)
        self._ends = ends
        self._resumes = resumes
        self._changed = threading.Condition()
        self._is_closed = False
        stub = self

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                # The browser may have closed the connection.
                with contextlib.suppress(ConnectionError):
                    self.answer(*self.path.split("?", 1))

            def answer(self, path, query=""):
                if path == "/v1/events":
                    stub.asked.append(urllib.parse.parse_qs(query))
                    self.head("text/event-stream")
                    return stub._stream(self.wfile)
                if path == "/v1/status":
                    stub._thaw()
                    self.head("application/json", status=401 if wants_token else 200)
                    return self.wfile.write(json.dumps(stub.status).encode())
                with urllib.request.urlopen(real + path) as file:
                    self.head(file.headers["Content-Type"], file.headers["Content-Security-Policy"])
                    self.wfile.write(file.read())

            def head(self, kind, policy=None, status=200):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Access-Control-Allow-Origin", "*")
                if policy:
                    self.send_header("Content-Security-Policy", policy)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def send(self, *events):
        """Adds events to all streams."""
        self.change(lambda: self._events.extend(events))

    def change(self, change):
        """Changes something that a request may be waiting for."""
        with self._changed:
            change()
            self._changed.notify_all()

    def freeze(self, is_frozen):
        """Stops answering requests for the status, or answers them again."""
        self.change(lambda: setattr(self, "is_frozen", is_frozen))

    def close(self):
        """Ends all streams and the server."""
        self.change(lambda: setattr(self, "_is_closed", True))
        self._server.shutdown()
        self._server.server_close()

    def _thaw(self):
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or not self.is_frozen)

    def _stream(self, file):
        sent = len(self._events) if self._resumes and len(self.asked) > 1 else 0
        # A comment makes the answer begin before there are events.
        file.write(b":\n\n")
        while not self._is_closed:
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed or self._ends or len(self._events) > sent)
                fresh = self._events[sent:]
            file.write(b"".join(
                f"id: k3v9q0c2m7xd-{number}\ndata: {json.dumps(one)}\n\n".encode()
                for number, one in enumerate(fresh, sent + 1)))
            sent += len(fresh)
            if self._ends:
                return
