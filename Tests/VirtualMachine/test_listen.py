"""Other programs read the real unit's events: killed listeners, waiting sockets, a FIFO."""

import json
import time

import test_unit
from daemon import texts
from machine import GuestError

CONFIGURATION = """
scanners: [{name: counter, idle_timeout: 30s}]
catalog: {sources: []}
listen: {}
events: [{stdout: {format: json}}]
"""
# Repeatedly starts a listener and kills it after a moment; once `loop.on` is removed, a last one keeps running.
LOOP = """
touch loop.on
while [ -e loop.on ]; do
    keywedge listen --consumer till --format json >>till.events 2>>till.log &
    pid=$!
    sleep 0.3
    kill -9 $pid
    wait $pid 2>/dev/null
done
exec keywedge listen --consumer till --format json >>till.events 2>>till.log
"""
SOCKETS = "keywedge.socket keywedge-fifo.socket keywedge-fifo.service"


class Listen(test_unit.UnitScenario):

    def setUp(self):
        super().setUp()
        (self.guest.exchange / "listen.yaml").write_text(CONFIGURATION)
        (self.guest.exchange / "loop.sh").write_text(LOOP)
        self.addCleanup(self.guest.run, "mv listen-kept.yaml /etc/keywedge/keywedge.yaml")
        self.addCleanup(
            self.guest.run, f"systemctl disable --now {SOCKETS}; rm -f loop.on")
        self.guest.check(
            "cp /etc/keywedge/keywedge.yaml listen-kept.yaml\n"
            "cp listen.yaml /etc/keywedge/keywedge.yaml\n"
            f"rm -f till.events till.log fifo.events; systemctl restart {test_unit.UNIT}")
        self.wait_for("scanner.connected", self.invocation())

    def lines(self, name):
        """Returns the complete events in a file of the exchange folder."""
        path = self.guest.exchange / name
        content = path.read_text() if path.exists() else ""
        return [json.loads(line) for line in content.splitlines(keepends=True)
                if line.endswith("\n")]

    def wait_for_texts(self, name, expected, seconds=240):
        """Waits until the last of the expected texts is in a file, and returns all texts there."""
        deadline = time.monotonic() + seconds
        while expected[-1] not in texts(self.lines(name)):
            if time.monotonic() > deadline:
                raise GuestError(f"only {texts(self.lines(name))}")
            time.sleep(0.1)
        return texts(self.lines(name))

    def test_a_listener_that_is_killed_again_and_again_loses_nothing(self):
        # The daemon remembers a consumer from the first event that arrives while the consumer listens.
        listens = "keywedge status --json | grep -qE '\"streams\": ?1'"
        self.guest.check(
            "keywedge listen --consumer till --count 1 --timeout 180s >/dev/null 2>&1 &\n"
            f"until {listens}; do sleep 0.2; done")
        self.guest.type("k1", "99")
        self.guest.check(f"while {listens}; do sleep 0.2; done")
        self.addCleanup(self.guest.run, "kill $(cat loop.pid)")
        self.guest.check("sh loop.sh >/dev/null 2>&1 & echo $! >loop.pid")
        expected = [f"{number:06}" for number in range(40)]
        for number, text in enumerate(expected):
            self.guest.type("k1", text)
            if number == 20:
                # The restart would tear a scan in progress.
                self.wait_for_journal(
                    f"_SYSTEMD_INVOCATION_ID={self.invocation()}", lambda events: text in texts(events))
                self.guest.check(f"systemctl restart {test_unit.UNIT}")
                self.wait_for("scanner.connected", self.invocation())
        self.guest.check("rm -f loop.on")
        found = self.wait_for_texts("till.events", expected)
        firsts = list(dict.fromkeys(found))
        self.assertEqual(firsts, expected)
        # Events that were delivered twice are equal byte for byte.
        lines = (self.guest.exchange / "till.events").read_text().splitlines(keepends=True)
        by_id = {}
        for line in lines:
            if line.endswith("}\n"):
                event = json.loads(line)
                self.assertEqual(by_id.setdefault((event["source"], event["id"]), line), line)

    def test_clients_wait_in_the_socket_while_the_daemon_is_away(self):
        self.guest.check(
            f"systemctl stop {test_unit.UNIT}; systemctl enable --now keywedge.socket")
        self.assertEqual(
            self.guest.check("stat -c %U:%G:%a /run/keywedge/keywedge.sock"),
            "keywedge:keywedge:660\n")
        self.guest.check(
            "curl --version >/dev/null 2>&1 || true\n"
            "timeout 120 keywedge listen --after oldest --count 3 --format json >waited.events &\n"
            f"wait $!; until systemctl -q is-active {test_unit.UNIT}; do sleep 0.1; done")
        self.assertEqual(len(self.lines("waited.events")), 3)

    def test_a_reader_of_the_fifo_is_killed_and_comes_back(self):
        self.guest.check(
            "systemctl enable --now keywedge-fifo.socket keywedge-fifo.service\n"
            "until journalctl -o cat -u keywedge -n 50 | grep -q 'consumer \"fifo\"'\n"
            "do sleep 0.2; done")
        expected = [f"{number:06}" for number in range(20)]
        self.guest.check("cat /run/keywedge/events >>fifo.events & echo $! >fifo.pid")
        for text in expected[:7]:
            self.guest.type("k1", text)
        self.wait_for_texts("fifo.events", expected[:7])
        self.guest.check(
            "kill -9 $(cat fifo.pid); while kill -0 $(cat fifo.pid) 2>/dev/null; do sleep 0.1; done")
        for text in expected[7:14]:
            self.guest.type("k1", text)
        self.guest.check("cat /run/keywedge/events >>fifo.events & echo $! >fifo.pid")
        for text in expected[14:]:
            self.guest.type("k1", text)
        self.assertEqual(self.wait_for_texts("fifo.events", expected), expected)
        self.guest.check("kill $(cat fifo.pid)")
