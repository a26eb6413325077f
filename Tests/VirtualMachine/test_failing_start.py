"""Starts that fail: the scanners become ordinary keyboards again, and the next good start continues."""

import dataclasses
import json

import test_handover
import test_unit

# There is no journal, so each run leaves a note with the number of its last event for the next run.
CONFIGURATION = """
scanners: [{name: counter, match: {uniq: SN-k1}, idle_timeout: 30s}]
catalog: {sources: []}
events: [{stdout: {format: json}}]
"""
FOREIGN = """
import sqlite3
database = sqlite3.connect("/var/lib/keywedge/foreign.sqlite")
database.execute("CREATE TABLE customers (name TEXT)")
database.commit()
"""


@dataclasses.dataclass
class Cause:
    """A reason why a start fails: the change to the configuration or the unit, and the text that reports it."""

    name: str
    configuration: str
    named: str
    drop_in: str = ""
    status: int = 1
    has_one_line: bool = True


CAUSES = [
    Cause("an unknown key in the configuration", CONFIGURATION + "nonsense: 1\n", "nonsense"),
    # An unusable catalog, journal, socket or port does not prevent a start, but a foreign database does.
    Cause("a database in the place of the journal",
          CONFIGURATION + "journal: {file: /var/lib/keywedge/foreign.sqlite}\n",
          "foreign.sqlite"),
    # The command prints its usage as well.
    Cause("a wrong option in the unit", CONFIGURATION, "--nonsense", status=2, has_one_line=False,
          drop_in="[Service]\nExecStart=\nExecStart=PREFIX/bin/keywedge run --nonsense\n"),
]


class FailingStart(test_handover.HandoverScenario):

    CONFIGURATION = CONFIGURATION

    def setUp(self):
        super().setUp()
        (self.guest.exchange / "foreign.py").write_text(FOREIGN)
        self.addCleanup(self.guest.run, "rm -f /var/lib/keywedge/foreign.sqlite*")
        self.guest.check(
            "python3 foreign.py; chown keywedge:keywedge /var/lib/keywedge/foreign.sqlite")

    def test_each_failing_start_releases_the_scanner_and_the_next_good_one_continues(self):
        for number, cause in enumerate(CAUSES):
            with self.subTest(cause.name):
                try:
                    self.fail_and_repair(number, cause)
                finally:
                    self.repair()

    def fail_and_repair(self, number, cause):
        """Scans, makes starts fail for a cause, and scans again after the cause has been removed."""
        before, after = f"1000000{number}", f"2000000{number}"
        self.guest.type("k1", before)
        self.wait_for_texts(before)
        self.wait_until(lambda: self.kept() == 1)
        cursor, typed = self.cursor(), self.terminal.received()
        self.configure(cause.configuration)
        if cause.drop_in:
            self.drop_in("option.conf", cause.drop_in.replace("PREFIX", self.PREFIX))
        self.guest.check(f"systemctl restart --no-block {test_unit.UNIT}")
        self.wait_until(lambda: len(self.exits(cursor)) >= 2)
        self.guest.type("k1", "typed")
        self.terminal.wait_for(typed + b"typed\r")
        self.wait_until(lambda: self.kept() == 0)
        self.assertEqual(set(self.exits(cursor)), {cause.status})
        # The last lines of a run may reach the journal after the run has ended.
        self.wait_until(lambda: self.count_of_reports(cursor, cause.named) >= 2)
        for lines in self.output_of_failing_runs(cursor)[:2]:
            self.assertIn(cause.named, "\n".join(lines))
            if cause.has_one_line:
                self.assertEqual(len(lines), 1, lines)
        self.repair()
        self.guest.type("k1", after)
        self.wait_for_texts(before, after)
        self.assert_numbers_continue()

    def repair(self):
        """Removes the cause, and waits until the daemon reads the scanner again."""
        self.configure(CONFIGURATION)
        self.guest.check(f"rm -f {test_handover.DROP_INS}/option.conf; systemctl daemon-reload")
        self.wait_until(lambda: self.show("ActiveState") == "active")
        self.wait_for("scanner.connected", self.invocation())

    def entries(self, cursor):
        """Returns the unit's entries in the system's journal since a cursor."""
        lines = self.guest.check(
            f"journalctl -o json -u {test_unit.UNIT} --after-cursor='{cursor}'")
        return [json.loads(line) for line in lines.splitlines()]

    def exits(self, cursor):
        """Returns the exit statuses of the runs that have failed since a cursor."""
        statuses = [int(entry.get("EXIT_STATUS", 0)) for entry in self.entries(cursor)]
        return [status for status in statuses if status != 0]

    def count_of_reports(self, cursor, named):
        """Counts the failed runs since a cursor whose output names the cause."""
        return sum(named in "\n".join(lines) for lines in self.output_of_failing_runs(cursor))

    def output_of_failing_runs(self, cursor):
        """Returns, for each failed run since a cursor, the lines of its output."""
        lines, good = {}, set()
        for entry in self.entries(cursor):
            if entry.get("_TRANSPORT") == "stdout":
                lines.setdefault(entry["_PID"], []).append(entry["MESSAGE"])
                # Only a good run writes events.
                if '"specversion"' in entry["MESSAGE"]:
                    good.add(entry["_PID"])
        return [lines[process] for process in lines if process not in good]

    def assert_numbers_continue(self):
        """Asserts that the events of all good runs are numbered without gaps."""
        numbers = [int(event["sequence"]) for event in test_unit.parsed(
            self.guest.check(f"journalctl -o cat {self.since_start()}"))]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
