"""The place where the daemon is to listen is occupied: it ends before it reads a single scan."""

import json
import time

from daemon import texts
from machine import GuestError
from scenario import K1, PROGRAM, Scenario

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

    def assert_start_fails(self, listen, named):
        """A start with these settings ends with 1 and one line, and reads nothing that is typed."""
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        (self.guest.exchange / "second.yaml").write_text(json.dumps({
            "scanners": [{"name": "v", "match": {"phys": "v/1"}}], "catalog": {"sources": []},
            "journal": {"file": "/run/second.sqlite"}, "listen": listen,
            "events": [{"stdout": {"format": "json"}}]}))
        self.guest.check(
            f"({PROGRAM} run --config second.yaml >second.events 2>second.log; "
            "echo $? >second.new; mv second.new second.code) &")
        code = self.guest.exchange / "second.code"
        deadline = time.monotonic() + 60
        while not code.exists():
            if time.monotonic() > deadline:
                raise GuestError("the second daemon does not end")
            keyboards.type("v", "12345670", gap=0.001)
        self.assertEqual(code.read_text(), "1\n")
        lines = (self.guest.exchange / "second.log").read_text().splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(named, lines[0])
        self.assertEqual((self.guest.exchange / "second.events").read_text(), "")

    def test_a_socket_of_a_daemon_that_runs_is_left_alone(self):
        program = self.run_daemon(
            K1, catalog={"sources": []}, journal={"file": "/run/occupied.sqlite"},
            listen={"socket": SOCKET})
        before = self.guest.check(f"stat -c '%i %Y %a' {SOCKET}")
        self.assert_start_fails({"socket": SOCKET}, SOCKET)
        self.assertEqual(self.guest.check(f"stat -c '%i %Y %a' {SOCKET}"), before)
        self.assertIn("scanners", self.guest.check(f"{PROGRAM} status --config daemon.yaml", 60))
        self.guest.type("k1", "96385074")
        self.assertEqual(texts(program.wait_for_type("scan")), ["96385074"])

    def test_a_port_that_another_process_uses_leaves_no_socket_behind(self):
        (self.guest.exchange / "occupy.py").write_text(OCCUPY)
        self.addCleanup(self.guest.run, "kill $(cat occupy.pid)")
        self.guest.check(
            "rm -f occupy.log; python3 occupy.py >occupy.log 2>&1 & echo $! >occupy.pid\n"
            "until grep -q ready occupy.log; do sleep 0.05; done")
        self.assert_start_fails(
            {"socket": "/run/second.sock", "http": f"127.0.0.1:{PORT}"}, str(PORT))
        self.guest.check("[ ! -e /run/second.sock ]")
