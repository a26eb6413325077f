"""Controls the guest's virtual keyboards from the host."""

import json

from script import Script


class VirtualKeyboards:
    """Any number of uinput keyboards, which type as fast as the guest can."""

    HONEYWELL = 0x0C2E

    def __init__(self, machine):
        self._machine = machine
        self._script = Script.of(machine, "guest_keyboards", "guest_gadget")

    def create(self, name, label="Virtual", vendor=HONEYWELL, product=1, phys=None, **more):
        """Plugs in a keyboard."""
        self._do(do="create", name=name, label=label, vendor=vendor, product=product,
                 phys=phys, **more)

    def plug(self, name, serial, vendor=HONEYWELL, product=1):
        """Plugs in a keyboard with a serial number and LEDs on an emulated USB port."""
        self._do(do="plug", name=name, serial=serial, vendor=vendor, product=product)

    def wait_for_caps_lock(self, name, is_on):
        """Waits until the Caps Lock LED of a keyboard from `plug` is on or off."""
        self._do(do="wait for caps lock", name=name, is_on=is_on)

    def type(self, name, *texts, gap=0.0, reader=None):
        """Types texts of digits, with Enter after each; a keyboard from `plug` also types letters.

        If `reader`, the daemon's process ID, is given, each text waits until the daemon has read the previous one. The
        kernel's buffer holds one scan, so even a host that stalls the reader then tears no scan.
        """
        self._do(do="type", name=name, texts=texts, gap=gap, reader=reader)

    def send(self, name, *events):
        """Sends (type, code, value) events as one group."""
        self._do(do="send", name=name, events=events)

    def wait_until_read(self, process):
        """Waits until the daemon has read all typed keys, including those of the USB keyboards.

        On a USB keyboard, it may still have to read the last key's release.
        """
        self._machine.key_queue.wait_until_read()
        self._do(**{"do": "wait until read", "process": process})

    def remove(self, name):
        """Unplugs a keyboard."""
        self._do(do="remove", name=name)

    def close(self):
        """Unplugs all keyboards."""
        self._do(do="remove all")

    def all_at_once(self, *commands):
        """Runs commands of guest_keyboards.py without waiting for the host in between."""
        self._script.obey(*map(json.dumps, commands))

    def _do(self, **command):
        self.all_at_once(command)
