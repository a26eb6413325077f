"""Kills a daemon with three sinks at random moments, and checks what each sink received.

usage: python3 Tests/SinksKilled/kill_sinks.py KEYWEDGE [--kills 500] [--seed N]

`keywedge run --replay` has a journal and sinks for a Mosquitto, a web server and a command, and reads a stream of
scans. It is killed (SIGKILL) before the end of the stream, again and again. Then it runs until its sinks have
everything. Each sink must have received every event of the journal (by source and id); the first copies must arrive in
the journal's order, and further ones must be equal byte for byte. The journal must contain every event whose line the
daemon wrote after the commit, and the scans of each stream from the first on, without a gap.
"""

import argparse
import base64
import http.server
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

# The longest life of a run, in seconds; every second run counts it from its first scan. A run reads fewer scans than
# there are, even if the kill comes almost a minute late.
LONGEST_LIFE = 0.8
SCANS = 5000
TEXT = re.compile(r"([0-9]{4})-([0-9]{4})")
# The time limit, in seconds, for sending the remaining events in the end.
PATIENCE = 600
PROBE = b"probe"


class Server(http.server.ThreadingHTTPServer):
    """Prints no errors, because connections break when the daemon is killed."""

    def handle_error(self, request, client_address):
        pass


class Receiver(http.server.BaseHTTPRequestHandler):
    """Collects the bodies of the requests."""

    protocol_version = "HTTP/1.1"
    lines = []

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:
            # The daemon was killed while it sent the body.
            self.close_connection = True
            return
        Receiver.lines.append(body)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Broker:
    """A Mosquitto on loopback, with a subscriber that writes its messages to a file."""

    def __init__(self, folder):
        self.port = free_port()
        self.file = folder / "mqtt"
        configuration = folder / "mosquitto.conf"
        # The queue has no limit, so that the broker discards no events.
        configuration.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        self._processes = [subprocess.Popen(
            ["mosquitto", "-c", configuration], stderr=subprocess.DEVNULL)]
        with open(self.file, "wb") as output:
            # It waits until the broker listens. Its topic filter excludes presence, which has fewer levels.
            self._processes.append(subprocess.Popen(
                [sys.executable, "-c", SUBSCRIBER, str(self.port)], stdout=output))
        deadline = time.monotonic() + PATIENCE
        while PROBE not in self.file.read_bytes():
            if time.monotonic() > deadline:
                self.stop()
                sys.exit("the subscriber gets nothing from mosquitto")
            subprocess.run(
                ["mosquitto_pub", "-p", str(self.port), "-t", "keywedge/a/b/c", "-m", PROBE],
                stderr=subprocess.DEVNULL)
            time.sleep(0.05)

    def lines(self):
        """Returns the complete lines received so far, without the probes."""
        whole, _, _ = self.file.read_bytes().rpartition(b"\n")
        return [line for line in whole.splitlines() if line != PROBE]

    def stop(self):
        """Ends the broker and its subscriber."""
        for process in reversed(self._processes):
            process.terminate()
            process.wait()


SUBSCRIBER = """
import os, socket, sys, time
while True:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", int(sys.argv[1]))) == 0:
            break
    time.sleep(0.01)
os.execvp("mosquitto_sub", ["mosquitto_sub", "-p", sys.argv[1], "-q", "1", "-t", "keywedge/+/+/+"])
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Register:
    """The daemon and its files."""

    def __init__(self, program, folder, broker, url):
        self._program = program
        self._folder = folder
        self._configuration = folder / "keywedge.yaml"
        self._recording = folder / "scans.keys"
        self.log = folder / "log"
        self.committed = folder / "stdout"
        self.taken = folder / "exec"
        self.taken.touch()
        command = folder / "on-scan"
        command.write_text(f"#!/bin/sh\nexec cat >>{self.taken}\n")
        command.chmod(0o755)
        secret = folder / "secret"
        secret.write_text("whsec_" + base64.b64encode(os.urandom(32)).decode())
        secret.chmod(0o600)
        oldest = {"from": "oldest"}
        # JSON is YAML.
        self._configuration.write_text(json.dumps({
            "scanners": [{"name": "counter"}],
            "catalog": {"sources": []},
            "journal": {"file": str(folder / "journal.sqlite")},
            "events": [
                {"stdout": {"format": "json", "after": "journal"}},
                {"mqtt": {"url": f"mqtt://127.0.0.1:{broker.port}", **oldest}},
                {"webhook": {"url": url, "secret_file": str(secret), **oldest}},
                {"exec": {"command": [str(command)], **oldest}},
            ],
        }))

    def start(self, number, scans, chance):
        """Starts the daemon with scans, in bursts and with pauses; each text has the run's and the scan's number."""
        lines = ['device name="Counter" vendor=0c2e product=0b61', "pace 100us"]
        for scan in range(scans):
            lines += [f"wait {chance.choice([0, 0, 2, 10, 40])}ms", f'type "{number:04}-{scan:04}\\n"']
        self._recording.write_text("\n".join(lines) + "\n")
        with open(self.committed, "ab") as output, open(self.log, "ab") as log:
            return subprocess.Popen(
                [self._program, "run", "--config", self._configuration, "--replay", self._recording],
                stdout=output, stderr=log)

    def wait_for_scan(self, number, process):
        """Waits until the daemon has written the first scan of a stream, which it does after the commit."""
        deadline = time.monotonic() + PATIENCE
        while f"{number:04}-0000".encode() not in self.committed.read_bytes():
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"no scan of stream {number} was written")
            time.sleep(0.01)

    def journal(self, *arguments):
        """Returns the output of a `keywedge journal` command, which must succeed."""
        result = subprocess.run(
            [self._program, "journal", *arguments, "--config", self._configuration],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if result.returncode:
            sys.exit(f"journal {arguments[0]} ended with {result.returncode}: {result.stdout[-2000:]} {result.stderr}")
        return result.stdout

    def events(self):
        """Returns the events of the journal, as one line each."""
        return self.journal("list", "--format", "json").splitlines()


def key(line):
    event = json.loads(line)
    return event["source"], event["id"]


def check(name, lines, expected):
    """Compares the events that a sink received with the journal's; returns how many arrived again."""
    first, twice = {}, 0
    for line in lines:
        if not line.startswith(b"{"):
            sys.exit(f"{name}: this is not an event: {line!r}")
        if (known := first.setdefault(key(line), line)) is not line:
            twice += 1
            if known != line:
                sys.exit(f"{name}: an event came twice, with different bytes: {line!r}")
    wanted = {key(line): line for line in expected}
    if missing := [one for one in wanted if one not in first]:
        sys.exit(f"{name}: {len(missing)} of {len(wanted)} events never came, the first {missing[0]}")
    if more := [one for one in first if one not in wanted]:
        sys.exit(f"{name}: {len(more)} events came that the journal does not have, the first {more[0]}")
    if list(first) != list(wanted):
        place = next(index for index, pair in enumerate(zip(first, wanted)) if pair[0] != pair[1])
        sys.exit(f"{name}: events came out of order from {list(first)[place]} on")
    if changed := [one for one in wanted if first[one] != wanted[one]]:
        sys.exit(f"{name}: an event differs from the journal's: {first[changed[0]]!r}")
    return twice


