"""The drop-ins that direct the daemon's standard output to a FIFO: killed readers, a full pipe, restarts."""

import json
import time

import test_unit
from daemon import of_type, texts
from machine import GuestError

CONFIGURATION = """
scanners: [{name: counter, idle_timeout: 30s}]
catalog: {sources: []}
events: [{stdout: {format: json}}]
"""
UNITS = "/etc/systemd/system"
# The pipe is so small that a few events fill it.
SMALL = "[Socket]\nPipeSize=8K\n"


class FIFO(test_unit.UnitScenario):

    def setUp(self):
        super().setUp()
        examples = f"{self.PREFIX}/share/doc/keywedge/examples"
        (self.guest.exchange / "fifo.yaml").write_text(CONFIGURATION)
        (self.guest.exchange / "small.conf").write_text(SMALL)
        self.addCleanup(
            self.guest.run,
            "kill $(cat fifo.pid); mv fifo-kept.yaml /etc/keywedge/keywedge.yaml\n"
            f"systemctl disable --now keywedge-fifo.socket {test_unit.UNIT}\n"
            f"rm -rf {UNITS}/keywedge.service.d {UNITS}/keywedge-fifo.socket.d\n"
            "systemctl daemon-reload")
        # The commands of docs/listening.md, but with a smaller pipe.
        self.guest.check(
            "cp /etc/keywedge/keywedge.yaml fifo-kept.yaml; cp fifo.yaml /etc/keywedge/keywedge.yaml\n"
            "rm -f fifo.events; touch fifo.events\n"
            f"install -D -m 644 {examples}/fifo-for-service.conf {UNITS}/keywedge.service.d/fifo.conf\n"
            f"install -D -m 644 {examples}/fifo-for-socket.conf {UNITS}/keywedge-fifo.socket.d/fifo.conf\n"
            f"install -D -m 644 small.conf {UNITS}/keywedge-fifo.socket.d/small.conf\n"
            f"systemctl daemon-reload; systemctl stop {test_unit.UNIT}\n"
            f"systemctl enable --now keywedge-fifo.socket; systemctl restart {test_unit.UNIT}")
        self.read()
        self.wait_for_events(lambda events: of_type(events, "scanner.connected"))

    def read(self):
        """Starts a reader of the FIFO."""
        self.guest.check("cat /run/keywedge/events >>fifo.events 2>>fifo.log & echo $! >fifo.pid")

    def kill_reader(self):
        """Kills the reader."""
        self.guest.check("kill -9 $(cat fifo.pid)")

    def lines(self):
        """Returns the complete events that readers received; a stopped daemon may have left part of a line."""
        events = []
        for line in (self.guest.exchange / "fifo.events").read_text().splitlines(keepends=True):
            start = line.rfind('{"specversion"')
            if line.endswith("\n") and start >= 0:
                events.append(json.loads(line[start:]))
        return events

    def wait_for_events(self, is_enough, seconds=240):
        """Waits until `is_enough` is true for the events that readers received, and returns them."""
        deadline = time.monotonic() + seconds
        while not is_enough(events := self.lines()):
            if time.monotonic() > deadline:
                raise GuestError(f"only {events}\n" + self.guest.run(
                    f"systemctl status --no-pager -l {test_unit.UNIT} keywedge-fifo.socket").output)
            time.sleep(0.1)
        return events

    def test_readers_come_and_go_and_the_daemon_is_restarted(self):
        expected = [f"{number:06}" for number in range(40)]
        for text in expected[:4]:
            self.guest.type("k1", text)
        self.wait_for_events(lambda events: texts(events) == expected[:4])
        self.kill_reader()
        # These are more than the pipe holds, so the rest waits in the daemon.
        for text in expected[4:20]:
            self.guest.type("k1", text)
        self.read()
        self.wait_for_events(lambda events: texts(events) == expected[:20])
        self.kill_reader()
        # The same with a restart: events in the pipe survive, and those that wait in the daemon are lost.
        for text in expected[20:36]:
            self.guest.type("k1", text)
        before = self.invocation()
        self.guest.check(f"systemctl restart {test_unit.UNIT}")
        self.assertNotEqual(self.invocation(), before)
        self.guest.check(
            f"until journalctl -o cat _SYSTEMD_INVOCATION_ID={before} |\n"
            "grep -q 'standard output: not written: '; do sleep 0.2; done")
        self.read()
        self.wait_for_events(lambda events: len(of_type(events, "scanner.connected")) == 2)
        for text in expected[36:]:
            self.guest.type("k1", text)
        events = self.wait_for_events(lambda events: texts(events)[-4:] == expected[36:])
        restart = events.index(of_type(events, "started")[-1])
        old, new = texts(events[:restart]), texts(events[restart:])
        # The oldest events were in the pipe. A scan that was not read before the restart is read after it.
        self.assertEqual(old, expected[:len(old)])
        self.assertEqual(new, expected[-len(new):])
        self.assertGreater(len(old), 4 + 20)
        log = self.guest.check(f"journalctl -o cat _SYSTEMD_INVOCATION_ID={self.invocation()}")
        # Events are written nowhere else, and the daemon does not report the FIFO as an unused socket.
        self.assertNotIn('{"specversion"', log)
        self.assertNotIn("handed a socket over", log)
        self.kill_reader()
        # Stopping the socket too removes the FIFO; the next start creates another.
        self.guest.check(f"systemctl stop keywedge-fifo.socket {test_unit.UNIT}; [ ! -e /run/keywedge/events ]")
        self.guest.check(f"systemctl start {test_unit.UNIT}")
        self.read()
        self.wait_for_events(lambda events: len(of_type(events, "scanner.connected")) == 3)
        self.guest.type("k1", "000040")
        self.wait_for_events(lambda events: texts(events)[-1] == "000040")
