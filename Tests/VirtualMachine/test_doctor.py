"""Plants faults on a box with a real systemd: `keywedge doctor` finds each, and its remedy repairs it."""

import contextlib
import json
import re
import time
import unittest

import test_unit
from daemon import of_type
from machine import GuestError

try:
    import yaml
except ImportError:
    yaml = None

CONFIGURATION = "/etc/keywedge/keywedge.yaml"
RULE = "/usr/local/lib/udev/rules.d/72-keywedge.rules"
STATE = "/var/lib/keywedge"
SOCKET = "/run/keywedge/keywedge.sock"
POLICY = "/etc/chromium/policies/managed"
CODE = "4006381333931"
PRODUCTS = "id,name,price,code\n1,Kohlwerk pencil,{price},{code}\n"
# A service that receives the scans, an NTP server (RFC 5905, section 7.3), and a program that grabs a scanner.
ERP = """
import http.server
class Taker(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("0.0.0.0", 9000), Taker).serve_forever()
"""
CLOCK = """
import socket, struct, time
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 123))
while True:
    asked, client = server.recvfrom(512)
    now = int((time.time() + 2208988800) * 2**32)
    server.sendto(struct.pack("!BBbbII4s4Q", 0x24, 1, 6, -20, 0, 0, b"GPS\\0", now,
        struct.unpack("!Q", asked[40:48])[0], now, now), client)
"""
GREEDY = """
import fcntl, sys, time
node = open(sys.argv[1], "rb")
while True:
    try:
        fcntl.ioctl(node, 0x40044590, 1)  # EVIOCGRAB
        break
    except OSError:
        time.sleep(0.05)
open("/run/greedy.has", "w").close()
time.sleep(100000)
"""
SERVICES = {"erp": ERP, "clock": CLOCK, "greedy": GREEDY}


