"""The program under test, running in the guest, and its output."""

import json
import time

from machine import GuestError


class Daemon:
    """One run of the program; its events go through a pipe into a file that both sides see."""

    def __init__(self, machine, command, name="daemon"):
        self._machine = machine
        self._command = command
        self._name = name
        self._source = f"{name}.events"
        self._read = 0
        self._rest = b""
        self._sequence = 0

    def start(self, prefix=""):
        """Starts the program in the background; `prefix` goes in front of its command line."""
        for kind in ("events", "log"):
            (self._machine.exchange / f"{self._name}.{kind}").write_text("")
        self._read = 0
        self._rest = b""
        self._sequence = 0
        self._machine.check(
            f"rm -f {self._name}.pid {self._name}.ended\n"
            f"({prefix} sh -c 'echo $$ >/run/exchange/{self._name}.pid; exec {self._command}'"
            f" 2>>{self._name}.log | cat >>{self._name}.events; touch {self._name}.ended) &\n"
            f"while [ ! -s {self._name}.pid ]; do sleep 0.05; done")
        return self

    @property
    def pid(self):
        """The process's number in the guest."""
        return int((self._machine.exchange / f"{self._name}.pid").read_text())

    @property
    def log(self):
        """Its standard error."""
        return (self._machine.exchange / f"{self._name}.log").read_text(errors="replace")

    @property
    def output(self):
        """Its standard output."""
        return (self._machine.exchange / f"{self._name}.events").read_text(errors="replace")

    def signal(self, name):
        """Sends it a signal."""
        self._machine.check(f"kill -{name} {self.pid}")

    def stop(self, seconds=60):
        """Ends it with SIGTERM and waits until it is gone, and all it has written is in the file."""
        self._machine.check(
            f"pid=$(cat {self._name}.pid); kill -CONT $pid 2>/dev/null; kill -TERM $pid 2>/dev/null\n"
            f"for i in $(seq {seconds * 10}); do\n"
            f"kill -0 $pid 2>/dev/null || [ ! -e {self._name}.ended ] || exit 0\n"
            "sleep 0.1; done; echo still there after SIGTERM; kill -KILL $pid; exit 1",
            2 * seconds)

    def wait_for_end(self, seconds):
        """Waits until it has ended on its own, and all it has written is in the file."""
        self._machine.check(
            f"while kill -0 {self.pid} 2>/dev/null || [ ! -e {self._name}.ended ]; do sleep 0.1; done",
            seconds)

    def read_from(self, name):
        """Reads the events from another file, which another program writes."""
        self._source = name

    def events(self):
        """The events of scanners since the last call; an error if a number was left out."""
        path = self._machine.exchange / self._source
        with open(path, "rb") as stream:
            stream.seek(self._read)
            more = stream.read()
        self._read += len(more)
        # The end of what is there may be in the middle of a character.
        *lines, self._rest = (self._rest + more).split(b"\n")
        events = [json.loads(line.decode(errors="replace")) for line in lines if line]
        for event in events:
            self._sequence += 1
            if int(event["sequence"]) != self._sequence:
                raise GuestError(f"number {self._sequence} was to come, but this came: {event}")
        return [event for event in events if "/scanners/" in event["source"]]

    def wait_for(self, is_enough, seconds=60):
        """All events until `is_enough` holds for them; an error if it never does."""
        found = []
        deadline = time.monotonic() + seconds
        while not is_enough(found):
            if time.monotonic() > deadline:
                raise GuestError(f"after {seconds} s only these events came: {found}\n{self.log}")
            time.sleep(0.02)
            found += self.events()
        return found

    def wait_for_log(self, text, seconds=60):
        """Waits until it has written a text to standard error."""
        deadline = time.monotonic() + seconds
        while text not in self.log:
            if time.monotonic() > deadline:
                raise GuestError(f"after {seconds} s {text!r} is not in: {self.log}")
            time.sleep(0.02)

    def wait_for_type(self, kind, count=1, seconds=60):
        """All events until `count` of a type have come."""
        return self.wait_for(lambda found: len(of_type(found, kind)) >= count, seconds)


def of_type(events, kind):
    """The events of one type; `scan` for `keywedge.scan` and so on."""
    return [event for event in events if event["type"] == f"keywedge.{kind}"]


def kinds(events):
    """The types of events, without the common `keywedge.`."""
    return [event["type"].removeprefix("keywedge.") for event in events]


def is_part_in_order(some, whole):
    """Whether `whole` has all elements of `some`, in the same order."""
    rest = iter(whole)
    return all(one in rest for one in some)


def texts(events, scanner=None):
    """The texts of the scans among events, of one scanner or of all."""
    return [
        event["data"]["text"] for event in of_type(events, "scan")
        if scanner is None or event["data"]["scanner"]["name"] == scanner
    ]


def reasons(events):
    """The reasons of the rejections among events."""
    return [event["data"]["reason"] for event in of_type(events, "scan.rejected")]
