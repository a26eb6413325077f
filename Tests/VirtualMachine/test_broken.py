"""Scans broken by a pause, a held key or a stopped reader: each is read whole or rejected."""

import random
import signal

from daemon import is_part_in_order, reasons, texts
from keys import events as key_events
from scenario import K1, Scenario

# The long recovery keeps a broken scan broken until its Enter, however long the host suspends the guest.
QUICK = {"idle_timeout": "1500ms", "recovery": "120s"}
NINE, ENTER = 10, 28


def keys_of(code):
    """Returns the keys that type digits, followed by Enter."""
    return [2 + "1234567890".index(digit) for digit in code] + [ENTER]


class Broken(Scenario):

    def scanner(self, **settings):
        """Starts a daemon with one virtual scanner."""
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        scanner = {"name": "v", "match": {"phys": "v/1"}, **QUICK, **settings}
        return keyboards, self.run_daemon(scanner)

    def test_a_stall_of_two_seconds_inside_a_scan_gives_no_shorter_code(self):
        keyboards, program = self.scanner()
        keyboards.all_at_once(
            {"do": "tap", "name": "v", "keys": keys_of("50043")[:-1]},
            {"do": "sleep", "seconds": 2.1},
            {"do": "type", "name": "v", "texts": ["12345670", "96385074"], "gap": 0, "reader": program.pid})
        events = program.wait_for(lambda found: "96385074" in texts(found))
        self.assertEqual((texts(events), reasons(events)), (["96385074"], ["idle"]))

    def test_what_follows_a_pause_is_no_scan(self):
        keyboards, program = self.scanner(idle_timeout="5s")
        keyboards.all_at_once(
            {"do": "tap", "name": "v", "keys": keys_of("40063")[:-1]},
            {"do": "sleep", "seconds": 5.2},
            {"do": "type", "name": "v", "texts": ["96385074", "12345670"], "gap": 0, "reader": program.pid})
        events = program.wait_for_type("scan")
        self.assertEqual((texts(events), reasons(events)), (["12345670"], ["idle"]))

    def test_what_follows_a_key_that_was_held_is_no_scan(self):
        program = self.run_daemon({**K1, **QUICK, "idle_timeout": "5s"})
        self.guest.type("k1", "4002", enter=False)
        self.guest.send("k1", [("9", True)])
        # The kernel repeats the key in the meantime. The guest measures the time, because the host may suspend it.
        self.virtual_keyboards().all_at_once(
            {"do": "wait for key", "node": self.node("k1"), "key": NINE}, {"do": "sleep", "seconds": 5.1})
        self.guest.send("k1", [("9", False)])
        self.guest.type("k1", "12345670")
        self.guest.send("k1", list(key_events("96385\n")))
        events = program.wait_for_type("scan")
        self.assertEqual((texts(events), reasons(events)), (["96385"], ["idle"]))

    def test_whatever_stalls_a_scan_comes_out_whole_or_not_at_all(self):
        keyboards, program = self.scanner(idle_timeout="500ms", recovery="2s")
        chance = random.Random(1)
        torn = scanned = 0
        for number in range(25):
            codes = [f"{chance.randrange(10 ** 12, 10 ** 13)}" for _ in range(6)]
            commands = self.typing(codes, program.pid, chance)
            keyboards.all_at_once(
                # The daemon notices the loss before the quiet period begins.
                *commands, {"do": "wait until read", "process": program.pid}, {"do": "sleep", "seconds": 2.3},
                {"do": "tap", "name": "v", "keys": keys_of("77")})
            events = program.wait_for(lambda found: "77" in texts(found))
            *came, last = texts(events)
            told = f"round {number}: {codes}, {commands}, {events}"
            self.assertEqual(last, "77", told)
            self.assertTrue(is_part_in_order(came, codes), told)
            torn += reasons(events).count("torn")
            scanned += len(came)
        # Unless both have happened, the test proves nothing.
        self.assertGreater(torn, 5)
        self.assertGreater(scanned, 25)

    def typing(self, codes, process, chance):
        """Returns commands that type codes with pauses in them, and stop the reader now and then."""
        commands, stopped = [], False
        for key in [key for code in codes for key in keys_of(code)]:
            what = chance.random()
            if what < 0.02:
                commands.append({"do": "sleep", "seconds": chance.uniform(0.05, 1.5)})
            elif what < 0.06 or stopped and what < 0.1:
                number = signal.SIGCONT if stopped else signal.SIGSTOP
                commands.append({"do": "signal", "process": process, "signal": number})
                stopped = not stopped
            if commands and commands[-1]["do"] == "tap":
                commands[-1]["keys"].append(key)
            else:
                commands.append({"do": "tap", "name": "v", "keys": [key]})
        return commands + [{"do": "signal", "process": process, "signal": signal.SIGCONT}]
