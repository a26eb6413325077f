"""A daemon whose scanner is a FIFO, into which a test can type at any time."""

import contextlib
import json
import os
import pathlib
import random
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.request

# In seconds; long enough for a busy machine. Tests print what they measure.
PATIENCE = 600


def free_port():
    """Returns a free port of loopback."""
    while True:
        # The kernel gives no port of this range to a program that asks for any port, such as a test that runs beside.
        port = random.randrange(10_000, 20_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def eventually(what, condition, patience=PATIENCE):
    """Waits until a condition is true, and returns its value."""
    deadline = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {patience} s: {what}")
        time.sleep(0.02)


class Register:
    """`keywedge run` with its own folder, a catalog, a journal and an interface on loopback."""

    def __init__(self, program, products, origins=(), sinks=(), token=None):
        self._program = program
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="keywedge-register-"))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process = None
        self._keys = None
        self._runs = 0
        listen = {
            "socket": str(self.folder / "socket"), "http": f"127.0.0.1:{self.port}",
            "origins": list(origins)}
        if token:
            (self.folder / "token").write_text(token)
            (self.folder / "token").chmod(0o600)
            listen["token_file"] = str(self.folder / "token")
        # JSON is YAML.
        self._configuration = self.folder / "keywedge.yaml"
        self._configuration.write_text(json.dumps({
            "scanners": [
                {"name": "counter", "match": {"name": "Counter"}},
                {"name": "stock-room", "match": {"name": "Stock Room"}}],
            "catalog": {"sources": [{"embedded": str(self.folder / "catalog.sqlite")}]},
            "journal": {"file": str(self.folder / "journal.sqlite")},
            "listen": listen,
            "events": [{"stdout": {}}, *sinks],
        }))
        table = self.folder / "products.csv"
        rows = ["code,name,price,currency,unit", *(",".join(
            '"' + field.replace('"', '""') + '"' for field in product) for product in products)]
        table.write_text("\n".join(rows) + "\n")
        self._keywedge("catalog", "import", table)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        """Starts the daemon, and waits until it answers."""
        self._runs += 1
        fifo = self.folder / f"keys-{self._runs}"
        os.mkfifo(fifo)
        log = open(self.folder / "log", "ab")
        self._process = subprocess.Popen(
            [self._program, "run", "--config", self._configuration, "--replay", fifo],
            stdout=subprocess.DEVNULL, stderr=log)
        log.close()
        # Opened for reading too, so that opening does not wait for the daemon.
        self._keys = os.fdopen(os.open(fifo, os.O_RDWR), "w", encoding="utf-8")
        self._time = time.monotonic()
        self._write('device name="Counter" vendor=0c2e product=0b61\n')
        eventually(f"the daemon answers\n{self.log}", self._is_there)

    def stop(self):
        """Ends the daemon with SIGTERM, and waits until it has exited."""
        if self._process is None:
            return
        self._keys.close()
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._process = None

    def kill(self):
        """Ends the daemon with SIGKILL."""
        self._process.kill()
        self._process.wait()
        self._keys.close()
        self._process = None

    def scan(self, text):
        """Types a text and Enter, after a pause that separates it from the previous symbol."""
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        self._write(f'wait 50ms\ntype "{quoted}\\n"\n')

    def lose_keys(self, text):
        """Types a text, and reports a loss of keys after its fifth character."""
        self._write(f'type "{text[:5]}"\ndropped\ntype "{text[5:]}\\n"\n')

    def put_down(self):
        """Closes the FIFO, so that nothing can be scanned any more.

        The thread that reads the FIFO also passes events to sinks. While it waits for the FIFO, sinks get
        no events.
        """
        self._keys.close()

    def type(self, lines):
        """Writes lines of a recording."""
        self._write(lines)

    def ask(self, path, headers=None):
        """Sends a request, and returns the answer."""
        return urllib.request.urlopen(
            urllib.request.Request(self.url + path, headers=headers or {}), timeout=PATIENCE)

    def scans_in_journal(self):
        """Returns how many scans the journal has on the disk."""
        with contextlib.closing(sqlite3.connect(self.folder / "journal.sqlite")) as journal:
            return journal.execute(
                "SELECT count(*) FROM event WHERE instr(line, '\"keywedge.scan\"')").fetchone()[0]

    @property
    def log(self):
        """The daemon's standard error."""
        return (self.folder / "log").read_text(errors="replace")

    def _write(self, lines):
        # A recording contains its own times; this pause makes them follow the clock.
        now = time.monotonic()
        self._keys.write(f"wait {int((now - self._time) * 1000)}ms\n{lines}")
        self._keys.flush()
        self._time = now

    def _is_there(self):
        try:
            return self.ask("/openapi.json").status == 200
        except OSError:
            assert self._process.poll() is None, self.log
            return False

    def _keywedge(self, *arguments):
        run = subprocess.run(
            [self._program, *arguments, "--config", self._configuration],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert run.returncode == 0, run.stderr
