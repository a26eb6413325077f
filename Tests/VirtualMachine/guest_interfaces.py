"""Runs in the guest: HID POS and serial scanners created by Linux's gadget driver (dummy_hcd).

Reads one command per line from standard input and answers each with one line:
    plug NAME VENDOR PRODUCT hid DESCRIPTOR [LENGTH]   a HID device with this report descriptor (hex)
    plug NAME VENDOR PRODUCT acm                       a serial port (CDC-ACM)
    send NAME GAP HEX…           sends reports or bytes, with a pause of GAP seconds after each
    codes NAMES GAP FIRST COUNT  sends COUNT 13-digit codes, starting at FIRST, from each scanner (a,b) in turn
    exchange NAME HEX [ANSWER]   sends HEX, prints what the host then writes (hex), and sends ANSWER
    unplug NAME
"""

import contextlib
import os
import select
import sys
import termios
import time
import tty

import guest_gadget
from guest_gadget import PATIENCE


class Scanner:
    """A scanner with a given name; it stays plugged in when the script ends."""

    def __init__(self, name):
        self._folder = guest_gadget.GADGETS / name
        self._configuration = self._folder / "configs" / "c.1"
        self._strings = self._folder / "strings" / "0x409"
        self._end = None
        self._is_hid = False

    def plug(self, vendor, product, kind, descriptor="", length="64"):
        """Plugs in the scanner, and waits until its side of the connection can be opened."""
        guest_gadget.load("cdc_acm", "usb_f_acm")
        function = self._folder / "functions" / f"{kind}.usb0"
        for folder in (self._folder, self._strings, function, self._configuration):
            folder.mkdir()
        (self._folder / "idVendor").write_text(vendor)
        (self._folder / "idProduct").write_text(product)
        (self._strings / "serialnumber").write_text(f"SN-{self._folder.name}")
        (self._strings / "product").write_text("Scanner")
        if kind == "hid":
            (function / "report_length").write_text(length)
            (function / "report_desc").write_bytes(bytes.fromhex(descriptor))
        (self._configuration / function.name).symlink_to(function)
        used = {(other / "UDC").read_text().strip() for other in guest_gadget.GADGETS.iterdir()}
        port = min(port.name for port in guest_gadget.CONTROLLERS.iterdir() if port.name not in used)
        (self._folder / "UDC").write_text(port)
        self.open().close()

    def unplug(self):
        """Unplugs the scanner."""
        (self._folder / "UDC").write_text("\n")
        function = self._function()
        (self._configuration / function.name).unlink()
        for folder in (self._configuration, function, self._strings, self._folder):
            folder.rmdir()

    def send(self, gap, messages):
        """Sends reports or bytes, with a pause of `gap` seconds after each message."""
        with self.open():
            for message in messages:
                self.write(message)
                time.sleep(gap)

    def exchange(self, message, *answer):
        """Sends a message, returns what the host then writes, and answers the host at once."""
        with self.open() as end:
            self.write(message)
            if not select.select([end], [], [], PATIENCE)[0]:
                raise TimeoutError("the host writes nothing")
            received = end.read(64)
            for message in answer:
                self.write(message)
        return received

    def write(self, message):
        """Sends one message, and waits until the host has received it."""
        self._wait_for_room()
        if self._end.write(message) != len(message):
            raise BlockingIOError("the host reads only a part")
        if self._is_hid:
            # The next report can be written as soon as the host has fetched this one.
            self._wait_for_room()
        else:
            termios.tcdrain(self._end)

    def _wait_for_room(self):
        if not select.select([], [self._end], [], PATIENCE)[1]:
            raise TimeoutError("the host does not read")

    def write_code(self, number):
        """Sends a 13-digit code."""
        text = f"{number:013d}".encode()
        self.write((b"\x02\x0d]E0" + text).ljust(64, b"\0") if self._is_hid else text + b"\r")

    def open(self):
        """Opens the scanner's side of the connection once the host has configured the device."""
        function, deadline = self._function(), time.monotonic() + PATIENCE
        self._is_hid = function.name.startswith("hid.")
        if self._is_hid:
            path = f"/dev/hidg{(function / 'dev').read_text().strip().partition(':')[2]}"
        else:
            path = f"/dev/ttyGS{(function / 'port_num').read_text().strip()}"
        while not os.path.exists(path) or "configured" not in self._state():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} is {self._state()}")
            time.sleep(0.05)
        self._end = open(os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY), "r+b", buffering=0)
        if not self._is_hid:
            tty.setraw(self._end)
        return self._end

    def _function(self):
        return next((self._folder / "functions").iterdir())

    def _state(self):
        port = (self._folder / "UDC").read_text().strip()
        return (guest_gadget.CONTROLLERS / port / "state").read_text()


def codes(names, gap, first, count):
    """Sends codes from several scanners in turn."""
    with contextlib.ExitStack() as stack:
        scanners = [Scanner(name) for name in names.split(",")]
        for scanner in scanners:
            stack.enter_context(scanner.open())
        for number in range(int(first), int(first) + int(count)):
            for scanner in scanners:
                scanner.write_code(number)
            time.sleep(float(gap))


def obey(command, name, *words):
    """Runs one command and returns its answer."""
    match command:
        case "plug":
            Scanner(name).plug(*words)
        case "unplug":
            Scanner(name).unplug()
        case "send":
            Scanner(name).send(float(words[0]), [bytes.fromhex(word) for word in words[1:]])
        case "codes":
            codes(name, *words)
        case "exchange":
            return Scanner(name).exchange(*map(bytes.fromhex, words)).hex()
    return "done"


def main():
    """Runs commands until the input ends."""
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            print(obey(*line.split()), flush=True)
        except Exception as error:
            print(f"failed: {error!r}", flush=True)


main()
