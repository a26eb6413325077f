"""The installed unit, run by a real systemd: its sandbox, its user and its rules."""

import json
import pathlib
import time

from daemon import of_type, texts
from gadgets import Gadgets
from hid_reports import HONEYWELL, report
from machine import GuestError
from scenario import PROGRAM, Scenario

SOURCES = pathlib.Path(__file__).resolve().parents[2]
UNIT = "keywedge.service"
# The rule with which an administrator marks a scanner of an unknown maker.
RULE = 'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{uniq}=="SN-k1", ENV{KEYWEDGE_SCANNER}="1"\n'
TRY_TO_GRAB = """
import fcntl, sys
fcntl.ioctl(open(sys.argv[1], "rb"), 0x40044590, 1)  # EVIOCGRAB
"""


# A busy host causes longer pauses than the example configuration allows.
BE_PATIENT = "sed -i 's/^    idle_timeout: .*/    idle_timeout: 30s/; s/^    recovery: .*/    recovery: 30s/'"

# A catalog that never answers.
CATALOG = """
scanners: [{name: counter, idle_timeout: 30s}]
catalog: {deadline: 10s, sources: [{preset: keywedge, url: "http://localhost:9"}]}
events: [{stdout: {format: json}}]
"""

INTERFACES = """
scanners:
  - {name: hid, match: {uniq: SN-hid}, idle_timeout: 30s}
  - {name: port, match: {serial: /dev/ttyACM0}, idle_timeout: 30s}
events: [{stdout: {format: json}}]
"""


def parsed(lines):
    """Returns the events among the lines of a journal, whose last line may be incomplete."""
    return [json.loads(line) for line in lines.splitlines(keepends=True)
            if line.startswith("{") and line.endswith("\n")]


class UnitScenario(Scenario):
    """A scenario with the unit installed and running, and with k1 as its scanner."""

    SYSTEMD = True
    # The Makefile's default `PREFIX`.
    PREFIX = "/usr/local"

    def setUp(self):
        super().setUp()
        (self.guest.exchange / "local.rules").write_text(RULE)
        (self.guest.exchange / "grab.py").write_text(TRY_TO_GRAB)
        self.followed = []
        self.addCleanup(
            self.guest.run,
            "for process in $(cat followers); do kill $process\n"
            "while kill -0 $process 2>/dev/null; do sleep 0.1; done; done; rm -f followers")
        self.addCleanup(self.guest.run, f"systemctl stop {UNIT}")
        self.guest.check(
            f"[ -x {self.PREFIX}/bin/keywedge ] || "
            f"make -s -C {SOURCES} install BINARY={PROGRAM} >install.log\n"
            f"{BE_PATIENT} /etc/keywedge/keywedge.yaml\n"
            "cp local.rules /etc/udev/rules.d/71-keywedge-local.rules; systemd-sysusers\n"
            "udevadm control --reload; udevadm trigger --subsystem-match=input --action=change\n"
            f"udevadm settle; systemctl daemon-reload; systemctl enable --now {UNIT}")
        self.wait_for("scanner.connected", self.invocation())

    def show(self, name):
        """Returns a property of the unit."""
        return self.guest.check(f"systemctl show --value -p {name} {UNIT}").strip()

    def invocation(self):
        """Returns the invocation ID of the current run of the unit."""
        return self.show("InvocationID")

    def wait_until_fed(self):
        """Waits until the unit has fed its watchdog three more times."""
        feeding = f"$(systemctl show --value -p WatchdogTimestampMonotonic {UNIT})"
        self.guest.check(
            f"for i in 1 2 3; do before={feeding}\n"
            f"until [ \"{feeding}\" != \"$before\" ]; do sleep 0.5; done; done")

    def configured(self, configuration):
        """Restarts the unit with another configuration until the scenario ends; returns the new run's ID."""
        (self.guest.exchange / "other.yaml").write_text(configuration)
        self.addCleanup(self.guest.run, "mv kept.yaml /etc/keywedge/keywedge.yaml")
        self.guest.check(
            "cp /etc/keywedge/keywedge.yaml kept.yaml; cp other.yaml /etc/keywedge/keywedge.yaml\n"
            f"systemctl restart {UNIT}")
        return self.invocation()

    def events(self, invocation):
        """Returns the events of one run of the unit, from the system's journal."""
        return parsed(self.guest.check(f"journalctl -o cat _SYSTEMD_INVOCATION_ID={invocation}"))

    def wait_for(self, kind, invocation, count=1, seconds=240):
        """Waits until a run has written `count` events of a type, and returns all its events."""
        return self.wait_for_journal(
            f"_SYSTEMD_INVOCATION_ID={invocation}", lambda events: len(of_type(events, kind)) >= count, seconds)

    def wait_for_journal(self, selection, is_enough, seconds=240):
        """Waits until `is_enough` is true for the events that journalctl selects, and returns them.

        A single journalctl writes the events as they arrive, because starting it repeatedly would slow down the guest.
        """
        if selection not in self.followed:
            self.followed.append(selection)
            name = f"followed-{len(self.followed)}"
            # The shell empties the file before this check returns, not when journalctl starts.
            self.guest.check(
                f": >{name}; journalctl -f --no-tail -o cat {selection} >>{name} & echo $! >>followers")
        path = self.guest.exchange / f"followed-{self.followed.index(selection) + 1}"
        deadline = time.monotonic() + seconds
        while not is_enough(events := parsed(path.read_text(errors="replace"))):
            if time.monotonic() > deadline:
                raise GuestError(f"only {events[-20:]}\n" + self.guest.run(
                    f"systemctl status --no-pager -l {UNIT}; journalctl -n 30 --no-pager").output)
            time.sleep(0.05)
        return events


