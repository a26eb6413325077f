"""The service manager's watchdog restarts the daemon if one of its threads is stuck, and only then."""

import shutil

import test_handover
import test_unit
from daemon import texts
from script import HERE

# The daemon feeds the watchdog four times in this period, of which a busy host may suspend the guest for half.
SECONDS = 24
CONFIGURATION = """
scanners: [{name: counter, match: {uniq: SN-k1}, idle_timeout: 30s}]
catalog: {sources: []}
journal: {file: /var/lib/keywedge/watchdog.sqlite}
events: [{stdout: {format: json}}]
"""


class Watchdog(test_handover.HandoverScenario):

    CONFIGURATION = CONFIGURATION

    def setUp(self):
        super().setUp()
        shutil.copy(HERE / "guest_stop_thread.py", self.guest.exchange)
        self.assertEqual(self.show("WatchdogUSec"), "30s")
        self.drop_in("watchdog.conf", f"[Service]\nWatchdogSec={SECONDS}\n")
        self.guest.check(f"systemctl restart {test_unit.UNIT}")
        self.wait_for("scanner.connected", self.invocation())

    def test_a_daemon_is_restarted_when_one_of_its_threads_stands_still_and_only_then(self):
        before = self.invocation()
        self.wait_until_fed()
        self.assertEqual((self.invocation(), self.show("NRestarts")), (before, "0"))
        threads = {"reader": self.reader, "journal": self.journal, "main": self.main}
        for number, (name, find) in enumerate(threads.items()):
            with self.subTest(name):
                try:
                    self.stop_and_wait_for_restart(find())
                finally:
                    self.guest.run("kill $(cat stop.pid)")
                text = f"1234567{number}"
                self.guest.type("k1", text)
                self.assertEqual(texts(self.wait_for("scan", self.invocation()))[-1], text)

    def stop_and_wait_for_restart(self, thread):
        """Stops a thread, and waits until the watchdog has restarted the daemon."""
        cursor, before = self.cursor(), self.invocation()
        self.stop(thread)
        self.wait_until(
            lambda: self.invocation() not in (before, "") and self.show("ActiveState") == "active")
        self.guest.check(
            f"until journalctl -o cat -u {test_unit.UNIT} --after-cursor='{cursor}' | "
            "grep -q 'Watchdog timeout'; do sleep 0.2; done")
        self.wait_for("scanner.connected", self.invocation())

    def stop(self, thread):
        """Stops one thread."""
        self.guest.check(
            f"rm -f stop.log; python3 guest_stop_thread.py {thread} >stop.log 2>&1 & echo $! >stop.pid\n"
            "until grep -q stopped stop.log; do\n"
            "kill -0 $(cat stop.pid) || { cat stop.log; exit 1; }; sleep 0.1; done")

    def main(self):
        """Returns the ID of the main thread, which is that of the process."""
        return self.show("MainPID")

    def reader(self):
        """Returns the ID of the thread that reads scanners."""
        return self.guest.check(
            f"cd /proc/{self.main()}/task; grep -lx scanner-reader */comm | cut -d/ -f1").strip()

    def journal(self):
        """Returns the ID of the thread that writes the journal: it waits for the disk after a scan."""
        self.start_strace("-e trace=fsync,fdatasync")
        self.guest.type("k1", "96385074")
        self.wait_for_texts("96385074")
        self.guest.check("until grep -q sync trace; do sleep 0.05; done")
        self.stop_strace()
        return self.guest.check("grep sync trace | head -n 1 | cut -d' ' -f1").strip()
