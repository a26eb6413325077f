"""The daemon is restarted and killed while scanners type: nobody else gets a key, and nothing is lost unsaid."""

import json
import os
import time

import test_unit
from daemon import kinds, of_type, texts
from machine import GuestError

RESTARTS = int(os.environ.get("KEYWEDGE_RESTARTS", "10"))
CONFIGURATION = """
scanners:
  - {name: counter, match: {uniq: SN-k1}, idle_timeout: 1500ms}
  - {name: fast, match: {phys: v/1}, idle_timeout: 1500ms}
catalog: {sources: []}
journal: {file: /var/lib/keywedge/handover.sqlite}
listen: {socket: /run/keywedge/keywedge.sock}
events: [{stdout: {format: json}}]
"""
# Commands that keep the daemon from starting, and those that mend it.
FAILING_STARTS = [
    ("echo nonsense >/etc/keywedge/keywedge.yaml", "cp handover.yaml /etc/keywedge/keywedge.yaml"),
    ("sed 's/sources: ../sources: [{embedded: missing.sqlite}]/' handover.yaml >/etc/keywedge/keywedge.yaml",
     "cp handover.yaml /etc/keywedge/keywedge.yaml"),
    ("mkdir -p /etc/systemd/system/keywedge.service.d\n"
     "printf '[Service]\\nExecStart=\\nExecStart=/usr/local/bin/keywedge run --wrong\\n' "
     ">/etc/systemd/system/keywedge.service.d/wrong.conf; systemctl daemon-reload",
     "rm /etc/systemd/system/keywedge.service.d/wrong.conf"),
]
# Restarts the unit in order, and kills it, by turns, until that was done often enough.
RESTARTING = """
run() { systemctl show --value -p InvocationID keywedge; }
for turn in $(seq COUNT); do
    before=$(run)
    if [ $((turn % 2)) = 0 ]; then
        systemctl restart keywedge
    else
        systemctl kill -s KILL keywedge
    fi
    until [ "$(run)" != "$before" ] && systemctl -q is-active keywedge; do sleep 0.2; done
    sleep 0.$((turn % 7 + 1))
    echo $turn >>restarts.out
done
touch restarts.done
"""


