"""A scanner that follows its Caps Lock LED, which the console cannot set while the scanner is claimed."""

import test_handover
import test_unit
from console import NEVER, delay_repeats
from daemon import of_type, texts

FIRST = """
scanners: [{name: counter, match: {uniq: SN-k1}, idle_timeout: 30s}]
catalog: {sources: []}
listen: {socket: /run/keywedge/keywedge.sock}
journal: {file: /var/lib/keywedge/caps-lock.sqlite}
events: [{stdout: {format: json}}]
"""
BOTH = FIRST.replace(
    "scanners: [", "scanners: [{name: usb, match: {uniq: SN-usb}, idle_timeout: 30s}, ")


class CapsLock(test_handover.HandoverScenario):

    CONFIGURATION = FIRST

    def press_caps_lock(self):
        """Presses Caps Lock on the console's keyboard."""
        for is_down in (True, False):
            self.guest.send("k2", [("caps_lock", is_down)])

    def test_text_comes_in_the_right_case_whatever_caps_lock_is_on_the_console(self):
        keyboards = self.virtual_keyboards()
        keyboards.plug("usb", serial="SN-usb")
        self.press_caps_lock()
        self.addCleanup(self.press_caps_lock)
        keyboards.wait_for_caps_lock("usb", True)
        delay_repeats(self.guest, NEVER)
        # While the scanner is unclaimed, it swaps the case, and so does the console: the result is correct.
        keyboards.type("usb", "aBc123", gap=0.02)
        self.terminal.wait_for(b"aBc123\r")
        self.configure(BOTH)
        self.guest.check(f"systemctl reload {test_unit.UNIT}")
        run = self.invocation()
        self.wait_for("scanner.connected", run, 2)
        # The daemon switches the LED off, and the scanner must see this before it types.
        keyboards.wait_for_caps_lock("usb", False)
        keyboards.type("usb", "aBc123", gap=0.02)
        self.assertEqual(texts(self.wait_for("scan", run)), ["aBc123"])
        for count, text in enumerate(["dEf456", "gHi789"], 2):
            self.press_caps_lock()
            # Once the console has the next key, it has also seen Caps Lock.
            self.guest.type("k2", "1")
            self.terminal.wait_for(b"aBc123\r" + b"1\r" * (count - 1))
            keyboards.type("usb", text, gap=0.02)
            self.assertEqual(texts(self.wait_for("scan", run, count))[-1], text)
        self.assertEqual(of_type(self.events(run), "scan.rejected"), [])
