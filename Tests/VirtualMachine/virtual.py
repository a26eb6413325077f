"""Virtual keyboards in the guest, as the host commands them."""

import json
import pathlib
import shutil

from machine import GuestError

HERE = pathlib.Path(__file__).resolve().parent


class VirtualKeyboards:
    """Keyboards through uinput, in any number, typing as fast as the guest can."""

    HONEYWELL = 0x0C2E

    def __init__(self, machine):
        self._machine = machine
        for name in ("guest_keyboards.py", "guest_gadget.py"):
            shutil.copy(HERE / name, machine.exchange)
        machine.check(
            "rm -f /run/keyboards.in; mkfifo /run/keyboards.in; rm -f /run/keyboards.out\n"
            "(sleep 100000 >/run/keyboards.in & echo $! >/run/keyboards.pid)\n"
            "python3 guest_keyboards.py </run/keyboards.in >/run/keyboards.out 2>&1 &\n"
            "while ! grep -q ready /run/keyboards.out; do sleep 0.1; done")
        self._answers = 1
        self._names = []

    def create(self, name, label="Virtual", vendor=HONEYWELL, product=1, phys=None, **more):
        """Plugs in a keyboard."""
        self._do(do="create", name=name, label=label, vendor=vendor, product=product,
                 phys=phys, **more)
        self._names.append(name)

    def plug(self, name, serial, vendor=HONEYWELL, product=1):
        """Plugs in one on an emulated USB port, with a serial number and LEDs."""
        self._do(do="plug", name=name, serial=serial, vendor=vendor, product=product)
        self._names.append(name)

    def wait_for_caps_lock(self, name, is_on):
        """Waits until the LED of one with a serial number is on, or off."""
        self._do(do="wait for caps lock", name=name, is_on=is_on)

    def type(self, name, *texts, gap=0.0):
        """Types digits, or letters too on one with LEDs; each text with Enter."""
        self._do(do="type", name=name, texts=texts, gap=gap)

    def send(self, name, *events):
        """Sends (type, code, value) events as one group."""
        self._do(do="send", name=name, events=events)

    def race(self, texts):
        """Types on several at once: texts by name."""
        self._do(do="race", texts=texts)

    def remove(self, name):
        """Pulls out a keyboard."""
        self._do(do="remove", name=name)
        self._names.remove(name)

    def close(self):
        """Pulls out all keyboards and ends the script."""
        for name in list(self._names):
            self.remove(name)
        self._machine.run("kill $(cat /run/keyboards.pid)")

    def all_at_once(self, *commands):
        """Runs commands (see guest_keyboards.py) without a pause for the host between them."""
        self._answers += len(commands)
        lines = "\n".join(json.dumps(command) for command in commands)
        output = self._machine.check(
            f"cat >/run/keyboards.in <<'END'\n{lines}\nEND\n"
            f"while [ $(wc -l </run/keyboards.out) -lt {self._answers} ]; do sleep 0.02; done\n"
            f"tail -n {len(commands)} /run/keyboards.out", seconds=180)
        if "failed" in output:
            raise GuestError(output)

    def _do(self, **command):
        self.all_at_once(command)
