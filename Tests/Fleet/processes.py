"""The processes and ports of a test: ports of loopback, and processes that the test ends by their IDs."""

import os
import pathlib
import signal
import socket
import subprocess
import time


def free_ports(count):
    """Returns different ports that were free a moment ago."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def is_listening(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(what, condition, seconds):
    """Waits until a condition is true; raises TimeoutError if that takes too long."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} s: {what}")
        time.sleep(0.2)


def usage_of(processes):
    """Returns the resident megabytes and the seconds of processor time of processes and their descendants."""
    children = {}
    rows = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2:].split()
        process = int(path.parent.name)
        children.setdefault(int(fields[1]), []).append(process)
        rows[process] = (int(fields[21]) * 4096 / 1e6, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    wanted = [one.process.pid for one in processes if one.is_running]
    memory = seconds = 0
    while wanted:
        process = wanted.pop()
        wanted += children.get(process, [])
        row = rows.get(process, (0, 0))
        memory, seconds = memory + row[0], seconds + row[1]
    return memory, seconds


class Program:
    """A program that can be killed and started again; the processes that it starts are in its session."""

    def __init__(self, name, command, log, environment=None, user=None, stdin=None, stdout=None):
        self.name = name
        self._command = [str(word) for word in command]
        self._log = log
        self._environment = environment
        self._user = user
        self._stdin, self._stdout = stdin, stdout
        self.process = None

    def start(self):
        with open(self._log, "ab") as log:
            self.process = subprocess.Popen(
                self._command, stdin=self._stdin or subprocess.DEVNULL, stdout=self._stdout or log, stderr=log,
                env=self._environment, user=self._user, start_new_session=True)
        return self

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """Kills the program's process group."""
        self.end(signal.SIGKILL)

    def end(self, number=signal.SIGTERM, patience=20):
        if self.process is None:
            return
        for each in (number, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, each)
            except ProcessLookupError:
                pass
            try:
                self.process.wait(patience)
                break
            except subprocess.TimeoutExpired:
                continue
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def tail(self, count=1500):
        return pathlib.Path(self._log).read_text(errors="replace")[-count:]
