#!/usr/bin/env python3
"""Flips one bit at a time at random places of a journal, and starts the daemon with it.

usage: rot.py KEYWEDGE [--flips N] [--seed N]

Each time, the daemon must start and read a scan. A client that asks for all events must get the journaled ones, byte
for byte and in order, and a gap event for those that are missing. A consumer must keep its place, unless the journal
was put aside. If the daemon puts a journal aside, its log and an event must name the file. It must not put a journal
aside that SQLite reads as before. In the end, the daemon must exit with 0 and `keywedge journal verify` must find
nothing.

Half of the flips are in the journal of a killed daemon. There the newest commit may be missing without a report,
because on the disk it looks like one that a power cut interrupted.
"""

import argparse
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

from power_loss import adopt

EVENTS = 300
# How many events the consumer has read.
TAKEN = 250
SCAN = "SCANNED-BEHIND-THE-FLIP"
# The types of the events that may follow the old ones in a journal.
NEW_TYPES = {"keywedge.started", "keywedge.scan", "keywedge.journal.replaced", "keywedge.gap"}
# The size of SQLite's header; one in ten flips is in it.
HEADER = 100
PATIENCE = 600


class Interface(http.client.HTTPConnection):
    """A connection to the daemon's socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self._path = str(path)

    def connect(self):
        """Opens the socket."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self._path)


class Register:
    """A daemon with its files in a folder, fed from a recording."""

    def __init__(self, program, folder):
        self._program = program
        self.folder = folder
        self._configuration = folder / "keywedge.yaml"
        self._process = None
        # JSON is YAML.
        self._configuration.write_text(json.dumps({
            "scanners": [{"name": "counter"}],
            "catalog": {"sources": []},
            "journal": {"file": str(folder / "journal.sqlite")},
            "listen": {"socket": str(folder / "socket")},
            "events": [{"stdout": {"format": "json"}}],
        }))

    def start(self, texts):
        """Starts the daemon with scans, each of which becomes a separate commit."""
        recording = self.folder / "scans.keys"
        lines = [f'wait 10ms\ntype "{text}\\n"' for text in texts]
        recording.write_text("\n".join(["pace 10us", *lines]) + "\n")
        with open(self.folder / "stdout", "wb") as output, open(self.folder / "log", "wb") as log:
            self._process = subprocess.Popen(
                [self._program, "run", "--config", self._configuration, "--replay", recording],
                stdout=output, stderr=log)

    def stop(self, number=signal.SIGTERM):
        """Sends the daemon a signal, waits until it ends, and returns its exit code."""
        self._process.send_signal(number)
        return self._process.wait(timeout=PATIENCE)

    def ask(self, method, path, body=None, headers=None):
        """Sends a request, and repeats it while the daemon does not answer or repairs its journal."""
        deadline = time.monotonic() + PATIENCE
        while True:
            interface = Interface(self.folder / "socket")
            try:
                interface.request(method, path, body=body, headers=headers or {})
                answer = interface.getresponse()
                if answer.status != 503:
                    return interface, answer
            except OSError:
                pass
            interface.close()
            if self._process.poll() is not None:
                raise Wrong(f"the daemon ended with {self._process.returncode}: {self.log[-500:]}")
            if time.monotonic() > deadline:
                raise Wrong(f"the daemon does not answer {path}: {self.log[-500:]}")
            time.sleep(0.002)

    def stream(self, cursor):
        """Yields the events after a cursor, without end, as pairs of cursor and line."""
        while True:
            interface, answer = self.ask(
                "GET", "/v1/events", headers={"Accept": "text/event-stream", "Last-Event-ID": cursor})
            try:
                while line := answer.readline():
                    name, _, value = line.rstrip(b"\n").partition(b": ")
                    if name == b"id":
                        cursor = value.decode()
                    elif name == b"data":
                        yield cursor, value
            except (OSError, http.client.HTTPException) as error:
                raise Wrong(f"the stream broke off: {error!r}") from None
            finally:
                interface.close()

    def verify(self):
        """Returns a description of the journal's damage; an empty text if there is none."""
        result = self._journal("verify")
        return "" if result.returncode == 0 else (result.stdout + result.stderr).decode()

    def events(self):
        """Returns the events of the journal, as one line each."""
        return self._journal("list", "--format", "json").stdout.splitlines()

    def _journal(self, *arguments):
        return subprocess.run(
            [self._program, "journal", *arguments, "--config", self._configuration],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)

    @property
    def log(self):
        """The daemon's standard error."""
        return (self.folder / "log").read_text(errors="replace")

    @property
    def output(self):
        """The events on the daemon's standard output."""
        return [json.loads(line) for line in (self.folder / "stdout").read_bytes().splitlines()]

    @property
    def aside(self):
        """The journals that were put aside."""
        return [str(path) for path in sorted(self.folder.glob("journal.sqlite.damaged-*"))
                if not path.name.endswith(("-wal", "-shm"))]


