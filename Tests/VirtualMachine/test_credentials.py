"""The secrets of sinks as credentials of the real unit, from files that only root can read."""

import base64
import hashlib
import hmac
import json
import os
import time

import test_unit
from daemon import of_type
from machine import GuestError

CONFIGURATION = """
scanners: [{name: counter, idle_timeout: 30s}]
catalog: {sources: []}
events:
  - {stdout: {format: json}}
  - {webhook: {url: "http://127.0.0.1:8765/scans", secret_file: "credential:erp", types: keywedge.scan}}
  - mqtt:
      url: mqtt://127.0.0.1:18830
      user_file: credential:mqtt-user
      password_file: credential:mqtt-password
      types: keywedge.scan
"""
DROP_IN = """
[Service]
LoadCredential=erp:/etc/keywedge/erp.secret
LoadCredential=mqtt-user:/etc/keywedge/mqtt.user
LoadCredential=mqtt-password:/etc/keywedge/mqtt.password
"""
RECEIVER = """
import http.server, json
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        names = ("webhook-id", "webhook-timestamp", "webhook-signature")
        with open("hooks", "a") as output:
            print(json.dumps([body, *(self.headers[name] for name in names)]), file=output)
        self.send_response(204)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", 8765), Receiver).serve_forever()
"""
BROKER = """
listener 18830 127.0.0.1
allow_anonymous false
password_file /run/exchange/broker.passwords
user root
log_type all
"""
DROP_INS = "/etc/systemd/system/keywedge.service.d"


class Credentials(test_unit.UnitScenario):

    def setUp(self):
        super().setUp()
        self.secret = os.urandom(32)
        files = {
            "credentials.yaml": CONFIGURATION, "credentials.conf": DROP_IN, "receiver.py": RECEIVER,
            "broker.conf": BROKER, "erp.secret": "whsec_" + base64.b64encode(self.secret).decode() + "\n",
            "mqtt.user": "register\n", "mqtt.password": "correct horse\n",
        }
        for name, content in files.items():
            (self.guest.exchange / name).write_text(content)
        self.addCleanup(
            self.guest.run,
            f"systemctl stop {test_unit.UNIT}; kill $(cat receiver.pid broker.pid subscriber.pid)\n"
            f"rm -rf {DROP_INS} /var/lib/keywedge/journal*; mv credentials-kept.yaml /etc/keywedge/keywedge.yaml\n"
            "systemctl daemon-reload")
        self.guest.check(
            f"cp /etc/keywedge/keywedge.yaml credentials-kept.yaml; systemctl stop {test_unit.UNIT}\n"
            "cp credentials.yaml /etc/keywedge/keywedge.yaml\n"
            "install -m 600 -t /etc/keywedge erp.secret mqtt.user mqtt.password\n"
            f"install -D -m 644 credentials.conf {DROP_INS}/credentials.conf; systemctl daemon-reload\n"
            "mosquitto_passwd -c -b broker.passwords register 'correct horse'\n"
            "python3 receiver.py >receiver.log 2>&1 & echo $! >receiver.pid\n"
            "mosquitto -c broker.conf >broker.log 2>&1 & echo $! >broker.pid\n"
            "for port in 8765 18830; do\n"
            "until python3 -c \"import socket; socket.create_connection(('127.0.0.1', $port))\" 2>/dev/null\n"
            "do sleep 0.1; done; done")
        self.guest.check(
            "mosquitto_sub -p 18830 -u register -P 'correct horse' -q 1 -t 'keywedge/+/+/+' "
            ">subscriber 2>&1 & echo $! >subscriber.pid\n"
            "until grep -q 'Sending SUBACK' broker.log; do sleep 0.1; done")

    def wait_for_line(self, name, is_right, seconds=240):
        """Waits for the first line of a file in the exchange folder for which `is_right` is true, and returns it."""
        path = self.guest.exchange / name
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            # The last line may be incomplete.
            lines = path.read_text().split("\n")[:-1] if path.exists() else []
            if found := [line for line in lines if is_right(line)]:
                return found[0]
            time.sleep(0.1)
        raise GuestError(f"no such line arrived in {name}\n" + self.guest.run(
            f"journalctl -o cat -n 30 -u {test_unit.UNIT}").output)

    def test_sinks_use_secrets_that_their_user_cannot_read(self):
        self.assertNotEqual(
            self.guest.run("setpriv --reuid keywedge --regid keywedge --clear-groups cat /etc/keywedge/erp.secret").code, 0)
        self.guest.check(f"systemctl start {test_unit.UNIT}")
        self.wait_for("scanner.connected", self.invocation())
        self.guest.type("k1", "4006381333931")
        (scan,) = of_type(self.wait_for("scan", self.invocation()), "scan")
        body, identifier, timestamp, signatures = json.loads(self.wait_for_line("hooks", lambda line: True))
        self.assertEqual(json.loads(body), scan)
        # Verifies a signature of Standard Webhooks 1.0.0 with only the standard library.
        signed = f"{identifier}.{timestamp}.{body}".encode()
        expected = base64.b64encode(hmac.digest(self.secret, signed, hashlib.sha256)).decode()
        self.assertEqual(signatures, f"v1,{expected}")
        line = self.wait_for_line("subscriber", lambda line: line.startswith("{"))
        self.assertEqual(json.loads(line), scan)