class Handover(test_unit.UnitScenario):

    def setUp(self):
        super().setUp()
        self.configure(CONFIGURATION)
        self.addCleanup(
            self.guest.run,
            "kill $(cat console.pid); mv handover-kept.yaml /etc/keywedge/keywedge.yaml\n"
            "rm -rf /etc/systemd/system/keywedge.service.d; systemctl daemon-reload", 60)
        self.guest.check(
            "cp /etc/keywedge/keywedge.yaml handover-kept.yaml; rm -f restarts.* console.*\n"
            "cp handover.yaml /etc/keywedge/keywedge.yaml; busybox chvt 1\n"
            "(stty raw -echo; exec cat) </dev/tty1 >console.bytes & echo $! >console.pid\n"
            f"systemctl restart {test_unit.UNIT}", 60)
        self.wait_for("scanner.connected", self.invocation())
        self.start = self.guest.check("journalctl -n 1 --show-cursor | sed -n 's/^-- cursor: //p'").strip()

    def configure(self, text):
        """Writes what the daemon is to start with next."""
        (self.guest.exchange / "handover.yaml").write_text(text)

    def all_events(self):
        """The events of all runs since the test began."""
        lines = self.guest.check(
            f"journalctl -o cat -u {test_unit.UNIT} --after-cursor='{self.start}' "
            "| grep '^{' || true", seconds=60)
        return [json.loads(line) for line in lines.splitlines()]

    def wait_for_texts(self, *expected, seconds=60):
        """All events, as soon as these scans are the last."""
        deadline = time.monotonic() + seconds
        while texts(events := self.all_events())[-len(expected):] != list(expected):
            if time.monotonic() > deadline:
                raise GuestError(f"only {events[-20:]}\n{self.guest.run('journalctl -n 30').output}")
            time.sleep(0.3)
        return events

    def console(self):
        """What the console got."""
        return (self.guest.exchange / "console.bytes").read_bytes()

    def kept(self):
        """How many descriptors the service manager keeps."""
        return int(self.show("NFileDescriptorStore"))

    def wait_until(self, is_so, seconds=30):
        """Waits for something that the service manager does in its own time."""
        deadline = time.monotonic() + seconds
        while not is_so():
            self.assertLess(time.monotonic(), deadline, self.guest.run("journalctl -n 30").output)
            time.sleep(0.2)

    def test_not_one_key_reaches_the_console_and_each_scan_is_whole_or_rejected(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        self.wait_for("scanner.connected", self.invocation(), 2)
        (self.guest.exchange / "restart.sh").write_text(RESTARTING.replace("COUNT", str(RESTARTS)))
        self.guest.check("sh restart.sh >restart.log 2>&1 &")
        number = 0
        while not (self.guest.exchange / "restarts.done").exists():
            keyboards.type("v", *(f"{number + i:08d}" for i in range(25)), gap=0.004)
            number += 25
        # It has come to rest, and reads whole scans again.
        time.sleep(3)
        last = [f"{number + i:08d}" for i in range(3)]
        keyboards.type("v", *last, gap=0.004)
        events = self.wait_for_texts(*last)
        whole = [int(text) for text in texts(events, "fast")]
        self.assertEqual(whole, sorted(set(whole)), "in order, and none twice")
        self.assertLess(whole[-1], number + 3)
        self.assertEqual(self.unsaid(events), [])
        self.assertEqual(self.console(), b"")
        print(f"{RESTARTS} restarts: {len(whole)} of {number + 3} scans whole,"
              f" {len(of_type(events, 'scan.rejected'))} rejections", flush=True)
        # The console does read keyboards.
        self.guest.type("k2", "by hand")
        self.wait_until(lambda: self.console() == b"by hand\r")

    def unsaid(self, events):
        """The scans that are missing although nothing was said between those around them."""
        missing, expected, was_told = [], 0, False
        for event in events:
            if event["data"].get("scanner", {}).get("name") != "fast":
                continue
            if event["type"] == "keywedge.scan.rejected":
                was_told = True
            if event["type"] == "keywedge.scan":
                number = int(event["data"]["text"])
                if number != expected and not was_told:
                    missing.append((expected, number))
                expected, was_told = number + 1, False
        return missing

    def test_what_is_scanned_while_no_daemon_runs_is_read_by_the_next(self):
        self.guest.type("k1", "11111")
        self.wait_for_texts("11111")
        # It takes a while until the next one runs.
        (self.guest.exchange / "slow.conf").write_text("[Service]\nExecStartPre=/bin/sleep 4\n")
        self.guest.check(
            "install -D slow.conf /etc/systemd/system/keywedge.service.d/slow.conf\n"
            f"systemctl daemon-reload; systemctl restart --no-block {test_unit.UNIT}\n"
            f"until systemctl show -p SubState {test_unit.UNIT} | grep -q start-pre; do sleep 0.1; done")
        self.guest.type("k1", "22222")
        events = self.wait_for_texts("11111", "22222")
        self.assertEqual(of_type(events, "scan.rejected"), [])
        # From where it says so on, scans are read.
        self.assertEqual(kinds(events)[-3:], ["started", "scanner.connected", "scan"])
        sequences = [int(event["sequence"]) for event in events]
        self.assertEqual(sequences, sorted(set(sequences)))
        self.assertEqual(self.console(), b"")

    def test_a_run_that_was_killed_is_told_of_though_nothing_was_typed(self):
        self.guest.check(f"systemctl kill -s KILL {test_unit.UNIT}")
        before = self.invocation()
        self.wait_until(lambda: self.invocation() != before)
        events = self.wait_for("scan.rejected", self.invocation())
        (rejected,) = of_type(events, "scan.rejected")
        self.assertEqual(rejected["data"]["reason"], "started-before-grab")
        self.guest.type("k1", "33333")
        self.wait_for_texts("33333")

    def test_what_leaves_the_configuration_is_kept_no_longer(self):
        self.wait_until(lambda: self.kept() == 1)
        without = CONFIGURATION.replace("SN-k1", "SN-none")
        self.configure(without)
        self.guest.check(
            f"cp handover.yaml /etc/keywedge/keywedge.yaml; systemctl reload {test_unit.UNIT}", 60)
        self.wait_until(lambda: self.kept() == 0)
        self.guest.type("k1", "one")
        self.wait_until(lambda: self.console() == b"one\r")
        # Back, and out again by a restart.
        self.configure(CONFIGURATION)
        self.guest.check(
            f"cp handover.yaml /etc/keywedge/keywedge.yaml; systemctl reload {test_unit.UNIT}", 60)
        self.wait_until(lambda: self.kept() == 1)
        self.configure(without)
        self.guest.check(
            f"cp handover.yaml /etc/keywedge/keywedge.yaml; systemctl restart {test_unit.UNIT}", 60)
        self.wait_until(lambda: self.kept() == 0)
        self.guest.type("k1", "two")
        self.wait_until(lambda: self.console() == b"one\rtwo\r")

    def test_a_start_that_fails_leaves_no_scanner_dead(self):
        for number, (change, mend) in enumerate(FAILING_STARTS):
            with self.subTest(change=change):
                restarts = int(self.show("NRestarts"))
                self.guest.check(f"{change}\nsystemctl kill -s KILL {test_unit.UNIT}", 60)
                self.wait_until(lambda: int(self.show("NRestarts")) > restarts + 1)
                self.wait_until(lambda: self.kept() == 0)
                # Without a daemon, the scanner is a keyboard.
                self.guest.check(": >console.bytes")
                self.guest.type("k1", f"typed{number}")
                self.wait_until(lambda: f"typed{number}\r".encode() in self.console())
                self.guest.check(f"{mend}\nsystemctl daemon-reload")
                self.wait_until(lambda: self.show("ActiveState") == "active", 90)
                self.wait_for("scanner.connected", self.invocation())
                self.guest.type("k1", f"{number}4444")
                self.wait_for_texts(f"{number}4444")

    def test_another_device_in_its_place_is_another(self):
        # While no daemon runs, for as long as that takes.
        (self.guest.exchange / "slow.conf").write_text("[Service]\nExecStartPre=/bin/sleep 20\n")
        self.guest.check(
            "install -D slow.conf /etc/systemd/system/keywedge.service.d/slow.conf\n"
            f"systemctl daemon-reload; systemctl kill -s KILL {test_unit.UNIT}\n"
            f"until systemctl show -p SubState {test_unit.UNIT} | grep -q start-pre; do sleep 0.1; done")
        self.assertEqual(self.kept(), 1)
        self.guest.unplug("k1")
        self.wait_until(lambda: self.kept() == 0)
        self.plug("k1")
        self.wait_until(lambda: self.show("ActiveState") == "active", 60)
        self.wait_for("scanner.connected", self.invocation())
        self.guest.type("k1", "44444")
        self.wait_for_texts("44444")

    def test_stopping_gives_the_scanner_back(self):
        self.guest.check(f"systemctl stop {test_unit.UNIT}", 60)
        self.guest.type("k1", "typed")
        self.wait_until(lambda: self.console() == b"typed\r")