class Wrong(Exception):
    """A requirement is not met; the message says which."""


class Source:
    """A journal to be copied, and its events."""

    def __init__(self, program, folder, chance, is_killed):
        self.folder = folder
        folder.mkdir()
        register = Register(program, folder)
        # The texts have from 6 to 3,006 characters.
        texts = [f"{number:06}" + "X" * chance.choice([0, 2, 10, 40] * 5 + [3000]) for number in range(EVENTS)]
        register.start(texts)
        _, answer = register.ask("GET", "/openapi.json")
        answer.read()
        interface, answer = register.ask("GET", "/v1/events?after=oldest", headers={"Accept": "text/event-stream"})
        self.epoch = answer.headers["Keywedge-Epoch"]
        interface.close()
        self.lines = []
        for cursor, line in register.stream(f"{self.epoch}-0"):
            self.lines.append(line)
            if len(self.lines) == TAKEN:
                self.taken = sequence(line)
                _, answer = register.ask("PUT", "/v1/consumers/till", json.dumps({"cursor": cursor}))
                answer.read()
            elif texts[-1].encode() in line:
                break
        # A stream sends an event before it is committed.
        deadline = time.monotonic() + PATIENCE
        while self.lines[-1] not in register.events():
            if time.monotonic() > deadline:
                sys.exit(f"this event never reached the journal: {self.lines[-1]!r}")
        register.stop(signal.SIGKILL if is_killed else signal.SIGTERM)
        # A killed daemon leaves its socket behind.
        (folder / "socket").unlink(missing_ok=True)
        listed = self._listed(program, lambda copy: None)
        if listed[:len(self.lines)] != self.lines:
            sys.exit("the journal lacks events that its stream sent")
        self.lines = listed
        self.content = content_of(folder)
        if self.content is None:
            sys.exit("SQLite cannot read the journal")
        # The number of events in the newest commit of the log.
        self.newest = len(listed) - len(self._listed(program, cut_newest_commit)) if is_killed else 0

    def _listed(self, program, change):
        """Returns the events of a copy of the journal after a change."""
        copy = self.folder.with_suffix(".copy")
        shutil.copytree(self.folder, copy)
        change(copy)
        listed = Register(program, copy).events()
        shutil.rmtree(copy)
        return listed


def cut_newest_commit(folder):
    """Cuts the newest commit off a journal's log (SQLite's file format, section 4)."""
    path = folder / "journal.sqlite-wal"
    log = path.read_bytes()
    size = 24 + int.from_bytes(log[8:12], "big")
    frames = range(32, len(log) - size + 1, size)
    ends = [place + size for place in frames
            if log[place + 8:place + 16] == log[16:24] and any(log[place + 4:place + 8])]
    os.truncate(path, ends[-2])


def content_of(folder):
    """Returns what SQLite reads in a copy of a journal; None if that is damaged or can only be read."""
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(shutil.copytree(folder, f"{name}/copy"))
        with contextlib.closing(sqlite3.connect(copy / "journal.sqlite")) as journal:
            journal.text_factory = bytes

            def rows(statement):
                return journal.execute(statement).fetchall()

            try:
                # Fails if the header makes the file read-only.
                rows("BEGIN IMMEDIATE")
                if rows("PRAGMA integrity_check") != [(b"ok",)]:
                    return None
                schema = rows("SELECT * FROM sqlite_schema")
                tables = [each[1].decode() for each in schema if each[0] == b"table"]
                return [schema, rows("PRAGMA application_id"), rows("PRAGMA user_version"),
                        *(rows(f"SELECT * FROM {table}") for table in tables)]
            except (sqlite3.Error, UnicodeError):
                return None


def sequence(line):
    return int(json.loads(line)["sequence"])


def flip(folder, chance, is_header):
    """Flips a bit in the copy of a journal, and returns a description of its place."""
    # SQLite writes the log's index again at the start, so a flip there would not matter.
    files = [path for path in sorted(folder.glob("journal.sqlite*"))
             if not path.name.endswith("-shm") and path.stat().st_size]
    sizes = [path.stat().st_size for path in files]
    path = files[0] if is_header else chance.choices(files, sizes)[0]
    place = chance.randrange(HEADER if is_header else path.stat().st_size)
    bit = 1 << chance.randrange(8)
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ bit]))
    return f"{path.name} byte {place} bit {bit:#x}"


