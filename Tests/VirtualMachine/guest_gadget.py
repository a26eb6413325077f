"""Runs in the guest: a USB keyboard created by Linux's gadget driver on an emulated bus (dummy_hcd).

Unlike a uinput device, it has a serial number, and a Caps Lock LED that the host side sets. Like some
scanners, it follows this LED: while Caps Lock is on, it swaps upper and lower case.
"""

import os
import pathlib
import select
import subprocess
import time

GADGETS = pathlib.Path("/sys/kernel/config/usb_gadget")
CONTROLLERS = pathlib.Path("/sys/class/udc")
MODULES = pathlib.Path("/sys/module")
# How many seconds a busy host may suspend the guest.
PATIENCE = 120
# HID 1.11, appendix B.1: eight modifiers, a reserved byte, five LEDs, six keys.
DESCRIPTOR = bytes.fromhex(
    "05010906a101"
    "050719e029e71500250175019508" "8102" "95017508" "8103"
    "95057501050819012905" "9102" "95017503" "9103"
    "950675081500256505071900" "2965" "8100" "c0")
REPORT_LENGTH = 8
CAPS_LOCK_LED = 2
SHIFT = 2
# HID Usage Tables, page 0x07.
USAGES = {"\n": 40, **dict(zip("1234567890", range(30, 40))),
          **{chr(ord("a") + number): 4 + number for number in range(26)}}


def load(*more):
    """Loads the drivers with two emulated ports, and the modules `more`."""
    if not all((MODULES / name).exists() for name in ("usb_f_hid", *more)):
        subprocess.run(["modprobe", "dummy_hcd", "num=2"], check=True)
        subprocess.run(["modprobe", "-a", "libcomposite", "usb_f_hid", *more], check=True)
    if not GADGETS.exists():
        subprocess.run(["mount", "-t", "configfs", "none", str(GADGETS.parent)], check=True)


class Gadget:
    """One USB keyboard."""

    def __init__(self, name, vendor, product, serial):
        load()
        self._folder = GADGETS / name
        self._function = self._folder / "functions" / "hid.usb0"
        self._configuration = self._folder / "configs" / "c.1"
        self._strings = self._folder / "strings" / "0x409"
        for folder in (self._folder, self._strings, self._function, self._configuration):
            folder.mkdir()
        self._write(self._folder, idVendor=vendor, idProduct=product)
        self._write(self._strings, serialnumber=serial, product="USB Scanner")
        self._write(self._function, protocol=1, subclass=1, report_length=REPORT_LENGTH)
        (self._function / "report_desc").write_bytes(DESCRIPTOR)
        (self._configuration / "hid.usb0").symlink_to(self._function)
        used = {(other / "UDC").read_text().strip() for other in GADGETS.iterdir()}
        (port, *_) = sorted(port.name for port in CONTROLLERS.iterdir() if port.name not in used)
        self._write(self._folder, UDC=port)
        minor = (self._function / "dev").read_text().strip().partition(":")[2]
        self._descriptor = os.open(f"/dev/hidg{minor}", os.O_RDWR | os.O_NONBLOCK)
        self._leds = 0

    @staticmethod
    def _write(folder, **values):
        for name, value in values.items():
            (folder / name).write_text(f"{value}\n")

    def type(self, text, gap):
        """Types letters and digits, followed by Enter."""
        for character in text + "\n":
            self._follow_leds()
            has_shift = character.isupper() != bool(
                character.isalpha() and self._leds & CAPS_LOCK_LED)
            self._report(SHIFT if has_shift else 0, USAGES[character.lower()])
            time.sleep(gap)
            self._report(0, 0)
            time.sleep(gap)

    def wait_for_caps_lock(self, is_on):
        """Waits until the host has switched the Caps Lock LED on or off."""
        deadline = time.monotonic() + PATIENCE
        while bool(self._leds & CAPS_LOCK_LED) != is_on:
            if time.monotonic() > deadline:
                raise TimeoutError("the host does not set the LED")
            select.select([self._descriptor], [], [], 1)
            self._follow_leds()

    def _follow_leds(self):
        while select.select([self._descriptor], [], [], 0)[0]:
            self._leds = os.read(self._descriptor, 1)[0]

    def _report(self, modifiers, usage):
        # Another report can be written as soon as the host has fetched the previous one.
        select.select([], [self._descriptor], [], PATIENCE)
        os.write(self._descriptor, bytes([modifiers, 0, usage, 0, 0, 0, 0, 0]))

    def remove(self):
        """Unplugs the keyboard."""
        os.close(self._descriptor)
        self._write(self._folder, UDC="")
        (self._configuration / "hid.usb0").unlink()
        for folder in (self._configuration, self._function, self._strings, self._folder):
            folder.rmdir()
