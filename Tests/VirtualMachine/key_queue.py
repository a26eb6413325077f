"""Keeps QEMU's keyboard queues from overflowing; each holds 16 key events.

QEMU silently drops events that do not fit. A lost key release is the worst: the key's next press changes
nothing for the guest, because the key already counts as down, and the scan lacks a character.
"""

import time

PLACES = 16
TRACES = ["hid_kbd_queue_full", "hid_kbd_queue_empty"]


class Overflow(Exception):
    """An emulated keyboard lost keys, so the scenario proves nothing."""


class KeyQueue:
    """Follows the state of the queues in QEMU's log, which does not distinguish between keyboards."""

    LONGEST_WAIT = 60

    def __init__(self, log):
        self._log = log
        self._read = 0
        self._rest = b""
        self._waiting = 0

    def make_room(self, count):
        """Waits until `count` more events fit, and some for the other keyboards."""
        if self._waiting + count > PLACES * 3 // 4:
            self.wait_until_read()
        self._follow()
        self._waiting += count

    def wait_until_read(self):
        """Waits until the guest has read all events; it may still have to read the last one."""
        deadline = time.monotonic() + self.LONGEST_WAIT
        while self._waiting:
            if time.monotonic() > deadline:
                raise Overflow("the guest does not read its keyboard")
            time.sleep(0.001)
            self._follow()

    def forget(self):
        """Records that a keyboard was unplugged, together with its unsent events."""
        self._waiting = 0

    def check(self):
        """Raises `Overflow` if keys were lost."""
        if self._log.exists():
            self._follow()

    def _follow(self):
        with open(self._log, "rb") as log:
            log.seek(self._read)
            more = log.read()
        self._read += len(more)
        *lines, self._rest = (self._rest + more).split(b"\n")
        for line in lines:
            if b"hid_kbd_queue_full" in line:
                raise Overflow("an emulated keyboard lost keys; the scenario proves nothing")
            if b"hid_kbd_queue_empty" in line:
                self._waiting = 0