def check_streams(expected, runs):
    """Checks that the journal has no gap between scans of a stream; returns how many killed runs have a scan."""
    found = {}
    for line in expected:
        if (text := json.loads(line)["data"].get("text")) is not None:
            number, scan = TEXT.fullmatch(text).groups()
            found.setdefault(int(number), []).append(int(scan))
    for number, scans in found.items():
        if scans != list(range(len(scans))):
            sys.exit(f"the journal has only these scans of stream {number}: {scans}")
        if number < runs and len(scans) == SCANS:
            sys.exit(f"stream {number} was over before the daemon was killed")
    return sum(number < runs for number in found)


def check_lines(committed, expected):
    """Checks that the journal has every line that was written after a commit; returns the number of lines."""
    wanted = set(expected)
    # If a kill cut a line short, the next daemon's first line continues it.
    lines = [line for line in committed.read_bytes().splitlines() if line.endswith(b"}")]
    if lost := [line for line in lines if line[line.rfind(b'{"specversion"'):] not in wanted]:
        sys.exit(f"{len(lost)} of {len(lines)} lines were written and are not in the journal: {lost[0]!r}")
    return len(lines)


def run(options, chance, register, got):
    for number in range(options.kills):
        process = register.start(number, SCANS, chance)
        if number % 2:
            # On a slow machine, the start alone may take longer than LONGEST_LIFE.
            register.wait_for_scan(number, process)
        time.sleep(chance.uniform(0, LONGEST_LIFE))
        if process.poll() is not None:
            sys.exit(f"the daemon ended before it was killed, with {process.returncode}")
        process.kill()
        process.wait()
    last = register.start(options.kills, 1, chance)
    try:
        ending = f"{options.kills:04}-0000".encode()
        deadline = time.monotonic() + PATIENCE
        while not all(lines() and ending in lines()[-1] for lines in got.values()):
            if time.monotonic() > deadline:
                sys.exit(f"after {PATIENCE} s the last event has not reached every sink")
            time.sleep(0.1)
        expected = register.events()
        taken = {name: lines() for name, lines in got.items()}
    finally:
        last.terminate()
        last.wait(timeout=PATIENCE)
    register.journal("verify")
    twice = {name: check(name, lines, expected) for name, lines in taken.items()}
    lives = check_streams(expected, options.kills)
    written = check_lines(register.committed, register.events())
    doubled = ", ".join(f"{name} {count}" for name, count in twice.items())
    if last.returncode:
        sys.exit(f"after SIGTERM, the daemon ended with {last.returncode}")
    print(f"{options.kills} kills (seed {options.seed}), {lives} of them after a scan: {len(expected)} events, "
          f"{written} of them written after their commit; each sink has all of them in order; came again: {doubled}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server = Server(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        broker = Broker(folder)
        register = Register(
            options.program.resolve(), folder, broker, f"http://127.0.0.1:{server.server_port}/")
        try:
            run(options, random.Random(options.seed), register, {
                "mqtt": broker.lines, "webhook": lambda: list(Receiver.lines),
                "exec": lambda: register.taken.read_bytes().splitlines(),
            })
        except BaseException:
            print(f"seed {options.seed}; the end of the log:", file=sys.stderr)
            print(register.log.read_text()[-2000:], file=sys.stderr)
            raise
        finally:
            broker.stop()
            server.shutdown()


if __name__ == "__main__":
    main()
