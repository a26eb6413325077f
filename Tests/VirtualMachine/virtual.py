"""Virtual keyboards in the guest, as the host commands them."""

import json

from script import Script


class VirtualKeyboards:
    """Keyboards through uinput, in any number, typing as fast as the guest can."""

    HONEYWELL = 0x0C2E

    def __init__(self, machine):
        self._machine = machine
        self._script = Script.of(machine, "guest_keyboards", "guest_gadget")

    def create(self, name, label="Virtual", vendor=HONEYWELL, product=1, phys=None, **more):
        """Plugs in a keyboard."""
        self._do(do="create", name=name, label=label, vendor=vendor, product=product,
                 phys=phys, **more)

    def plug(self, name, serial, vendor=HONEYWELL, product=1):
        """Plugs in one on an emulated USB port, with a serial number and LEDs."""
        self._do(do="plug", name=name, serial=serial, vendor=vendor, product=product)

    def wait_for_caps_lock(self, name, is_on):
        """Waits until the LED of one with a serial number is on, or off."""
        self._do(do="wait for caps lock", name=name, is_on=is_on)

    def type(self, name, *texts, gap=0.0, reader=None):
        """Types digits, or letters too on one with LEDs; each text with Enter.

        With `reader`, the number of the daemon's process, each text waits until the daemon has read the one before. The
        kernel's buffer holds one scan, so a busy host, which stalls the reader, then tears none.
        """
        self._do(do="type", name=name, texts=texts, gap=gap, reader=reader)

    def send(self, name, *events):
        """Sends (type, code, value) events as one group."""
        self._do(do="send", name=name, events=events)

    def wait_until_read(self, process):
        """Waits until the daemon has read what was typed, on the USB keyboards too.

        There it may still have to read the last key's release.
        """
        self._machine.key_queue.wait_until_read()
        self._do(**{"do": "wait until read", "process": process})

    def remove(self, name):
        """Pulls out a keyboard."""
        self._do(do="remove", name=name)

    def close(self):
        """Pulls out all keyboards."""
        self._do(do="remove all")

    def all_at_once(self, *commands):
        """Runs commands (see guest_keyboards.py) without a pause for the host between them."""
        self._script.obey(*map(json.dumps, commands))

    def _do(self, **command):
        self.all_at_once(command)
