"""Scans for a long time on seven scanners with three interfaces, with lost data and unplugged scanners."""

import collections
import os
import random
import signal
import threading
import time
import unittest

import soak
from daemon import of_type, reasons, texts
from gadgets import Gadgets
from hid_reports import HONEYWELL
from scenario import K1, K2, Scenario

MINUTES = float(os.environ.get("KEYWEDGE_SOAK_MINUTES", "0"))
VIRTUAL = ("v0", "v1", "v2")
# The scanners that are not keyboards, with the arguments that plug in each.
OTHERS = {"hid": ("hid", HONEYWELL), "port": ("acm",)}
# The seconds between two key events of all virtual scanners together.
GAP = 0.002
# How many kinds of batches there are.
KINDS = 5
# In seconds; longer than the pauses that a busy host causes.
RECOVERY = 5
# After each batch, all scanners are quiet for this long, so that every broken scan has ended.
REST = RECOVERY + 0.3
# QEMU's names for the keys.
QEMU_KEYS = {soak.CAPS: "caps_lock", soak.SHIFT: "shift", soak.ENTER: "ret"}
QEMU_KEYS |= {
    key: {"-": "minus", "=": "equal", ";": "semicolon", "/": "slash", ".": "dot"}.get(name, name)
    for name, key in soak.PLAIN.items()}


