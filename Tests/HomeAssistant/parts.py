"""The parts of the test: a process, a broker, Home Assistant, and keywedge, all on loopback."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from waiting import Failure, wait_until  # noqa: E402

# How many seconds to wait for something before the test fails; even a busy machine needs fewer.
LIMIT = 300


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A process that can be started again; its output is kept in a file."""

    def __init__(self, folder, name, *arguments, environment=None):
        self.arguments = [str(argument) for argument in arguments]
        self.log = folder / f"{name}.log"
        self.environment = environment
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(self.environment or {})}, start_new_session=True)

    def end(self, with_signal=signal.SIGTERM):
        if self.process is None:
            return
        self.process.send_signal(with_signal)
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure(f"{self.arguments[0]} did not end within {LIMIT} s")
        finally:
            self.process = None


class Broker(Program):
    """A Mosquitto that keeps nothing across a restart."""

    def __init__(self, folder):
        self.port = free_port()
        settings = folder / "mosquitto.conf"
        settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n")
        mosquitto = "/usr/sbin/mosquitto"
        super().__init__(folder, "mosquitto", mosquitto, "-c", settings)

    def retained(self):
        """Returns the retained messages below homeassistant/, by topic."""
        lines = subprocess.run(
            ["mosquitto_sub", "-p", str(self.port), "-t", "homeassistant/#", "--retained-only",
             "-W", "1", "-F", "%t %p"], capture_output=True, text=True).stdout
        return dict(line.split(" ", 1) for line in lines.splitlines())


class HomeAssistant(Program):
    """The real core with a temporary configuration, set up through its REST interface."""

    CLIENT = "http://127.0.0.1/"
    # The logger to which automations write the scans that they get.
    SEEN = "keywedge.seen"
    # Warnings and errors that Home Assistant logs on Debian 12, or after its broker or it itself was killed.
    USUAL = ["Skipping pip installation", "Support for the running Python version",
             "failed to receive on socket", "Disconnected from MQTT server",
             "Failed to connect to MQTT server",
             "The system could not validate that the sqlite3 database", "Ended unfinished session"]

    def __init__(self, folder, python):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.token = None
        home = folder / "home"
        home.mkdir()
        (home / "automations.yaml").write_text("[]\n")
        (home / "configuration.yaml").write_text(
            f"http: {{server_host: 127.0.0.1, server_port: {self.port}}}\n"
            "config:\nfrontend:\nhistory:\nsystem_log:\n"
            f"logger: {{default: warning, logs: {{{self.SEEN}: info}}}}\n"
            "recorder: {commit_interval: 1}\nautomation: !include automations.yaml\n")
        super().__init__(
            folder, "home-assistant", python, "-m", "homeassistant", "-c", home, "--skip-pip",
            environment={"PYTHONDONTWRITEBYTECODE": "1"})

    def ask(self, path, body=None, form=None, method=None):
        data = None
        headers = {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        elif body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            text = answer.read().decode()
        try:
            return json.loads(text)
        except ValueError:
            return text

    def wait_for_start(self):
        """Waits until the core runs, and with it the automations."""
        wait_until("Home Assistant runs", LIMIT,
                   lambda: self.ask("/api/config")["state"] == "RUNNING")

    def set_up(self, broker):
        """Creates the first user, and adds MQTT."""
        wait_until("Home Assistant answers", LIMIT, lambda: self.ask("/api/onboarding"))
        code = self.ask("/api/onboarding/users", {
            "client_id": self.CLIENT, "name": "Shop", "username": "shop", "password": "secret",
            "language": "en"})["auth_code"]
        self.token = self.ask("/auth/token", form={
            "grant_type": "authorization_code", "code": code,
            "client_id": self.CLIENT})["access_token"]
        # The other steps would add integrations that need the internet.
        self.wait_for_start()
        flow = self.ask("/api/config/config_entries/flow", {"handler": "mqtt"})["flow_id"]
        result = self.ask(f"/api/config/config_entries/flow/{flow}",
                          {"broker": "127.0.0.1", "port": broker.port})
        if result["type"] != "create_entry":
            raise Failure(f"MQTT is not set up: {result}")

    def add_automation(self, name, automation):
        self.ask(f"/api/config/automation/config/{name}", automation)

    def state(self, entity):
        return self.ask(f"/api/states/{entity}")

    def history(self, entity, since):
        """Returns all states of an entity since a time, with attributes, including those before a restart."""
        start = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(since))
        states = self.ask(f"/api/history/period/{urllib.parse.quote(start)}"
                          f"?filter_entity_id={entity}&significant_changes_only=0")
        return states[0] if states else []

    def entities(self):
        return sorted(state["entity_id"] for state in self.ask("/api/states")
                      if state["entity_id"].startswith("event."))

    def complaints(self):
        """Returns the lines of the log that report unexpected errors and warnings."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if (" ERROR " in line or " WARNING " in line)
                and not any(usual in line for usual in self.USUAL)]

    def seen(self):
        """Returns the scans that automations have written, in order."""
        mark = f"[{self.SEEN}] "
        lines = self.log.read_text(errors="replace").splitlines()
        return [line.split(mark, 1)[1] for line in lines if mark in line]


class Keywedge(Program):
    """The daemon, fed with keystrokes through a FIFO."""

    def __init__(self, folder, program, settings):
        self.folder = folder
        self.file = folder / "keywedge.yaml"
        self.fifo = folder / "keys.fifo"
        os.mkfifo(self.fifo)
        self.file.write_text(settings)
        super().__init__(folder, "keywedge", program, "run", "--config", self.file, "--replay", self.fifo)
        self.writer = None

    def start(self):
        super().start()
        self.writer = open(self.fifo, "w", buffering=1)

    def end(self, with_signal=signal.SIGTERM):
        super().end(with_signal)
        if self.writer:
            try:
                self.writer.close()
            except BrokenPipeError:
                pass
            self.writer = None

    def events(self):
        """Returns the events that the daemon has printed, in order."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    def scan(self, text):
        """Types a code and Enter."""
        self.writer.write(f'wait 150ms\ntype "{text}\\n"\n')
