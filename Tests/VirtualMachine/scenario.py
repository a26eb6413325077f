"""The base of all scenarios: a shared guest, the program under test, and the cleanup."""

import json
import os
import re
import unittest

import console
import daemon
import machine
import virtual

PROGRAM = os.environ.get("KEYWEDGE_PROGRAM", "")
# A busy host may suspend the guest, and the typing in it, for longer than a real scanner pauses.
IDLE = "30s"
# For scenarios in which a pause ends a scan, or which set `recovery`, which must not be shorter than this.
SHORT_IDLE = "1500ms"
K1 = {"name": "k1", "match": {"uniq": "SN-k1"}}
K2 = {"name": "k2", "match": {"uniq": "SN-k2"}}


class Shared:
    """The guest that the scenarios share; it boots once, and again after a scenario has broken it.

    Only one guest exists at a time; a request for a guest with other properties replaces it.
    """

    machine = None
    properties = None

    @classmethod
    def get(cls, **properties):
        """Returns the running guest; boots one if necessary."""
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
        """Stops the guest."""
        if cls.machine is not None:
            cls.machine.stop()
            cls.machine = None


class Scenario(unittest.TestCase):
    """A test in the guest; its cleanup ends all its processes and plugs in both keyboards."""

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
        """Starts the program with a configuration, and waits until `wait` scanners are connected."""
        # Settings without a `match` are for scanners that are found automatically.
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
        """Returns the output of `keywedge devices`, by node."""
        lines = self.guest.check(
            f"{PROGRAM} devices --format json --config {configuration}").splitlines()
        return {device["node"]: device for device in map(json.loads, lines)}

    def virtual_keyboards(self):
        """Returns virtual keyboards that are removed after the test."""
        keyboards = virtual.VirtualKeyboards(self.guest)
        self.addCleanup(keyboards.close)
        return keyboards

    def console(self):
        """Returns a reader of the guest's console, which is closed after the test."""
        reader = console.Console(self.guest)
        self.addCleanup(reader.close)
        return reader

    def unplug(self, keyboard):
        """Unplugs a keyboard, and waits until its node in the guest is gone."""
        self.guest.unplug(keyboard)
        self.guest.check(
            f"while cat /sys/class/input/event*/device/uniq 2>/dev/null | grep -qx SN-{keyboard}\n"
            "do sleep 0.1; done")

    def wait_until_at_rest(self, process):
        """Waits until no thread of a process has run during two seconds in which the guest was running."""
        self.guest.check(
            f"state() {{ cat /proc/{process}/task/*/status | grep -e ^State -e ctxt; }}\n"
            "until before=$(state); for i in $(seq 20); do sleep 0.1; done; [ \"$(state)\" = \"$before\" ]\n"
            "do :; done")

    def assert_no_wake_ups(self, process):
        """Asserts that a process at rest makes no system call for ten seconds.

        Calls that read the clock do not count: strace interrupts each thread's wait, and some threads read the clock
        before they wait again. That is a system call only if the kernel distrusts the TSC, as on a busy host.
        """
        self.wait_until_at_rest(process)
        self.guest.check(
            f"rm -f rest.trace; strace -f -tt -e 'trace=!%clock' -o rest.trace -p {process} 2>strace.log &\n"
            f"tracer=$!; while kill -0 $tracer && grep -q '^TracerPid:.0$' /proc/{process}/task/*/status; do sleep 0.1; done\n"
            "sleep 10; kill $tracer; wait $tracer; true")
        lines = (self.guest.exchange / "rest.trace").read_text().splitlines()
        self.assertGreater(len(lines), 0)
        # The calls in which threads wait began before strace attached; they appear as unfinished, or when it detaches.
        woken = [line for line in lines if not re.search(r"<(unfinished|detached) \.\.\.>|strace: Process$", line)]
        self.assertEqual(woken, [])

    def plug(self, keyboard):
        """Plugs in a keyboard, and waits until its node exists in the guest."""
        self.guest.plug(keyboard)
        self.node(keyboard)

    def node(self, keyboard):
        """Waits until a keyboard's node exists in the guest, and returns it."""
        return self.guest.check(
            "while true; do for n in /sys/class/input/event*; do\n"
            f"[ \"$(cat $n/device/uniq 2>/dev/null)\" = SN-{keyboard} ] && "
            f"[ -e /dev/input/${{n##*/}} ] && echo /dev/input/${{n##*/}} && exit 0\n"
            "done; sleep 0.1; done").strip()

    def node_of_phys(self, phys):
        """Returns the node of the virtual keyboard with a given port."""
        return self.guest.check(
            f"for n in /sys/class/input/event*; do [ \"$(cat $n/device/phys)\" = {phys} ] && "
            "echo /dev/input/${n##*/}; done; true").strip()