@unittest.skipUnless(MINUTES, "KEYWEDGE_SOAK_MINUTES is not set: make soak sets it")
class Soak(Scenario):

    def test_nothing_wrong_comes_and_nothing_is_missing_that_is_not_told(self):
        self.seed = random.randrange(1_000_000)
        chance = random.Random(self.seed)
        self.codes = soak.Codes(chance)
        self.sent = {name: [] for name in ("k1", "k2", *VIRTUAL, *OTHERS)}
        self.keyboards = self.virtual_keyboards()
        for name in VIRTUAL:
            self.keyboards.create(name, phys=f"{name}/1")
        virtual = ({"name": name, "match": {"phys": f"{name}/1"}} for name in VIRTUAL)
        self.gadgets = Gadgets(self.guest)
        self.addCleanup(self.gadgets.close)
        for name, what in OTHERS.items():
            self.gadgets.plug(name, *what)
        hid = {"name": "hid", "match": {"uniq": "SN-hid", "interface": "hid-pos"}}
        port = {"name": "port", "match": {"uniq": "SN-port", "interface": "serial"}}
        self.program = self.run_daemon(
            *({**scanner, "idle_timeout": f"{RECOVERY}s", "recovery": f"{RECOVERY}s"}
              for scanner in (K1, K2, *virtual, hid, port)))
        events = self.type_until(time.monotonic() + MINUTES * 60, chance)
        self.check(events + self.last_scans())

    def type_until(self, end, chance):
        """Types on all scanners until the time `end`, and returns the events that have arrived."""
        lock, run = threading.Lock(), self.guest.run

        def one_at_a_time(*arguments):
            with lock:
                return run(*arguments)

        # One thread types on and unplugs the USB keyboards, and another runs the scripts in the guest.
        self.guest.run = one_at_a_time
        self.failure = None
        usb = threading.Thread(target=self.type_on_usb, args=(end, random.Random(chance.random())))
        usb.start()
        events = []
        try:
            number = 0
            while self.failure is None and (time.monotonic() < end or number < KINDS):
                self.gadgets.begin(*self.others_batch(number, chance))
                self.keyboards.all_at_once(*self.batch(number, chance))
                self.gadgets.finish()
                self.guest.check(f"sleep {REST}")
                events += self.program.events()
                number += 1
        finally:
            usb.join()
            del self.guest.run
        if self.failure is not None:
            raise self.failure
        return events

    def batch(self, number, chance):
        """Returns commands that type some scans on each virtual scanner, alternating between the scanners.

        In one of five batches the reader is stopped, and in two a scanner is unplugged.
        """
        streams = {name: [] for name in VIRTUAL}
        for name, stream in streams.items():
            for _ in range(10):
                sent = soak.Sent(self.codes.next())
                self.sent[name].append(sent)
                stream += soak.keystrokes(sent.text, caps=chance.random() < 0.2)
        steps = []
        while any(streams.values()):
            name = chance.choice([name for name, stream in streams.items() if stream])
            count = chance.randrange(1, 12)
            steps += [(name, *key) for key in streams[name][:count]]
            streams[name] = streams[name][count:]
        commands = [{"do": "play", "steps": steps, "gap": GAP}]
        match number % KINDS:
            case 0: commands = self.with_a_reader_that_stands_still(steps, chance)
            case 1 | 3: commands += self.pulled_plug(chance.choice(VIRTUAL), chance)
        return commands

    def others_batch(self, number, chance):
        """Returns commands that scan in turn with the scanners in OTHERS, and sometimes unplug one of them."""
        commands = []
        # While the reader is stopped, sends more than the kernel keeps.
        for _ in range(100 if number % KINDS == 0 else 10):
            for name, sent in self.sent.items():
                if name in OTHERS:
                    sent.append(soak.Sent(self.codes.next()))
                    commands.append(("send", name, GAP, *soak.messages(name, sent[-1].text, chance)))
        if name := {2: "hid", 4: "port"}.get(number % KINDS):
            torn = soak.Sent(self.codes.next(), is_whole=False)
            self.sent[name].append(torn)
            *parts, _ = soak.messages(name, torn.text, chance)
            commands += [
                ("send", name, GAP, *parts), ("unplug", name), ("plug", name, "0x0c2e", "0x0b61", *OTHERS[name])]
        return commands

    def with_a_reader_that_stands_still(self, steps, chance):
        """Returns commands that stop the reader while each keyboard types more than the kernel's 64 events."""
        start = chance.randrange(len(steps) // 2)
        end = start + chance.randrange(300, 600)
        parts = steps[:start], steps[start:end], steps[end:]
        play = [{"do": "play", "steps": part, "gap": GAP} for part in parts]
        stop, go = ({"do": "signal", "process": self.program.pid, "signal": number}
                    for number in (signal.SIGSTOP, signal.SIGCONT))
        return [play[0], stop, play[1], go, play[2]]

    def pulled_plug(self, name, chance):
        """Returns commands that unplug a scanner in the middle of a scan, and plug it in again."""
        sent = soak.Sent(self.codes.next(), is_whole=False)
        self.sent[name].append(sent)
        keys = list(soak.keystrokes(sent.text, caps=chance.random() < 0.2))
        part = keys[:chance.randrange(6, 2 * len(sent.text) - 2)]
        return [
            {"do": "play", "steps": [(name, *key) for key in part], "gap": GAP},
            {"do": "sleep", "seconds": 0.05}, {"do": "remove", "name": name},
            {"do": "create", "name": name, "label": "Virtual", "vendor": 0x0C2E, "product": 1,
             "phys": f"{name}/1"},
        ]

    def type_on_usb(self, end, chance):
        """Types on the USB keyboards in turn, and sometimes unplugs one."""
        try:
            while time.monotonic() < end:
                for name in ("k1", "k2"):
                    sent = soak.Sent(self.codes.next(), is_whole=chance.random() > 0.1)
                    self.sent[name].append(sent)
                    keys = list(soak.keystrokes(sent.text, caps=chance.random() < 0.2))
                    if not sent.is_whole:
                        keys = keys[:chance.randrange(6, 2 * len(sent.text) - 2)]
                    for key, value in keys:
                        self.guest.send(name, [(QEMU_KEYS[key], bool(value))])
                        time.sleep(0.004)
                    if not sent.is_whole:
                        time.sleep(0.05)
                        self.guest.unplug(name)
                        self.plug(name)
        except BaseException as failure:
            self.failure = failure

    def last_scans(self):
        """Scans once more with each scanner, after all have been quiet for longer than the recovery."""
        self.guest.check(f"sleep {RECOVERY + 1}")
        for name, all_sent in self.sent.items():
            sent = soak.Sent(self.codes.next())
            all_sent.append(sent)
            if name in OTHERS:
                self.gadgets.tool("send", name, GAP, *soak.messages(name, sent.text, random))
            elif name in VIRTUAL:
                steps = [(name, *key) for key in soak.keystrokes(sent.text, caps=False)]
                self.keyboards.all_at_once({"do": "play", "steps": steps, "gap": GAP})
            else:
                for key, value in soak.keystrokes(sent.text, caps=False):
                    self.guest.send(name, [(QEMU_KEYS[key], bool(value))])
                    time.sleep(0.004)
        last = {all_sent[-1].text for all_sent in self.sent.values()}
        events, deadline = [], time.monotonic() + 120
        while not last <= set(texts(events)) and time.monotonic() < deadline:
            time.sleep(0.1)
            events += self.program.events()
        return events

    def state(self, events):
        """Describes the scanners in the guest, the program's log and the last events, for an error message."""
        nodes = self.guest.check(
            "for n in /sys/class/input/event*; do echo ${n##*/} $(cat $n/device/uniq"
            " $n/device/phys) $(ls /dev/input/${n##*/} 2>&1); done")
        kernel = self.guest.check("dmesg | tail -n 30")
        # The fdinfo entry of the epoll instance lists the watched descriptors.
        files = self.guest.run(
            f"cd /proc/{self.program.pid}; ls -l fd; for n in fd/*; do "
            "case $(readlink $n) in *eventpoll*) cat fdinfo/${n#fd/};; esac; done").output
        came = [
            (event["type"].removeprefix("keywedge."), event["data"].get("text"),
             event["data"].get("reason"), event["data"].get("started_at"))
            for event in events[-20:]]
        return (
            f"nodes:\n{nodes}log:\n{self.program.log[-2000:]}\nkernel:\n{kernel}"
            f"files:\n{files}last events: {came}")

    def check(self, events):
        """Checks the received events against the sent codes, and checks that damaged events would be found."""
        by_scanner = {
            name: [event for event in events if event["data"]["scanner"]["name"] == name]
            for name in self.sent}
        for name, sent in self.sent.items():
            self.assertEqual(
                soak.complaints(sent, by_scanner[name]), [],
                f"{name}, seed {self.seed}; {self.state(by_scanner[name])}")
            for fault in soak.damaged(by_scanner[name]):
                self.assertNotEqual(soak.complaints(sent, fault), [], "a fault was not found")
        came, lost = len(texts(events)), collections.Counter(reasons(events))
        unplugged = len(of_type(events, "scanner.disconnected"))
        counts = ", ".join(
            f"{len(texts(events, name))} of {len(sent)} of {name}"
            for name, sent in self.sent.items())
        print(f"arrived: {counts}; rejected: {dict(lost)}; {unplugged} pulled plugs", flush=True)
        # Unless all of this has happened, the test proves nothing.
        self.assertGreater(came, 10)
        self.assertGreater(lost["torn"], 0)
        self.assertGreater(unplugged, 0)