class Unit(UnitScenario):

    def test_in_the_place_where_a_package_installs_it(self):
        self.guest.check(
            f"systemctl disable --now {UNIT}; make -s -C {SOURCES} uninstall\n"
            f"[ ! -e {self.PREFIX}/bin/keywedge ]")
        self.addCleanup(
            self.guest.check,
            f"systemctl disable --now {UNIT}; make -s -C {SOURCES} uninstall PREFIX=/usr")
        self.guest.check(
            f"make -s -C {SOURCES} install PREFIX=/usr BINARY={PROGRAM} >install.log\n"
            "[ -e /usr/lib/udev/rules.d/72-keywedge.rules ] && udevadm control --reload\n"
            f"systemctl daemon-reload; systemctl enable --now {UNIT}")
        self.wait_for("scanner.connected", self.invocation())
        self.assertEqual(
            self.guest.check(f"readlink /proc/{self.show('MainPID')}/exe"), "/usr/bin/keywedge\n")
        self.guest.type("k1", "4006381333931")
        self.assertEqual(texts(self.wait_for("scan", self.invocation())), ["4006381333931"])

    def test_the_unit_reads_scanners_as_its_own_user_in_its_sandbox(self):
        node, other = self.node("k1"), self.node("k2")
        # The unit has the type notify, so `active` means that it has sent READY.
        self.assertEqual((self.show("Type"), self.show("ActiveState")), ("notify", "active"))
        process = f"/proc/{self.show('MainPID')}"
        self.assertEqual(self.guest.check(f"stat -c %U:%G {process}"), "keywedge:keywedge\n")
        self.assertEqual(
            self.guest.check(f"ls -l {process}/fd | grep -o '/dev/input/event.*'"), f"{node}\n")
        self.assertEqual(self.guest.check(f"stat -c %G:%a {node}"), "keywedge:660\n")
        self.assertEqual(self.guest.check(f"stat -c %G:%a {other}"), "input:660\n")
        self.guest.type("k2", "222")
        self.guest.type("k1", "4006381333931")
        events = self.wait_for("scan", self.invocation())
        self.assertEqual(texts(events), ["4006381333931"])
        self.assertEqual(len(of_type(events, "started")), 1)
        self.guest.check(f"systemd-analyze security --offline=true --threshold=13 --no-pager "
                         f"{self.PREFIX}/lib/systemd/system/{UNIT}")
        self.assertEqual(
            self.guest.check(f"readlink {process}/exe"), f"{self.PREFIX}/bin/keywedge\n")

    def test_a_catalog_that_is_asked_leaves_nothing_in_the_log_that_is_not_worth_a_line(self):
        run = self.configured(CATALOG)
        self.wait_for("scanner.connected", run)
        self.guest.type("k1", "4006381333931")
        (scan,) = of_type(self.wait_for("scan", run), "scan")
        self.assertEqual(scan["data"]["lookup"]["status"], "failed")
        lines = self.guest.check(f"journalctl -o cat _SYSTEMD_INVOCATION_ID={run}").splitlines()
        self.assertEqual([line for line in lines if not line.startswith("{")], [])

    def test_scanners_that_are_no_keyboards_are_read_in_the_sandbox(self):
        gadgets = Gadgets(self.guest)
        self.addCleanup(gadgets.close)
        run = self.configured(INTERFACES)
        gadgets.plug("hid", "hid", HONEYWELL)
        gadgets.plug("port", "acm", vendor="0x05f9")
        self.wait_for("scanner.connected", run, 2)
        gadgets.tool("send", "hid", 0, report(b"\x02\x03]E0", "111"))
        gadgets.tool("send", "port", 0, b"222\r".hex())
        self.assertEqual(sorted(texts(self.wait_for("scan", run, 2))), ["111", "222"])

    def test_a_daemon_that_plays_recordings_feeds_the_watchdog(self):
        (self.guest.exchange / "one.keys").write_text('type "1\\n"\n')
        (self.guest.exchange / "replay.conf").write_text(
            "[Service]\nExecStart=\nExecStart=/usr/local/bin/keywedge run"
            " --config /etc/keywedge/keywedge.yaml --replay /etc/keywedge/one.keys\n")
        self.addCleanup(
            self.guest.run,
            "rm -rf /etc/systemd/system/keywedge.service.d; systemctl daemon-reload")
        self.guest.check(
            "cp one.keys /etc/keywedge/one.keys\n"
            "install -D replay.conf /etc/systemd/system/keywedge.service.d/replay.conf\n"
            f"systemctl daemon-reload; systemctl restart {UNIT}")
        run = self.invocation()
        self.wait_for("scan", run)
        self.wait_until_fed()
        self.assertEqual((self.invocation(), self.show("NRestarts")), (run, "0"))

    def test_stopping_ends_it_in_order_and_starting_it_again_takes_the_scanner(self):
        grab = f"python3 grab.py {self.node('k1')}"
        before = self.invocation()
        self.assertIn("busy", self.guest.run(grab).output)
        self.guest.check(f"systemctl stop {UNIT}")
        self.assertEqual(
            (self.show("ActiveState"), self.show("Result"), self.show("ExecMainCode"),
             self.show("ExecMainStatus")), ("inactive", "success", "1", "0"))
        self.assertEqual(len(of_type(self.wait_for("stopping", before), "stopping")), 1)
        self.guest.check(grab)
        self.guest.check(f"systemctl start {UNIT}; systemctl restart {UNIT}")
        self.wait_for("scanner.connected", self.invocation())
        self.guest.type("k1", "12345670")
        self.assertEqual(texts(self.wait_for("scan", self.invocation())), ["12345670"])
