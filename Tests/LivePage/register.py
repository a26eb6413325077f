"""A daemon whose scanner is a FIFO: a test types into it when it likes."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

# For a machine that is busy; what is measured is printed.
PATIENCE = 600


def free_port():
    """A port of loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def eventually(what, condition, patience=PATIENCE):
    """Waits until a condition holds, and gives its value."""
    deadline = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {patience} s: {what}")
        time.sleep(0.02)


class Register:
    """`keywedge run` on a folder of its own, with a catalog, a journal and an interface on loopback."""

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
        # Open for reading too, so that nobody has to be there yet.
        self._keys = os.fdopen(os.open(fifo, os.O_RDWR), "w", encoding="utf-8")
        self._time = time.monotonic()
        self._write('device name="Counter" vendor=0c2e product=0b61\n')
        eventually(f"the daemon answers\n{self.log}", self._is_there)

    def stop(self):
        """Ends it in order."""
        if self._process is None:
            return
        self._keys.close()
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._process = None

    def kill(self):
        """Ends it at once."""
        self._process.kill()
        self._process.wait()
        self._keys.close()
        self._process = None

    def scan(self, text):
        """Types a text and Enter, now, after a pause that shows that it is another symbol."""
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        self._write(f'wait 50ms\ntype "{quoted}\\n"\n')

    def lose_keys(self, text):
        """Types a text of which keys are lost."""
        self._write(f'type "{text[:5]}"\ndropped\ntype "{text[5:]}\\n"\n')

    def put_down(self):
        """Nothing more is scanned.

        A FIFO is read by the thread that also gives sinks their events, and it waits there: until then they
        stand still.
        """
        self._keys.close()

    def type(self, lines):
        """Writes lines of a recording."""
        self._write(lines)

    def ask(self, path, headers=None):
        """The answer to a request."""
        return urllib.request.urlopen(
            urllib.request.Request(self.url + path, headers=headers or {}), timeout=PATIENCE)

    @property
    def log(self):
        """What it says on standard error."""
        return (self.folder / "log").read_text(errors="replace")

    def _write(self, lines):
        # A recording has times of its own: they are those of the clock here.
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
