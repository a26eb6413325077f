"""The parts of the test: a podman with its own storage, the image, and the folder in which a compose file runs."""

import http.client
import json
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from waiting import Failure, wait_until  # noqa: E402

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
COMPOSE_FILE = REPOSITORY / "examples/container/compose.yaml"
USER = 990
# How many seconds to wait for something before the test fails; even a busy machine needs fewer.
LIMIT = 300


class Podman:
    """Debian's podman with its own storage: it does not see this machine's images and containers, and adds none."""

    def __init__(self, folder, runtime):
        self.folder = folder
        settings = folder / "containers.conf"
        settings.write_text(
            # If root may not raise limits, podman's default limits are too high.
            '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n'
            '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n')
        # Health checks run only when the test requests them; podman creates no systemd timers for them.
        self.environment = {
            **os.environ, "CONTAINERS_CONF": str(settings), "DISABLE_HC_SYSTEMD": "true"}
        # podman-compose runs this script, too.
        self.program = folder / "podman"
        self.program.write_text(
            f"#!/bin/sh\nexec {shutil.which('podman')} --root {folder}/storage --runroot {runtime} "
            f'--tmpdir {folder}/libpod --log-level fatal "$@"\n')
        self.program.chmod(0o755)

    def run(self, *arguments, check=True, **options):
        """Runs a podman command; returns its result, with standard output and standard error as one text."""
        result = subprocess.run(
            [self.program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", env=self.environment, timeout=300, **options)
        if check and result.returncode:
            raise Failure(f"podman {' '.join(map(str, arguments))} ended with {result.returncode}:\n{result.stdout}")
        return result

    def build(self, base, package):
        """Builds the image as docs/containers.md does, but on another base."""
        self.run("import", base, "keywedge-base")
        self.run("build", "--no-cache", "--format", "docker", "--tag", "keywedge",
                 "--build-arg", "BASE=localhost/keywedge-base", "--file", REPOSITORY / "Containerfile", package.parent)

    def remove_all(self):
        """Removes every container and image, and the storage with its mounts."""
        self.run("pod", "rm", "--all", "--force", check=False)
        self.run("rm", "--all", "--force", check=False)
        self.run("rmi", "--all", "--force", check=False)
        for line in pathlib.Path("/proc/self/mounts").read_text().splitlines():
            if line.split()[1].startswith(f"{self.folder}/"):
                subprocess.run(["umount", "--lazy", line.split()[1]], check=False)


class Box:
    """A folder with the compose file of examples, the folders it mounts, and replacements for the host's devices."""

    def __init__(self, podman, compose, folder, settings):
        self.podman = podman
        self.compose = compose
        self.folder = folder
        for name in ["etc", "state", "run", "input", "udev"]:
            (folder / name).mkdir(parents=True)
        for name in ["state", "run"]:
            os.chown(folder / name, USER, USER)
        self.configuration = folder / "etc/keywedge.yaml"
        self.configuration.write_text(settings)
        self.fifo = folder / "run/keys.fifo"
        os.mkfifo(self.fifo)
        os.chown(self.fifo, USER, USER)
        self.make_node(USER)
        self.keys = None

    def make_node(self, group):
        """Creates the node of an input device that does not exist."""
        node = self.folder / "input/event0"
        node.unlink(missing_ok=True)
        os.mknod(node, 0o660 | stat.S_IFCHR, os.makedev(13, 64))
        os.chown(node, 0, group)
        node.chmod(0o660)

    def start(self, *changes, reads_keys=True):
        """Starts the compose file's container, after changes to its text: pairs of an old text and a new one."""
        text = COMPOSE_FILE.read_text()
        for old, new in [("- /dev/input:", "- ./input:"), ("- /run/udev/data:", "- ./udev:"), *changes]:
            if old not in text:
                raise Failure(f"the compose file has no {old!r}")
            text = text.replace(old, new)
        if reads_keys:
            text += "    command: [run, --replay, /run/keywedge/keys.fifo]\n"
        (self.folder / "compose.yaml").write_text(text)
        self.call_compose("up", "--detach")
        if reads_keys:
            self.open_keys()

    def open_keys(self):
        """Opens the FIFO for keystrokes as soon as the daemon reads it."""
        try:
            descriptor = wait_until("the daemon reads keystrokes", LIMIT,
                                    lambda: os.open(self.fifo, os.O_WRONLY | os.O_NONBLOCK))
        except Failure as failure:
            raise Failure(f"{failure}\n{self.log()}") from None
        self.keys = open(descriptor, "w", buffering=1)

    def close_keys(self):
        if self.keys:
            self.keys.close()
            self.keys = None

    def call_compose(self, *arguments):
        result = subprocess.run(
            [self.compose, "--podman-path", self.podman.program, *arguments], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.podman.environment, timeout=LIMIT)
        if result.returncode:
            raise Failure(f"podman-compose {' '.join(arguments)} ended with {result.returncode}:\n{result.stdout}")

    def remove(self):
        self.close_keys()
        self.podman.run("rm", "--force", "keywedge", check=False)

    def stop(self):
        """Stops the container; returns the exit code, 137 if it had to be killed."""
        self.close_keys()
        self.podman.run("stop", "keywedge")
        return self.inspect("State")["ExitCode"]

    def inspect(self, what):
        return json.loads(self.podman.run("inspect", "keywedge").stdout)[0][what]

    def command(self, *arguments, **options):
        """Runs keywedge in the container."""
        return self.podman.run("exec", "--interactive", "keywedge", "keywedge", *arguments, **options)

    def log(self):
        return self.podman.run("logs", "keywedge").stdout

    def scan(self, text):
        self.keys.write(f'wait 150ms\ntype "{text}\\n"\n')

    def events(self, kind="keywedge.scan"):
        """Returns the events of a type in the container's log, in order."""
        lines = [line for line in self.log().splitlines() if line.startswith("{") and line.endswith("}")]
        return [event for event in map(json.loads, lines) if event["type"] == kind]

    def ask(self, method, path):
        """Sends the daemon a request from outside, through the socket in the mounted folder."""
        connection = http.client.HTTPConnection("localhost", timeout=LIMIT)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(LIMIT)
        connection.sock.connect(str(self.folder / "run/keywedge.sock"))
        try:
            connection.request(method, path)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def process_facts(self):
        """Returns the lines of the daemon's /proc/PID/status, by name."""
        lines = pathlib.Path(f"/proc/{self.inspect('State')['Pid']}/status").read_text().splitlines()
        return {name: value.strip() for name, value in (line.split(":", 1) for line in lines)}
