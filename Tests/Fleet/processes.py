"""Processes and ports of a test: on loopback, each ended by its own id, none left behind."""

import os
import pathlib
import signal
import socket
import subprocess
import time


def free_ports(count):
    """Ports that were free a moment ago, no two alike."""
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
    """Waits until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"after {seconds} s still not so: {what}")
        time.sleep(0.2)


def usage_of(processes):
    """Resident megabytes and seconds of processor time of processes and all they started."""
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
    """A program that is started, killed and started again; with all it starts in one session."""

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
        """Kills it and what it has started, in its own session alone."""
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
