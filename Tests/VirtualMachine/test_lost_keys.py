"""Keys that the kernel discards because the daemon does not read them in time."""

import random
import signal

from daemon import is_part_in_order, reasons, texts
from scenario import K1, Scenario

LENGTH = 13
# Shorter than the default, so that a scenario can wait for it.
RECOVERY = {"recovery": "2s"}
ENTER, SHIFT = 28, 42
A, B, C = 30, 48, 46


def codes(count, chance):
    """Returns random codes; the head of one and the tail of another form a code that was never sent.

    They begin with 9, because other digits may start a payment card number, whose text no event contains.
    """
    return [f"{chance.randrange(9 * 10 ** 12, 10 ** 13)}" for _ in range(count)]


def keys_of(*texts):
    """Returns the keys that type digits, with Enter after each text."""
    return [key for text in texts for key in [2 + "1234567890".index(c) for c in text] + [28]]


class LostKeys(Scenario):

    def test_stopped_at_any_point_of_a_scan_gives_no_wrong_code(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        program = self.run_daemon({"name": "any", **RECOVERY}, wait=1)
        chance = random.Random(1)
        torn = 0
        for point in range(LENGTH + 2):
            sent, events = self._sweep(program, keyboards, point, codes(9, chance))
            told = f"point {point}: {sent}, {events}"
            self.assertTrue(is_part_in_order(texts(events), sent), told)
            torn += reasons(events).count("torn")
        self.assertGreater(torn, LENGTH)

    def _sweep(self, program, keyboards, point, sent):
        """Types `point` keys, stops the process, types far more than the kernel keeps, and resumes the process."""
        keys = keys_of(*sent[:7])
        end = keys_of(sent[7])
        shift_down, shift_up = ({"do": "send", "name": "v", "events": [(1, 42, value)]}
                                for value in (1, 0))
        keyboards.all_at_once(
            {"do": "tap", "name": "v", "keys": keys[:point]},
            {"do": "sleep", "seconds": 0.05},
            {"do": "signal", "process": program.pid, "signal": signal.SIGSTOP},
            {"do": "tap", "name": "v", "keys": keys[point:len(keys_of(*sent[:4]))]},
            # The release of Shift is lost, but no later key may be shifted.
            shift_down,
            {"do": "tap", "name": "v", "keys": keys[len(keys_of(*sent[:4])):] + end[:point]},
            shift_up,
            {"do": "signal", "process": program.pid, "signal": signal.SIGCONT},
            {"do": "tap", "name": "v", "keys": end[point:]},
            # Waits longer than the scanner's recovery after the daemon has noticed the loss.
            {"do": "wait until read", "process": program.pid},
            {"do": "sleep", "seconds": 2.3},
            {"do": "tap", "name": "v", "keys": keys_of(sent[8])})
        return sent, program.wait_for(lambda found: sent[8] in texts(found))

    def test_typed_all_the_while_that_nobody_read_is_no_pause(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        program = self.run_daemon({"name": "any", **RECOVERY}, wait=1)
        lost, cut, last = "1234567890123456", "4006381333931", "12345670"
        slow = keys_of(cut)[:11]
        keyboards.all_at_once(
            {"do": "signal", "process": program.pid, "signal": signal.SIGSTOP},
            # First more keys than the kernel keeps; then keys that it keeps, for longer than the recovery.
            {"do": "tap", "name": "v", "keys": keys_of(lost)},
            {"do": "play", "gap": 0.12, "steps": [
                ("v", key, value) for key in slow for value in (1, 0)]},
            {"do": "signal", "process": program.pid, "signal": signal.SIGCONT},
            {"do": "wait until read", "process": program.pid},
            {"do": "tap", "name": "v", "keys": keys_of(cut)[11:]},
            {"do": "wait until read", "process": program.pid},
            {"do": "sleep", "seconds": 2.3},
            {"do": "tap", "name": "v", "keys": keys_of(last)})
        events = program.wait_for(lambda found: last in texts(found))
        self.assertEqual((texts(events), reasons(events)), ([last], ["torn"]))

    def test_a_shift_held_while_keys_are_lost_still_makes_capitals_after_it(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        program = self.run_daemon(wait=1)
        is_read = {"do": "wait until read", "process": program.pid}
        keyboards.all_at_once(
            {"do": "send", "name": "v", "events": [(1, SHIFT, 1)]},
            {"do": "tap", "name": "v", "keys": [A]},
            is_read,
            {"do": "signal", "process": program.pid, "signal": signal.SIGSTOP},
            {"do": "tap", "name": "v", "keys": keys_of("1234567890123456")[:-1]},
            {"do": "signal", "process": program.pid, "signal": signal.SIGCONT},
            is_read,
            {"do": "tap", "name": "v", "keys": [B, ENTER]},
            is_read,
            {"do": "tap", "name": "v", "keys": [C, ENTER]},
            {"do": "send", "name": "v", "events": [(1, SHIFT, 0)]},
            {"do": "tap", "name": "v", "keys": [C, ENTER]})
        events = program.wait_for_type("scan", 2)
        self.assertEqual((texts(events), reasons(events)), (["C", "c"], ["torn"]))

    def test_a_real_usb_keyboard_typing_into_a_stopped_process(self):
        program = self.run_daemon({**K1, "idle_timeout": "10s", "recovery": "10s"})
        chance = random.Random(1)
        torn = 0
        for point in range(0, LENGTH + 1, 3):
            first, second, third = codes(3, chance)
            self.guest.type("k1", first[:point], enter=False)
            program.signal("STOP")
            self.guest.type("k1", first[point:])
            self.guest.type("k1", second)
            self.guest.key_queue.wait_until_read()
            program.signal("CONT")
            # The broken scan ends with its Enter or with the recovery, however late the daemon reads.
            events = program.wait_for_type("scan.rejected")
            self.guest.type("k1", third)
            events += program.wait_for(lambda found: third in texts(found))
            self.assertTrue(is_part_in_order(texts(events), [first, second, third]), events)
            torn += reasons(events).count("torn")
        self.assertGreater(torn, 3)
