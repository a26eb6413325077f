"""Keys the kernel threw away because nobody read them in time."""

import signal

from daemon import reasons, texts
from scenario import K1, Scenario

CODE = "4006381333931"


class LostKeys(Scenario):

    def test_stopped_at_any_point_of_a_scan_gives_no_wrong_code(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        program = self.run_daemon(wait=1)
        torn = 0
        for point in range(len(CODE) + 2):
            torn += self._sweep(program, keyboards, point)
        self.assertGreater(torn, len(CODE))

    def _sweep(self, program, keyboards, point):
        """Types `point` keys, stops the process, types far more than the kernel keeps, goes on."""
        keys = [2 + "1234567890".index(digit) for digit in CODE] + [28]
        shift_down, shift_up = ({"do": "send", "name": "v", "events": [(1, 42, value)]}
                                for value in (1, 0))
        keyboards.all_at_once(
            {"do": "tap", "name": "v", "keys": keys[:point]},
            {"do": "sleep", "seconds": 0.05},
            {"do": "signal", "process": program.pid, "signal": signal.SIGSTOP},
            {"do": "tap", "name": "v", "keys": keys[point:] + keys * 3},
            # Shift goes down and its coming up is lost: nothing of it may remain.
            shift_down,
            {"do": "tap", "name": "v", "keys": keys * 3 + keys[:point]},
            shift_up,
            {"do": "signal", "process": program.pid, "signal": signal.SIGCONT},
            {"do": "tap", "name": "v", "keys": keys[point:]},
            # Until the scanner has been quiet for its recovery time.
            {"do": "sleep", "seconds": 2.3},
            {"do": "tap", "name": "v", "keys": keys})
        events = program.wait_for(lambda found: CODE in texts(found)[-1:])
        self.assertEqual(set(texts(events)), {CODE}, f"{point}: {events}")
        return reasons(events).count("torn")

    def test_a_real_usb_keyboard_typing_into_a_stopped_process(self):
        program = self.run_daemon({**K1, "idle_timeout": "3s"})
        for point in range(0, 14, 3):
            self.guest.type("k1", CODE[:point], enter=False)
            program.signal("STOP")
            self.guest.type("k1", CODE[point:])
            self.guest.type("k1", CODE)
            program.signal("CONT")
            self.guest.check("sleep 3.3")
            self.guest.type("k1", CODE)
            events = program.wait_for(lambda found: CODE in texts(found)[-1:])
            self.assertEqual(set(texts(events)), {CODE}, point)
