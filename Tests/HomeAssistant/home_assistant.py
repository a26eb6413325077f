"""Scans while Home Assistant, the broker and keywedge are restarted: each arrives once, and nothing else does.

usage: python3 Tests/HomeAssistant/home_assistant.py KEYWEDGE PYTHON [--short]

PYTHON is a Python with the packages of requirements.txt. The test adds MQTT through Home Assistant's config flow, and
an automation through the interface of its editor, as docs/home-assistant.md says. It compares the entity's history and
the automation's output with the events that keywedge printed. --short restarts only keywedge and the broker, once each;
a restart of Home Assistant takes half a minute.
"""

import argparse
import collections
import pathlib
import signal
import sys
import tempfile
import threading
import time

from parts import LIMIT, Broker, Failure, HomeAssistant, Keywedge, wait_until

ENTITY = "event.keywedge_till_3_counter"
SETTINGS = """
register: till-3
scanners: [{{name: {scanner}}}]
journal: {{file: {folder}/journal.sqlite}}
catalog: {{sources: []}}
events:
  - stdout: {{format: json}}
  - mqtt: {{url: "mqtt://127.0.0.1:{port}", no_subscriber: hold, home_assistant: homeassistant}}
  - mqtt:
      name: automations
      url: "mqtt://127.0.0.1:{port}"
      topic: "keywedge-scans/{{register}}/{{scanner}}"
      types: [keywedge.scan]
      presence: none
      no_subscriber: hold
"""
AUTOMATION = {
    "alias": "Scans", "mode": "queued", "max": 1000,
    "trigger": [{"platform": "mqtt", "topic": "keywedge-scans/till-3/+", "qos": 1}],
    "condition": [{"condition": "template", "value_template":
                   "{{ now() - as_datetime(trigger.payload_json.time) < timedelta(minutes=10) }}"}],
    "action": [{"service": "system_log.write", "data": {
        "logger": HomeAssistant.SEEN, "level": "info",
        "message": "{{ trigger.payload_json.data.text }}"}}],
}


class Scanner(threading.Thread):
    """Scans a new code five times a second, except while a restart holds `may_scan`."""

    def __init__(self, keywedge):
        super().__init__(daemon=True)
        self.keywedge = keywedge
        self.may_scan = threading.Lock()
        self.ends = threading.Event()
        self.count = 0

    def run(self):
        while not self.ends.wait(0.2):
            with self.may_scan:
                self.count += 1
                self.keywedge.scan(f"CODE-{self.count:05}")


def printed(keywedge):
    return [event["data"]["text"] for event in keywedge.events() if event["type"] == "keywedge.scan"]


def in_history(home, since):
    """Returns the entity's scans in order; a state that Home Assistant restores after a restart counts once."""
    scans = {}
    for state in home.history(ENTITY, since):
        if state["attributes"].get("event_type") == "keywedge.scan":
            scans[state["state"], state["attributes"]["sequence"]] = state["attributes"]["text"]
    return [text for _, text in sorted(scans.items())]


def require_equal(what, found, expected):
    missing = [text for text in expected if text not in found]
    extra = list((collections.Counter(found) - collections.Counter(expected)).elements())
    print(f"{what}: {len(found)} of {len(expected)} scans, missing {missing}, false {extra}")
    if missing or extra:
        raise Failure(what)


def restart(part, home, scanner, with_signal):
    print(f"restart {type(part).__name__} with {signal.Signals(with_signal).name}", flush=True)
    time.sleep(3)
    if part is scanner.keywedge:
        with scanner.may_scan:
            part.end(with_signal)
            part.start()
    elif part is home:
        # Home Assistant stops reading some seconds before it leaves the broker, and saves its history every second.
        with scanner.may_scan:
            time.sleep(3)
            part.end(with_signal)
        time.sleep(3)
        part.start()
        home.wait_for_start()
    else:
        part.end(with_signal)
        time.sleep(3)
        part.start()
    time.sleep(3)


def check_entities(home, broker, keywedge, settings):
    """Checks that each entity is named after its scanner, and disappears if the scanner is removed."""
    wait_until("the entity", LIMIT, lambda: ENTITY in home.entities())
    if len(home.entities()) != 1:
        raise Failure(f"expected one entity, got {home.entities()}")
    keywedge.end()
    keywedge.file.write_text(settings("door"))
    keywedge.start()
    wait_until("the entity of another scanner alone", LIMIT,
               lambda: home.entities() == ["event.keywedge_till_3_door"])
    if list(broker.retained()) != ["homeassistant/event/keywedge-till-3-door/config"]:
        raise Failure(f"unexpected retained messages: {broker.retained()}")
    keywedge.end()
    keywedge.file.write_text(settings("counter"))
    keywedge.start()
    wait_until("the first entity alone", LIMIT, lambda: home.entities() == [ENTITY])


def scenario(folder, arguments):
    broker = Broker(folder)
    home = HomeAssistant(folder, arguments.python)

    def settings(scanner):
        return SETTINGS.format(folder=folder, port=broker.port, scanner=scanner)

    keywedge = Keywedge(folder, arguments.keywedge, settings("counter"))
    scanner = Scanner(keywedge)
    try:
        broker.start()
        home.start()
        home.set_up(broker)
        home.add_automation("scans", AUTOMATION)
        since = time.time() - 60
        keywedge.start()
        check_entities(home, broker, keywedge, settings)
        scanner.start()
        parts = [keywedge, broker] if arguments.short else [keywedge, broker, home] * 2
        for number, part in enumerate(parts):
            restart(part, home, scanner, signal.SIGKILL if number >= 3 else signal.SIGTERM)
        scanner.ends.set()
        scanner.join()
        wait_until("all scans are printed", LIMIT, lambda: printed(keywedge)[-1:] == [
            f"CODE-{scanner.count:05}"])
        expected = printed(keywedge)
        try:
            wait_until("all scans arrive", LIMIT, lambda: {*expected} <= {*in_history(home, since)}
                       and {*expected} <= {*home.seen()})
        except Failure as failure:
            print(failure)
        require_equal("the entity", in_history(home, since), expected)
        require_equal("the automation", home.seen(), expected)
        if home.complaints():
            raise Failure("Home Assistant complains: " + "\n".join(home.complaints()))
    finally:
        scanner.ends.set()
        for part in [keywedge, home, broker]:
            try:
                part.end()
            except Failure as failure:
                print(failure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("keywedge", type=pathlib.Path)
    parser.add_argument("python", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    arguments.keywedge = arguments.keywedge.resolve()
    arguments.python = arguments.python.absolute()
    with tempfile.TemporaryDirectory() as folder:
        try:
            scenario(pathlib.Path(folder), arguments)
        except Failure as failure:
            print(f"failed: {failure}")
            for log in pathlib.Path(folder).glob("*.log"):
                print(f"--- the end of {log.name}")
                print("\n".join(log.read_text(errors="replace").splitlines()[-30:]))
            sys.exit(1)
    print("each scan arrived once")


if __name__ == "__main__":
    main()
