"""Restarts and kills the daemon while scanners type: no other program gets a key, and each loss is reported."""

import os
import time

import test_unit
from console import NEVER, delay_repeats
from daemon import kinds, of_type, texts

RESTARTS = int(os.environ.get("KEYWEDGE_RESTARTS", "10"))
CONFIGURATION = """
scanners:
  - {name: counter, match: {uniq: SN-k1}, idle_timeout: 30s}
  - {name: fast, match: {phys: v/1}, idle_timeout: 30s}
catalog: {sources: []}
journal: {file: /var/lib/keywedge/handover.sqlite}
listen: {socket: /run/keywedge/keywedge.sock}
events: [{stdout: {format: json}}]
"""
# Alternately kills and restarts the unit, COUNT times in all.
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


# Makes a start wait for a file; until then, only the service manager holds the scanner.
GATE = """
[Service]
TimeoutStartSec=10min
ExecStartPre=/bin/sh -c 'until [ -e /run/gate.open ]; do sleep 0.05; done'
"""
DROP_INS = f"/etc/systemd/system/{test_unit.UNIT}.d"


class HandoverScenario(test_unit.UnitScenario):
    """The unit with its own configuration, beside a console that records all keys it receives."""

    CONFIGURATION = CONFIGURATION

    def setUp(self):
        super().setUp()
        self.addCleanup(
            self.guest.run,
            "mv handover-kept.yaml /etc/keywedge/keywedge.yaml; touch /run/gate.open\n"
            f"rm -rf {DROP_INS}; systemctl daemon-reload")
        self.guest.check("cp /etc/keywedge/keywedge.yaml handover-kept.yaml; rm -f restarts.*")
        self.terminal = self.console()
        self.configure(self.CONFIGURATION)
        self.guest.check(f"systemctl restart {test_unit.UNIT}")
        self.wait_for("scanner.connected", self.invocation())
        self.start = self.cursor()

    def configure(self, text):
        """Writes the configuration for the next start or reload."""
        (self.guest.exchange / "handover.yaml").write_text(text)
        self.guest.check("cp handover.yaml /etc/keywedge/keywedge.yaml")

    def drop_in(self, name, text):
        """Adds a drop-in to the unit."""
        (self.guest.exchange / name).write_text(text)
        self.guest.check(f"install -D -m 644 {name} {DROP_INS}/{name}; systemctl daemon-reload")

    def close_gate(self):
        """Makes the next start wait for `open_gate`."""
        self.guest.check("rm -f /run/gate.open")
        self.drop_in("gate.conf", GATE)

    def wait_at_gate(self):
        """Waits until a start has reached the gate, when no daemon is running."""
        self.wait_until(lambda: self.show("SubState") == "start-pre")

    def open_gate(self):
        """Lets the waiting start continue."""
        self.guest.check("touch /run/gate.open")

    def start_strace(self, options):
        """Traces all threads of the daemon; strace writes to the file `trace`."""
        process = self.show("MainPID")
        self.guest.check(
            f"rm -f trace; strace -f {options} -o trace -p {process} 2>strace.log &\n"
            "echo $! >strace.pid\n"
            f"while grep -q '^TracerPid:.0$' /proc/{process}/task/*/status; do sleep 0.05; done")
        self.addCleanup(self.stop_strace)

    def stop_strace(self):
        """Ends strace if it is still running."""
        self.guest.check(
            "kill $(cat strace.pid) 2>/dev/null\n"
            "while kill -0 $(cat strace.pid) 2>/dev/null; do sleep 0.05; done")

    def cursor(self):
        """Returns the cursor of the unit's last entry in the system's journal.

        The entry must be the unit's own: after another unit's entry, journalctl would also skip this unit's next one.
        """
        return self.guest.check(
            f"journalctl -u {test_unit.UNIT} -n 1 --show-cursor | sed -n 's/^-- cursor: //p'").strip()

    def since_start(self):
        """Returns journalctl options that select the entries of all runs since the test began."""
        return f"-u {test_unit.UNIT} --after-cursor='{self.start}'"

    def wait_for_texts(self, *expected, seconds=240):
        """Waits until these scans are the last ones, and returns all events."""
        return self.wait_for_journal(
            self.since_start(), lambda events: texts(events)[-len(expected):] == list(expected), seconds)

    def kept(self):
        """Returns how many scanner descriptors the service manager keeps."""
        # The unit has its own /dev; seen from outside, paths in it begin at that file system's root.
        return int(self.guest.check("ls -l /proc/1/fd 2>/dev/null | grep -c '/input/event' || true"))

    def wait_until(self, is_so, seconds=240):
        """Waits until `is_so` returns true, for states that the service manager reaches asynchronously."""
        deadline = time.monotonic() + seconds
        while not is_so():
            self.assertLess(time.monotonic(), deadline, self.guest.run("journalctl -n 30").output)
            time.sleep(0.2)