def read_all(register, source):
    """Reads all events up to the new scan; returns how many missing events were reported, and how many were not."""
    known = {line: number for number, line in enumerate(source.lines)}
    seen, gaps, last = set(), [], -1
    for _, line in register.stream(f"{source.epoch}-0"):
        event = json.loads(line)
        if line in known:
            if known[line] <= last:
                raise Wrong(f"this event came out of order: {line!r}")
            last = known[line]
            seen.add(last)
        elif event["type"] not in NEW_TYPES or event["data"].get("text", SCAN) != SCAN:
            raise Wrong(f"this event was never journaled: {line!r}")
        elif event["type"] == "keywedge.gap":
            # If nothing is left of a journal, the daemon does not know its last number.
            is_all = event["data"]["reason"] == "unknown-epoch"
            end = sequence(source.lines[-1]) if is_all else int(event["data"]["last"])
            gaps.append(range(int(event["data"]["first"]), end + 1))
        elif event["type"] == "keywedge.scan":
            break
    missing = [line for number, line in enumerate(source.lines) if number not in seen]
    untold = [line for line in missing if not any(sequence(line) in gap for gap in gaps)]
    if untold and untold != source.lines[len(source.lines) - source.newest:]:
        raise Wrong(f"{len(untold)} events are missing and no gap reports them: {untold[0][:300]!r}")
    return len(missing) - len(untold), len(untold)


def has_consumer(register, source):
    """Returns whether the daemon knows the consumer, and raises `Wrong` if its place has changed."""
    _, answer = register.ask("GET", "/v1/consumers/till")
    content = json.loads(answer.read())
    if answer.status == 404:
        return False
    if answer.status != 200 or int(content["cursor"].rpartition("-")[2]) != source.taken:
        raise Wrong(f"the consumer's place was {source.taken} and is now: {content}")
    return True


def wait_until_whole(register):
    """Waits until the daemon has repaired the damage, which it looks for on a separate thread."""
    deadline = time.monotonic() + PATIENCE
    while findings := register.verify():
        if time.monotonic() > deadline:
            raise Wrong(f"the journal is still damaged: {findings}")


def check_what_is_said(register):
    """Checks that the log and the events name each journal that was put aside once, and no others."""
    # An event without a file means that the flip was in the marker, which makes the journal count as a copy.
    replaced = [event["data"]["file"] for event in register.output
                if event["type"] == "keywedge.journal.replaced" and event["data"]["file"]]
    logged = re.findall(r'put aside as "([^"]*)"', register.log)
    if not register.aside == replaced == logged:
        raise Wrong(f"put aside: {register.aside}, events: {replaced}, in the log: {logged}")


def try_flip(program, folder, source):
    """Starts the daemon with a flipped bit.

    Counts missing events, reported and not, and the journals put aside; also returns whether SQLite reads the same as
    before the flip.
    """
    is_same = content_of(folder) == source.content
    register = Register(program, folder)
    register.start([SCAN])
    try:
        missing = read_all(register, source)
        is_known = has_consumer(register, source)
        wait_until_whole(register)
        code = register.stop()
    except BaseException:
        register.stop(signal.SIGKILL)
        raise
    if code != 0:
        raise Wrong(f"the daemon ended with {code}: {register.log[-500:]}")
    check_what_is_said(register)
    if is_same and register.aside:
        raise Wrong(f"this journal was put aside without need: {register.log[-500:]}")
    if not is_known and not register.aside:
        raise Wrong("the consumer is gone")
    if findings := register.verify():
        raise Wrong(f"in the end the journal is damaged: {findings}")
    return *missing, len(register.aside), is_same


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    program = options.program.resolve()
    chance = random.Random(options.seed)
    started = aside = told = untold = same = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = [Source(program, folder / "closed", chance, False), Source(program, folder / "killed", chance, True)]

        def one(number, copy, place, source):
            try:
                return number, place, try_flip(program, copy, source), None
            except Wrong as wrong:
                return number, place, (0, 0, 0, False), wrong
            finally:
                shutil.rmtree(copy)

        def flips():
            for number in range(options.flips):
                source = sources[number % len(sources)]
                copy = folder / f"flip-{number}"
                shutil.copytree(source.folder, copy)
                adopt(copy)
                yield number, copy, flip(copy, chance, number % 20 < 2), source

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            places = flips()
            waiting = set()
            while True:
                while len(waiting) < 2 * os.cpu_count() and (place := next(places, None)):
                    waiting.add(pool.submit(one, *place))
                if not waiting:
                    break
                done, waiting = concurrent.futures.wait(
                    waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for number, place, (gone, newest, replaced, is_same), wrong in (future.result() for future in done):
                    if wrong is None:
                        started += 1
                    else:
                        print(f"flip {number}, {place}: {wrong}", file=sys.stderr)
                    aside += replaced > 0
                    told += gone > 0
                    untold += newest > 0
                    same += is_same
    print(f"{options.flips} flips (seed {options.seed}): the daemon met the requirements {started} times, "
          f"put {aside} journals aside and reported it; events were missing {told} times with a report, and {untold} "
          f"times without one, from the newest commit of a killed daemon; {same} flips changed nothing for SQLite")
    return 0 if started == options.flips and aside and same else 1


if __name__ == "__main__":
    sys.exit(main())
