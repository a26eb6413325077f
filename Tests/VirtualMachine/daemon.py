"""The program under test, running in the guest, and its output."""

import json
import time

from machine import GuestError


class Daemon:
    """One run of the program; a pipe passes its events to a file that the host and the guest share."""

    def __init__(self, machine, command, name="daemon"):
        self._machine = machine
        self._command = command
        self._name = name
        self._source = f"{name}.events"
        self._read = 0
        self._rest = b""
        self._sequence = 0

    def start(self, prefix=""):
        """Starts the program in the background; `prefix` precedes its command line."""
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
        """The ID of the process in the guest."""
        return int((self._machine.exchange / f"{self._name}.pid").read_text())

    @property
    def log(self):
        """The program's standard error."""
        return (self._machine.exchange / f"{self._name}.log").read_text(errors="replace")

    @property
    def output(self):
        """The program's standard output."""
        return (self._machine.exchange / f"{self._name}.events").read_text(errors="replace")

    def signal(self, name):
        """Sends a signal to the program."""
        self._machine.check(f"kill -{name} {self.pid}")

    def stop(self, seconds=240):
        """Ends the program with SIGTERM; waits until it has exited and all its output is in the file."""
        self._machine.check(
            f"pid=$(cat {self._name}.pid); kill -CONT $pid 2>/dev/null; kill -TERM $pid 2>/dev/null\n"
            f"for i in $(seq {seconds * 10}); do\n"
            f"kill -0 $pid 2>/dev/null || [ ! -e {self._name}.ended ] || exit 0\n"
            "sleep 0.1; done; echo still there after SIGTERM; kill -KILL $pid; exit 1",
            2 * seconds)

    def wait_for_end(self, seconds=240):
        """Waits until the program has exited on its own and all its output is in the file."""
        self._machine.check(
            f"while kill -0 {self.pid} 2>/dev/null || [ ! -e {self._name}.ended ]; do sleep 0.1; done",
            seconds)

    def read_from(self, name):
        """Makes later calls read the events from another file, which another program writes."""
        self._source = name

    def events(self):
        """Returns the scanners' events since the last call; raises an error if a sequence number is missing."""
        path = self._machine.exchange / self._source
        with open(path, "rb") as stream:
            stream.seek(self._read)
            more = stream.read()
        self._read += len(more)
        # The last bytes read may be part of a character.
        *lines, self._rest = (self._rest + more).split(b"\n")
        events = [json.loads(line.decode(errors="replace")) for line in lines if line]
        for event in events:
            self._sequence += 1
            if int(event["sequence"]) != self._sequence:
                raise GuestError(f"expected number {self._sequence}, got {event}")
        return [event for event in events if "/scanners/" in event["source"]]

    def wait_for(self, is_enough, seconds=240):
        """Waits until `is_enough` is true for the new events, and returns them; raises an error after `seconds`."""
        found = []
        deadline = time.monotonic() + seconds
        while not is_enough(found):
            if time.monotonic() > deadline:
                raise GuestError(f"after {seconds} s only these events have arrived: {found}\n{self.log}")
            time.sleep(0.02)
            found += self.events()
        return found

    def wait_for_log(self, text, seconds=240):
        """Waits until the program has written a text to standard error."""
        deadline = time.monotonic() + seconds
        while text not in self.log:
            if time.monotonic() > deadline:
                raise GuestError(f"after {seconds} s {text!r} is not in: {self.log}")
            time.sleep(0.02)

    def wait_for_type(self, kind, count=1, seconds=240):
        """Waits until `count` events of a type have arrived, and returns all new events."""
        return self.wait_for(lambda found: len(of_type(found, kind)) >= count, seconds)


def of_type(events, kind):
    """Returns the events of one type, given without its prefix: `scan` selects `keywedge.scan`."""
    return [event for event in events if event["type"] == f"keywedge.{kind}"]


def kinds(events):
    """Returns the types of events, without the prefix `keywedge.`."""
    return [event["type"].removeprefix("keywedge.") for event in events]


def is_part_in_order(some, whole):
    """Returns whether `whole` contains all elements of `some`, in the same order."""
    rest = iter(whole)
    return all(one in rest for one in some)


def texts(events, scanner=None):
    """Returns the texts of all scans among the events, or of one scanner's."""
    return [
        event["data"]["text"] for event in of_type(events, "scan")
        if scanner is None or event["data"]["scanner"]["name"] == scanner
    ]


def reasons(events):
    """Returns the reasons of the rejections among the events."""
    return [event["data"]["reason"] for event in of_type(events, "scan.rejected")]