class Handover(HandoverScenario):

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
        # The last restart is over. The first scan ends any broken scan, and the daemon reads the others whole.
        self.wait_for("scanner.connected", self.invocation(), 2)
        process = int(self.show("MainPID"))
        keyboards.all_at_once({"do": "wait until read", "process": process})
        last = [f"{number + i:08d}" for i in range(4)]
        keyboards.type("v", *last, reader=process)
        events = self.wait_for_texts(*last[1:])
        whole = [int(text) for text in texts(events, "fast")]
        self.assertEqual(whole, sorted(set(whole)), "in order, and none twice")
        self.assertLess(whole[-1], number + 4)
        self.assertEqual(self.unsaid(events), [])
        self.assertEqual(self.terminal.received(), b"")
        print(f"{RESTARTS} restarts: {len(whole)} of {number + 4} scans whole,"
              f" {len(of_type(events, 'scan.rejected'))} rejections", flush=True)
        # Proves that the console reads keyboards.
        self.guest.type("k2", "by hand")
        self.terminal.wait_for(b"by hand\r")

    def unsaid(self, events):
        """Returns the scans that are missing although no event between their neighbours reports a loss."""
        missing, expected, is_reported = [], 0, False
        for event in events:
            if event["data"].get("scanner", {}).get("name") != "fast":
                continue
            if event["type"] == "keywedge.scan.rejected":
                is_reported = True
            if event["type"] == "keywedge.scan":
                number = int(event["data"]["text"])
                if number != expected and not is_reported:
                    missing.append((expected, number))
                expected, is_reported = number + 1, False
        return missing

    def test_what_is_scanned_while_no_daemon_runs_is_read_by_the_next(self):
        self.guest.type("k1", "11111")
        self.wait_for_texts("11111")
        self.close_gate()
        self.guest.check(f"systemctl restart --no-block {test_unit.UNIT}")
        self.wait_at_gate()
        self.guest.type("k1", "22222")
        self.open_gate()
        events = self.wait_for_texts("11111", "22222")
        self.assertEqual(of_type(events, "scan.rejected"), [])
        # The new daemon reports that it has claimed the scanner, and then reads the scan that waited.
        self.assertEqual(kinds(events)[-3:], ["started", "scanner.connected", "scan"])
        sequences = [int(event["sequence"]) for event in events]
        self.assertEqual(sequences, sorted(set(sequences)))
        self.assertEqual(self.terminal.received(), b"")

    def test_a_run_that_was_killed_is_reported_although_nothing_was_typed(self):
        before = self.invocation()
        self.guest.check(f"systemctl kill -s KILL {test_unit.UNIT}")
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
        self.guest.check(f"systemctl reload {test_unit.UNIT}")
        self.wait_until(lambda: self.kept() == 0)
        self.guest.type("k1", "one")
        self.terminal.wait_for(b"one\r")
        # A reload brings the scanner back, and a restart removes it again.
        self.configure(CONFIGURATION)
        self.guest.check(f"systemctl reload {test_unit.UNIT}")
        self.wait_until(lambda: self.kept() == 1)
        self.configure(without)
        self.guest.check(f"systemctl restart {test_unit.UNIT}")
        self.wait_until(lambda: self.kept() == 0)
        self.guest.type("k1", "two")
        self.terminal.wait_for(b"one\rtwo\r")

    def test_a_scanner_taken_over_is_released_at_a_reload_even_if_the_service_manager_is_busy(self):
        self.wait_until(lambda: self.kept() == 1)
        # Without notify messages, the watchdog would end the daemon.
        self.drop_in("watchdog.conf", "[Service]\nWatchdogSec=0\n")
        self.guest.check(f"systemctl restart {test_unit.UNIT}")
        self.guest.type("k1", "55555")
        self.wait_for_texts("55555")
        # As if the notify socket were full: no message tells the service manager to drop its copy.
        self.start_strace("-e trace=sendmsg -e inject=sendmsg:error=EAGAIN")
        self.configure(CONFIGURATION.replace("SN-k1", "SN-none"))
        self.guest.check(f"systemctl reload {test_unit.UNIT}")
        self.wait_for("scanner.disconnected", self.invocation())
        self.guest.type("k1", "free")
        self.terminal.wait_for(b"free\r")

    def test_a_device_plugged_into_the_same_port_is_not_taken_for_the_old_one(self):
        self.wait_until(lambda: self.kept() == 1)
        self.close_gate()
        self.guest.check(f"systemctl kill -s KILL {test_unit.UNIT}")
        self.wait_at_gate()
        self.assertEqual(self.kept(), 1)
        node = self.node("k1")
        self.guest.unplug("k1")
        self.wait_until(lambda: self.kept() == 0)
        self.plug("k1")
        delay_repeats(self.guest, NEVER)
        self.assertEqual(self.node("k1"), node, "the new device does not have the old one's place")
        # Until a daemon claims it, the new device is an ordinary keyboard.
        self.guest.type("k1", "free")
        self.terminal.wait_for(b"free\r")
        self.open_gate()
        self.wait_until(lambda: self.show("ActiveState") == "active")
        self.wait_for("scanner.connected", self.invocation())
        self.guest.type("k1", "44444")
        self.wait_for_texts("44444")
        self.terminal.wait_for(b"free\r")

    def test_two_nodes_of_one_scanner_are_taken_over_in_the_order_of_their_keys(self):
        keyboards = self.virtual_keyboards()
        for name in ("first", "second"):
            keyboards.create(name, phys="v/1")
        self.wait_for("scanner.connected", self.invocation(), 2)
        self.wait_until(lambda: self.kept() == 3)
        # After two seconds without a key, the second node's keys cannot be the rest of an earlier scan.
        keyboards.all_at_once(
            {"do": "wait until read", "process": int(self.show("MainPID"))}, {"do": "sleep", "seconds": 2.1})
        self.close_gate()
        self.guest.check(f"systemctl restart --no-block {test_unit.UNIT}")
        self.wait_at_gate()
        # Each code alternates between the nodes, so the keys of one node alone would be a wrong code.
        typed = [("first", "1"), ("second", "2"), ("first", "3"), ("second", "4"), ("first", "5"),
                 ("second", "6"), ("first", "\n"), ("second", "7"), ("first", "8"),
                 ("second", "9"), ("second", "\n")]
        keyboards.all_at_once(*(
            {"do": "tap", "name": name, "keys": [28 if key == "\n" else 1 + int(key)]}
            for name, key in typed))
        self.open_gate()
        self.wait_for_texts("123456", "789")
        keyboards.type("second", "12345670")
        events = self.wait_for_texts("123456", "789", "12345670")
        self.assertEqual(texts(events, "fast"), ["123456", "789", "12345670"])
        self.assertEqual(of_type(events, "scan.rejected"), [])

    def test_stopping_gives_the_scanner_back(self):
        self.guest.check(f"systemctl stop {test_unit.UNIT}")
        self.wait_until(lambda: self.kept() == 0)
        self.guest.type("k1", "typed")
        self.terminal.wait_for(b"typed\r")
