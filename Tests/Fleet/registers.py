"""Registers: real daemons that read a recording, and simulated ones, up to a thousand in a process."""

import json
import random
import sqlite3
import subprocess
import threading

from processes import Program

# The numbers of events in flight, which registers use in turn: 1 for strict order, and the default.
IN_FLIGHT = (1, 20)
# A recording lasts longer than a run of the register.
SCANS = 3000


class RealRegister:
    """`keywedge run --replay` with a journal and an MQTT sink."""

    def __init__(self, program, folder, number, brokers, topic, catch_up, pause):
        self.name = f"real-{number:02}"
        self.in_flight = IN_FLIGHT[number % len(IN_FLIGHT)]
        self._folder = folder / self.name
        self._folder.mkdir()
        self._pause = pause
        self._recording = self._folder / "scans.keys"
        self.journal = self._folder / "journal.sqlite"
        configuration = self._folder / "keywedge.yaml"
        # JSON is YAML.
        configuration.write_text(json.dumps({
            # All daemons have the machine's name, so their scanners have different ones.
            "scanners": [{"name": self.name}], "catalog": {"sources": []}, "journal": {"file": str(self.journal)},
            "events": [{"mqtt": {
                "url": brokers, "topic": topic.replace("{register}", self.name), "client_id": self.name,
                "presence": {"topic": f"keywedge/{self.name}/status"}, "from": "oldest", "catch_up": catch_up,
                "in_flight": self.in_flight}}],
        }))
        self.log = self._folder / "log"
        self.program = Program(
            self.name, [program, "run", "--config", configuration, "--replay", self._recording], self.log)

    def start(self, scans=SCANS):
        lines = ['device name="Counter" vendor=0c2e product=0b61', "pace 1ms"]
        for scan in range(scans):
            lines += [f"wait {random.uniform(0.1, 2) * self._pause * 1000:.0f}ms", f'type "{scan:08}\\n"']
        self._recording.write_text("\n".join(lines) + "\n")
        self.program.start()


class SimulatedRegisters:
    """Many registers in one process, which prints a line of figures each second."""

    def __init__(self, program, folder, first, count, brokers, options):
        self.name = f"simulated-{first}"
        self.folder = folder / self.name
        self.folder.mkdir()
        self.first, self.count = first, count
        self.log = folder / f"{self.name}.log"
        self.program = Program(
            self.name, [program, self.folder, count, ",".join(brokers), "--first", first, *options], self.log,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.figures = []
        self.words = []
        self.notes = {}

    def start(self):
        self.notes = {}
        self.program.start()
        threading.Thread(target=self._read, args=[self.program.process.stdout], daemon=True).start()

    def _read(self, output):
        for line in output:
            if line.startswith(b"#"):
                self.words.append(line.decode().strip("# \n"))
                continue
            try:
                figures = json.loads(line)
            except ValueError:
                continue  # a kill cut the line short
            if "made" in figures:
                self.figures.append(figures)
            else:
                self.notes |= figures

    def tell(self, command):
        try:
            self.program.process.stdin.write(command.encode() + b"\n")
            self.program.process.stdin.flush()
        except BrokenPipeError:
            pass

    def journals(self):
        """Returns the journal of each register, with the number of events that it has in flight."""
        paths = sorted(self.folder.glob("*/journal.sqlite"))
        return [(path, IN_FLIGHT[int(path.parent.name.rpartition("-")[2]) % len(IN_FLIGHT)]) for path in paths]


def read_journal(path):
    """Returns a journal's events and its MQTT sink's cursor; read-only, because the register may be writing to it."""
    connection = sqlite3.connect(path, timeout=30)
    try:
        connection.execute("PRAGMA query_only = 1")
        rows = connection.execute("SELECT source, id, sequence, line FROM event ORDER BY sequence").fetchall()
        cursor = connection.execute("SELECT sequence FROM cursor WHERE kind = 'sink' AND name = 'mqtt'").fetchone()
        return rows, cursor[0] if cursor else 0
    finally:
        connection.close()


def count_journal(path):
    connection = sqlite3.connect(path, timeout=30)
    try:
        connection.execute("PRAGMA query_only = 1")
        return connection.execute("SELECT count(*) FROM event").fetchone()[0]
    finally:
        connection.close()
