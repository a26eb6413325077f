"""The base of all scenarios: a shared guest, the program under test, and the cleaning up."""

import json
import os
import re
import unittest

import console
import daemon
import machine
import virtual

PROGRAM = os.environ.get("KEYWEDGE_PROGRAM", "")
# A busy host stops the guest and its typing for longer than a scanner pauses.
IDLE = "30s"
# For scenarios in which a pause ends a scan, or which set a recovery; the recovery must not be shorter than this.
SHORT_IDLE = "1500ms"
K1 = {"name": "k1", "match": {"uniq": "SN-k1"}}
K2 = {"name": "k2", "match": {"uniq": "SN-k2"}}


class Shared:
    """The guest that scenarios share; booted once, and again after a scenario has ruined it.

    There is one at a time: a request for other properties replaces it.
    """

    machine = None
    properties = None

    @classmethod
    def get(cls, **properties):
        """The running guest."""
        if cls.properties != properties:
            cls.stop()
        if cls.machine is None:
            cls.properties = properties
            cls.machine = machine.Machine(**properties)
            try:
                cls.machine.start()
            except BaseException:
                cls.machine = None
                raise
        return cls.machine

    @classmethod
    def stop(cls):
        """Ends the guest."""
        if cls.machine is not None:
            cls.machine.stop()
            cls.machine = None


class Scenario(unittest.TestCase):
    """A test in the guest. Afterwards its processes are gone, and both keyboards are plugged in."""

    # Whether the guest's first process is systemd.
    SYSTEMD = False
    PROCESSORS = 1

    def setUp(self):
        self.guest = Shared.get(systemd=self.SYSTEMD, processors=self.PROCESSORS)
        self.addCleanup(self._clean_up)
        self.addCleanup(self.guest.key_queue.check)

    def _clean_up(self):
        try:
            for keyboard in ("k1", "k2"):
                if not self.guest.is_plugged(keyboard):
                    self.plug(keyboard)
        except (machine.GuestError, TimeoutError):
            Shared.stop()

    def run_daemon(self, *scanners, name="daemon", prefix="", wait=None, **more):
        """Starts the program with a configuration; returns when `wait` scanners are connected."""
        # Settings without a match are for scanners that are claimed without a configuration.
        configured = [
            {"idle_timeout": SHORT_IDLE if {"recovery", "terminators"} & scanner.keys() else IDLE, **scanner}
            for scanner in scanners or [{"name": "any"}]]
        configuration = {
            "events": [{"stdout": {"format": "json"}}], "scanners": configured, **more}
        # JSON is YAML.
        (self.guest.exchange / f"{name}.yaml").write_text(json.dumps(configuration))
        program = daemon.Daemon(
            self.guest, f"{PROGRAM} run --config /run/exchange/{name}.yaml", name)
        self.addCleanup(program.stop)
        program.start(prefix)
        wait = len(scanners) if wait is None else wait
        if wait:
            program.wait_for_type("scanner.connected", wait)
        return program

    def devices(self, configuration="daemon.yaml"):
        """The output of `keywedge devices`, by node."""
        lines = self.guest.check(
            f"{PROGRAM} devices --format json --config {configuration}", 60).splitlines()
        return {device["node"]: device for device in map(json.loads, lines)}

    def virtual_keyboards(self):
        """Virtual keyboards, removed after the test."""
        keyboards = virtual.VirtualKeyboards(self.guest)
        self.addCleanup(keyboards.close)
        return keyboards

    def console(self):
        """A reader of the guest's console, closed after the test."""
        reader = console.Console(self.guest)
        self.addCleanup(reader.close)
        return reader

    def unplug(self, keyboard):
        """Pulls a keyboard out and waits until the guest has no node of it."""
        self.guest.unplug(keyboard)
        self.guest.check(
            f"while cat /sys/class/input/event*/device/uniq 2>/dev/null | grep -qx SN-{keyboard}\n"
            "do sleep 0.1; done", 90)

    def wait_until_at_rest(self, process):
        """Waits until no thread of a process has run for two seconds in which the guest itself ran."""
        self.guest.check(
            f"state() {{ cat /proc/{process}/task/*/status | grep -e ^State -e ctxt; }}\n"
            "until before=$(state); for i in $(seq 20); do sleep 0.1; done; [ \"$(state)\" = \"$before\" ]\n"
            "do :; done", 120)

    def assert_no_wake_ups(self, process):
        """Asserts that a process at rest makes no system call for ten seconds.

        Calls that read the clock do not count: strace makes each thread wait anew, and some read the clock for that.
        This is a system call only where the kernel does not trust the processor's counter, as on a busy host.
        """
        self.wait_until_at_rest(process)
        self.guest.check(
            f"rm -f rest.trace; strace -f -tt -e 'trace=!%clock' -o rest.trace -p {process} 2>strace.log &\n"
            f"tracer=$!; while grep -q '^TracerPid:.0$' /proc/{process}/task/*/status; do sleep 0.1; done\n"
            "sleep 10; kill $tracer; wait $tracer; true", 120)
        lines = (self.guest.exchange / "rest.trace").read_text().splitlines()
        self.assertGreater(len(lines), 0)
        # The calls in which threads wait began before strace came: they show as unfinished, or when it goes.
        woken = [line for line in lines if not re.search(r"<(unfinished|detached) \.\.\.>|strace: Process$", line)]
        self.assertEqual(woken, [])

    def plug(self, keyboard):
        """Puts a keyboard in and waits until the guest has its node."""
        self.guest.plug(keyboard)
        self.node(keyboard)

    def node(self, keyboard):
        """The node of a keyboard in the guest, waiting for it."""
        return self.guest.check(
            "while true; do for n in /sys/class/input/event*; do\n"
            f"[ \"$(cat $n/device/uniq 2>/dev/null)\" = SN-{keyboard} ] && "
            f"[ -e /dev/input/${{n##*/}} ] && echo /dev/input/${{n##*/}} && exit 0\n"
            "done; sleep 0.1; done", 90).strip()

    def node_of_phys(self, phys):
        """The node of a virtual keyboard, by its port."""
        return self.guest.check(
            f"for n in /sys/class/input/event*; do [ \"$(cat $n/device/phys)\" = {phys} ] && "
            "echo /dev/input/${n##*/}; done; true").strip()
