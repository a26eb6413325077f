"""The keyboards' queues of key events in QEMU, of 16 places each, kept from overflowing.

What finds no room is lost without a word. A lost key-up is the worst of it: the key's next press
changes nothing for the guest, and a scan lacks a character that was never sent.
"""

import time

PLACES = 16
TRACES = ["hid_kbd_queue_full", "hid_kbd_queue_empty"]


class Overflow(Exception):
    """An emulated keyboard lost keys: the scenario proves nothing."""


class KeyQueue:
    """What QEMU's log tells of the queues; it does not say which of several keyboards it means."""

    LONGEST_WAIT = 60

    def __init__(self, log):
        self._log = log
        self._read = 0
        self._rest = b""
        self._waiting = 0

    def make_room(self, count):
        """Waits until `count` more events fit, with some room to spare for the other keyboards."""
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
        """A keyboard went, and what it had not sent with it."""
        self._waiting = 0

    def check(self):
        """Looks whether keys were lost."""
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
