"""The daemon's socket or port is already in use: it reports this, and reads scans nevertheless."""

import json
import time

from daemon import texts
from machine import GuestError
from scenario import IDLE, K1, PROGRAM, Scenario

PORT = 8691
SOCKET = "/run/occupied.sock"
OCCUPY = f"""
import socket, time
port = socket.create_server(("127.0.0.1", {PORT}))
print("ready", flush=True)
time.sleep(100000)
"""


class Occupied(Scenario):

    def setUp(self):
        super().setUp()
        self.guest.check("rm -f /run/occupied.* /run/second.* second.*; ip link set lo up")

    def start_second(self, listen, named):
        """Starts a second daemon, which names the occupied address and reads scans although it cannot listen."""
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        (self.guest.exchange / "second.yaml").write_text(json.dumps({
            "scanners": [{"name": "v", "match": {"phys": "v/1"}, "idle_timeout": IDLE}],
            "catalog": {"sources": []}, "journal": {"file": "/run/second.sqlite"}, "listen": listen,
            "events": [{"stdout": {"format": "json"}}]}))
        self.guest.check(
            ": >second.events; : >second.log\n"
            f"{PROGRAM} run --config second.yaml >second.events 2>second.log & echo $! >second.pid")
        self.addCleanup(
            self.guest.run,
            "kill $(cat second.pid); while kill -0 $(cat second.pid) 2>/dev/null; do sleep 0.1; done")
        self.wait_for_text("second.events", "scanner.connected")
        keyboards.type("v", "12345670")
        self.wait_for_text("second.events", "12345670")
        self.wait_for_text("second.log", named)

    def wait_for_text(self, name, text):
        """Waits until a file in the shared folder contains the text."""
        deadline = time.monotonic() + 60
        while text not in (self.guest.exchange / name).read_text(errors="replace"):
            if time.monotonic() > deadline:
                raise GuestError(f"{text!r} is not in {name}")
            time.sleep(0.05)

    def test_a_socket_of_a_daemon_that_runs_is_left_alone(self):
        program = self.run_daemon(
            K1, catalog={"sources": []}, journal={"file": "/run/occupied.sqlite"},
            listen={"socket": SOCKET})
        status = f"{PROGRAM} status --config daemon.yaml"
        self.guest.check(f"until {status} >/dev/null 2>&1; do sleep 0.2; done")
        before = self.guest.check(f"stat -c '%i %Y %a' {SOCKET}")
        self.start_second({"socket": SOCKET}, SOCKET)
        self.assertEqual(self.guest.check(f"stat -c '%i %Y %a' {SOCKET}"), before)
        self.assertIn("scanners", self.guest.check(status))
        self.guest.type("k1", "96385074")
        self.assertEqual(texts(program.wait_for_type("scan")), ["96385074"])

    def test_a_port_that_another_process_uses_is_taken_once_it_is_free(self):
        (self.guest.exchange / "occupy.py").write_text(OCCUPY)
        self.addCleanup(self.guest.run, "kill $(cat occupy.pid)")
        self.guest.check(
            "rm -f occupy.log; python3 occupy.py >occupy.log 2>&1 & echo $! >occupy.pid\n"
            "until grep -q ready occupy.log; do sleep 0.05; done")
        self.start_second(
            {"socket": "/run/second.sock", "http": f"127.0.0.1:{PORT}"}, str(PORT))
        status = f"{PROGRAM} status --config second.yaml"
        self.guest.check(f"until {status} | grep -q 'another program does'; do sleep 0.5; done")
        self.guest.check("kill $(cat occupy.pid)")
        self.guest.check(f"while {status} | grep -q 'another program does'; do sleep 0.5; done")