def merged(old, new):
    """Merges new settings into old ones, as docs/doctor.md describes."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{key: merged(old.get(key), value) for key, value in new.items()}}
    if isinstance(old, list) and isinstance(new, list) and all("name" in item for item in new):
        names = {item.get("name"): item for item in new}
        kept = [merged(item, names.pop(item.get("name"), item)) for item in old]
        return kept + list(names.values())
    return new


def baseline():
    """Returns the configuration of a register without faults."""
    return {
        "scanners": [{"name": "counter", "match": {"uniq": "SN-k1"}, "idle_timeout": "10s"}],
        "catalog": {"sources": [{"embedded": f"{STATE}/catalog.sqlite"}]},
        "journal": {"keep": {"megabytes": 16}},
        "listen": {"socket": SOCKET, "http": "127.0.0.1:8691", "origins": ["https://pos.example"]},
        "events": [
            {"stdout": {"format": "json"}},
            {"mqtt": {"url": "mqtt://127.0.0.1:1883"}},
            {"webhook": {"url": "http://127.0.0.1:9000/", "secret_file": "/etc/keywedge/secret"}},
        ],
    }


@unittest.skipIf(yaml is None, "python3-yaml, which writes settings, is not installed")
class Doctor(test_unit.UnitScenario):

    def setUp(self):
        super().setUp()
        exchange = self.guest.exchange
        exchange.joinpath("products.csv").write_text(PRODUCTS.format(price="0.89", code=CODE))
        exchange.joinpath("products-new.csv").write_text(PRODUCTS.format(price="0.99", code=CODE))
        exchange.joinpath("products-wrong.csv").write_text(
            PRODUCTS.format(price="0.89", code="4006381333932"))
        for name, program in SERVICES.items():
            exchange.joinpath(f"{name}.py").write_text(program)
            exchange.joinpath(f"{name}.service").write_text(
                f"[Service]\nExecStart=/usr/bin/python3 /run/exchange/{name}.py {self.node('k1')}\n"
                "[Install]\nWantedBy=multi-user.target\n")
        # The other scenarios expect these services to be stopped.
        self.addCleanup(
            self.guest.run, "systemctl disable --now mosquitto keywedge.socket erp clock")
        exchange.joinpath("policy.json").write_text(json.dumps(
            {"LocalNetworkAccessAllowedForUrls": ["https://pos.example"]}))
        self.guest.check(
            "cp *.service /etc/systemd/system/; systemctl daemon-reload\n"
            "ip link set lo up; ip addr add 192.0.2.10/32 dev lo\n"
            "mkdir -p /etc/systemd/timesyncd.conf.d /etc/keywedge\n"
            # A busy host delays the server's answers; without these settings, timesyncd would retry minutes later.
            "printf '[Time]\\nNTP=127.0.0.1\\nRootDistanceMaxSec=60\\nPollIntervalMinSec=16\\n"
            "PollIntervalMaxSec=32\\nConnectionRetrySec=1\\n' >/etc/systemd/timesyncd.conf.d/box.conf\n"
            "printf whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw >/etc/keywedge/secret\n"
            "chgrp keywedge /etc/keywedge/secret; chmod 640 /etc/keywedge/secret\n"
            f"mkdir -p {POLICY}; cp policy.json {POLICY}/shop.json\n"
            f"keywedge catalog import products.csv --currency EUR --catalog {STATE}/catalog.sqlite\n"
            "systemctl unmask --runtime systemd-timesyncd; systemctl daemon-reload\n"
            f"systemctl start erp clock; systemctl stop {test_unit.UNIT}\n"
            "systemctl enable --now mosquitto keywedge.socket")
        self.configure(baseline())
        self.connected()

    def configure(self, configuration):
        """Restarts the daemon with a configuration."""
        (self.guest.exchange / "k.yaml").write_text(yaml.dump(configuration))
        self.guest.check(
            f"install -m 644 k.yaml {CONFIGURATION}; systemctl restart {test_unit.UNIT}")

    def connected(self):
        """Waits until the current run of the daemon has claimed the scanner."""
        self.wait_for("scanner.connected", self.invocation())

    def doctor(self):
        """Runs `keywedge doctor`, checks its exit code, and returns the findings that report a fault."""
        result = self.guest.run("keywedge doctor --json 2>doctor.log")
        report = json.loads(result.output)
        bad = [each for each in report["findings"]
               if each["verdict"] in ("failed", "warning", "not-seen")]
        self.assertEqual(result.code, 1 if report["failed"] else 3 if bad else 0)
        return bad

    def diagnoses(self, seconds=240):
        """Runs `keywedge doctor` repeatedly for `seconds`, and yields each run's bad findings."""
        deadline = time.monotonic() + seconds
        yield self.doctor()
        while time.monotonic() < deadline:
            time.sleep(1)
            yield self.doctor()

    def finding(self, subject, words):
        """Waits until the doctor finds a fault, and returns that finding."""
        for bad in self.diagnoses():
            for each in bad:
                if each["subject"] == subject and re.search(words, each["message"]):
                    return each
        raise self.failure(f"{subject} with {words!r} was not found", bad)

    def all_is_well(self):
        """Waits until the doctor finds no fault."""
        for bad in self.diagnoses():
            if not bad:
                return
        raise self.failure("not all is well", bad)

    def failure(self, text, bad):
        """Returns an error that contains the doctor's findings."""
        log = self.guest.run("cat doctor.log").output
        return GuestError(f"{text}: {json.dumps(bad, indent=1)}\n{log}")

    @contextlib.contextmanager
    def shown(self):
        """Prints an error at once, because the remaining faults take a while."""
        try:
            yield
        except Exception as error:
            print(f"{type(error).__name__}: {error}", flush=True)
            raise

    def carry_out(self, remedy, names):
        """Carries out a remedy to the letter; `names` replaces placeholders that only the shop can fill in."""
        path = remedy.get("file")
        if path and "content" in remedy:
            (self.guest.exchange / "written").write_text("\n".join(remedy["content"]) + "\n")
            self.guest.check(f"mkdir -p $(dirname {path}); cp written {path}")
        elif path:
            settings = yaml.safe_load("\n".join(remedy["setting"]))
            old = yaml.safe_load(self.guest.check(f"cat {path}"))
            (self.guest.exchange / "written").write_text(yaml.dump(merged(old, settings)))
            self.guest.check(f"cp written {path}")
        for command in remedy.get("commands", []):
            for name, value in names.items():
                command = command.replace(name, value)
            self.guest.check(command)

    def fault(self, name, plant, subject, words, *, after=None, **names):
        """Plants a fault, checks that the doctor finds it, carries out the remedy, and restores the register."""
        start = time.monotonic()
        with self.subTest(name), self.shown():
            print(f"    {name}", flush=True)
            if callable(plant):
                plant()
            else:
                self.guest.check(plant)
            found = self.finding(subject, words)
            self.assertTrue(found["remedies"], found)
            self.carry_out(found["remedies"][0], {"FILE.csv": names.get("csv", "products.csv")})
            if after:
                after()
            self.all_is_well()
            print(f"      {found['message']} ({time.monotonic() - start:.0f} s)", flush=True)
        if yaml.safe_load(self.guest.check(f"cat {CONFIGURATION}")) != baseline():
            self.configure(baseline())
            self.connected()

    def test_each_planted_fault_is_found_and_mended_by_doing_what_it_says(self):
        self.clock_and_rights()
        self.scanner()
        self.catalog()
        self.journal()
        self.sinks()
        self.interface()
        self.unit()

    def clock_and_rights(self):
        # This guest's clock was never synchronised; the planted fault is that no service does it.
        self.fault(
            "the clock is not kept", "systemctl disable --now systemd-timesyncd", "time",
            "the clock is not synchronised")
        self.fault(
            "the udev rule is gone",
            f"rm {RULE}; udevadm control --reload\n"
            "udevadm trigger --subsystem-match=input --subsystem-match=hidraw --subsystem-match=tty"
            " --action=change; udevadm settle",
            "rights", "udev rule that gives scanners")
        node = self.node("k1")
        self.fault(
            "the node's rights are wrong", f"chown root:root {node}; chmod 600 {node}", "rights",
            "may not read it")
        self.fault(
            "another program holds the scanner",
            f"rm -f /run/greedy.has; systemctl stop {test_unit.UNIT}; systemctl enable --now greedy\n"
            "until [ -e /run/greedy.has ]; do sleep 0.1; done\n"
            f"systemctl start {test_unit.UNIT}", "devices", "python3 .* has it", after=self.connected)

    def scanner(self):
        def without_enter():
            self.connected()
            run = self.invocation()
            self.guest.type("k1", CODE, enter=False)
            self.wait_for("scan.rejected", run)

        def scans_again():
            self.connected()
            run = self.invocation()
            self.guest.type("k1", CODE, enter=False)
            self.wait_for("scan", run)
        self.fault(
            "the scanner sends no Enter", without_enter, "scans", "never ends a scan",
            after=scans_again)

        def as_french():
            self.connected()
            run = self.invocation()
            # The first scans may come before the layouts are compiled.
            for count in range(1, 21):
                self.guest.type("k1", "".join(")!@#$%^&*("[int(digit)] for digit in CODE))
                event = of_type(self.wait_for("scan", run, count), "scan")[-1]
                if any(problem["code"] == "layout-suspect" for problem in event["data"]["problems"]):
                    return
            self.fail(f"no scan is suspected: {event}")

        def reads_french():
            self.connected()
            run = self.invocation()
            self.guest.type("k1", "".join(")!@#$%^&*("[int(digit)] for digit in CODE))
            event = of_type(self.wait_for("scan", run), "scan")[0]
            self.assertEqual(event["data"]["text"], CODE)
        self.fault(
            "the layout is wrong", as_french, "scans", "types on another layout",
            after=reads_french)

    def catalog(self):
        self.fault(
            "the catalog is gone", f"rm {STATE}/catalog.sqlite*", "catalog", "there is no catalog")
        self.fault(
            "codes have wrong check digits",
            "keywedge catalog import products-wrong.csv --currency EUR", "catalog", "cannot be right")
        self.fault(
            "the catalog is old", f"touch -d '90 days ago' {STATE}/catalog.sqlite*", "catalog",
            "prices may be old", csv="products-new.csv")

    def journal(self):
        self.fault(
            "the journal is damaged",
            "python3 -c '\nimport sqlite3\n"
            f"base = sqlite3.connect(\"{STATE}/journal.sqlite\", timeout=30)\n"
            "base.execute(\"UPDATE event SET line = CAST(char(124) AS BLOB) "
            "WHERE sequence = (SELECT min(sequence) FROM event)\")\nbase.commit()'",
            "journal", "is damaged")

        def little_room():
            self.guest.check(
                f"systemctl stop {test_unit.UNIT}; cp -a {STATE} /run/kept\n"
                f"mount -t tmpfs -o size=64m none {STATE}; cp -a /run/kept/. {STATE}/\n"
                f"chown keywedge: {STATE}; chmod 700 {STATE}")
            self.configure({**baseline(), "journal": {"keep": {"megabytes": 512}}})
        self.fault("the disk is nearly full", little_room, "journal", "may grow by")

    def sinks(self):
        self.fault("the broker is down", "systemctl stop mosquitto", "sinks", "^mqtt: ")
        self.fault(
            "a secret cannot be read",
            "chown root:root /etc/keywedge/secret; chmod 600 /etc/keywedge/secret", "sinks",
            "may not read /etc/keywedge/secret")

        def far_away():
            far = baseline()
            far["events"][2]["webhook"]["url"] = "http://192.0.2.10:9000/"
            self.configure(far)
        self.fault("the unit denies an address", far_away, "sinks", "IPAddressDeny")

    def interface(self):
        self.fault("the socket is gone", f"rm {SOCKET}", "interface", "there is no socket")
        self.fault(
            "everybody may use the socket", f"chmod 666 {SOCKET}", "interface", "every user")
        self.fault(
            "Chromium does not let the page ask", f"rm {POLICY}/shop.json", "interface",
            "does not let https://pos.example")

    def unit(self):
        self.fault(
            "the unit is not enabled", f"systemctl disable {test_unit.UNIT}", "unit",
            "nothing starts it when the box boots")
        self.fault(
            "the configuration is wrong",
            f"echo 'frobnicate: 1' >>{CONFIGURATION}; systemctl restart {test_unit.UNIT} || true",
            "configuration", "has 1 mistake", after=self.connected)
        self.fault(
            "the sandbox keeps the scanners out",
            f"mkdir -p /etc/systemd/system/{test_unit.UNIT}.d\n"
            "printf '[Service]\\nPrivateDevices=yes\\n' "
            f">/etc/systemd/system/{test_unit.UNIT}.d/hard.conf\n"
            f"systemctl daemon-reload; systemctl restart {test_unit.UNIT}", "unit",
            "keeps the scanners' nodes", after=self.connected)
        program = f"{self.PREFIX}/bin/keywedge"
        self.fault(
            "the old daemon runs after an upgrade",
            f"cp {program} {program}.new; mv {program}.new {program}", "version", "was replaced")
