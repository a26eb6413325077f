"""Runs in the guest: measures the time from the Enter key until a scan's line can be read.

    guest_latency.py SCANS PROGRAMS

PROGRAMS is a JSON list of objects. `command` starts a program; NODE in it stands for the node of the program's
scanner. `codes` is `retail` for EAN-13, or `other` for codes of six other lengths. `interface` is `keyboard`,
`hid-pos` or `serial`. The time starts at Enter or, with other scanners than keyboards, when the whole code is sent.
All programs run at the same time, each with its own virtual scanner, and get their scans in turn. Prints as JSON,
for each program, the times in microseconds, in the order of the scans, and the last line. The codes are
`code(CODES, 0)`, `code(CODES, 1)` and so on.
"""

import fcntl
import glob
import json
import os
import select
import struct
import subprocess
import sys
import time
import tty

import hid_reports

KEYBOARD = list(range(1, 128))
# The kernel's tick takes thousands of instructions every 4 ms. The golden ratio spreads the Enter keys evenly
# over the time between two ticks.
PERIOD = 0.012 + 0.004 * 0.618_034


def phys(number):
    """Returns the port (`phys`) into which a program's scanner is supposedly plugged."""
    return f"latency/{number}"


def port(number):
    """Returns the path of a serial scanner's port."""
    return f"/run/port-{number}"


def match(interface, number):
    """Returns the `match` with which a configuration selects a program's scanner."""
    return {"serial": port(number)} if interface == "serial" else {"phys": phys(number)}


def code(kind, number):
    """Returns one of a product's codes, all of which are in the catalog."""
    if kind == "other":
        return f"{6 * 10 ** (4, 5, 6, 8, 9, 10)[number % 6] + number}"
    digits = f"{400_000_000_000 + number:012d}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return digits + str(-total % 10)


def create(number):
    """Creates a virtual keyboard; returns its descriptor and its node."""
    descriptor = os.open("/dev/uinput", os.O_RDWR)
    fcntl.ioctl(descriptor, 0x40045564, 1)  # UI_SET_EVBIT, EV_KEY
    for key in KEYBOARD:
        fcntl.ioctl(descriptor, 0x40045565, key)  # UI_SET_KEYBIT
    fcntl.ioctl(descriptor, 0x4008556C, phys(number).encode() + b"\0")  # UI_SET_PHYS
    # UI_DEV_SETUP and UI_DEV_CREATE
    fcntl.ioctl(descriptor, 0x405C5503, struct.pack("HHHH80sI", 3, 1, 1, 1, b"Latency", 0))
    fcntl.ioctl(descriptor, 0x5501)
    time.sleep(0.5)
    for folder in glob.glob("/sys/class/input/event*"):
        with open(f"{folder}/device/phys") as file:
            if file.read().strip() == phys(number):
                return descriptor, "/dev/input/" + os.path.basename(folder)
    raise SystemExit("no node for the virtual scanner")


def tap(descriptor, key, value):
    """Sends one key event, followed by a SYN_REPORT."""
    os.write(descriptor, struct.pack("qqHHiqqHHi", 0, 0, 1, key, value, 0, 0, 0, 0, 0))


class Keyboard:
    """A scanner that types."""

    def __init__(self, number):
        self._descriptor, self.node = create(number)

    def begin(self, text):
        """Types the digits."""
        for digit in text:
            for value in (1, 0):
                tap(self._descriptor, 2 + "1234567890".index(digit), value)
                time.sleep(0.001)

    def end(self, _):
        """Presses Enter."""
        tap(self._descriptor, 28, 1)

    def rest(self):
        """Releases Enter."""
        time.sleep(0.005)
        tap(self._descriptor, 28, 0)


class HIDScanner:
    """A virtual scanner in HID POS mode."""

    node = ""

    def __init__(self, number):
        self._descriptor = os.open("/dev/uhid", os.O_RDWR)
        descriptor = bytes.fromhex(hid_reports.HONEYWELL)
        # struct uhid_event: UHID_CREATE2, name, port, serial number, sizes, bus, numbers, descriptor.
        os.write(self._descriptor, struct.pack(
            "=I128s64s64sHHIIII4096s", 11, b"Latency", phys(number).encode(), b"", len(descriptor), 3, 1, 1,
            1, 0, descriptor))
        time.sleep(0.5)

    def begin(self, _):
        """Does nothing, because the code is a single report."""

    def end(self, text):
        """Sends the code."""
        report = bytes.fromhex(hid_reports.report(bytes([2, len(text)]) + b"]E0", text))
        os.write(self._descriptor, struct.pack("=IH", 12, len(report)) + report)  # UHID_INPUT2

    def rest(self):
        """Does nothing, because no key must be released."""


class Port:
    """The scanner's end of a serial port."""

    node = ""

    def __init__(self, number):
        self._descriptor, end = os.openpty()
        tty.setraw(end)
        os.symlink(os.ttyname(end), port(number))
        os.close(end)

    def begin(self, _):
        """Does nothing, because the whole code is sent at once."""

    def end(self, text):
        """Sends the code."""
        os.write(self._descriptor, text.encode() + b"\r")

    def rest(self):
        """Does nothing, because no key must be released."""


class Program:
    """A program that reads a scanner, together with that scanner."""

    def __init__(self, number, command, codes, interface="keyboard"):
        self.codes = codes
        self.last_line = ""
        self.scanner = {"keyboard": Keyboard, "hid-pos": HIDScanner, "serial": Port}[interface](number)
        words = [word.replace("NODE", self.scanner.node) for word in command.split()]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._output = self._process.stdout.fileno()
        said = b""
        while b"ready" not in said and b"connected" not in said:
            read = os.read(self._output, 65536)
            if not read:
                raise SystemExit(f"ended at its start: {command}, {said.decode()}")
            said += read

    def read_line(self, text):
        """Waits for a complete line that contains a text; returns the time of its arrival in nanoseconds."""
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._output], [], [], 20)[0]:
                raise SystemExit("no line arrived")
            end = time.monotonic_ns()
            line += os.read(self._output, 65536)
        if text.encode() not in line:
            raise SystemExit(f"expected {text}, got {line!r}")
        self.last_line = line.decode()
        return end

    def stop(self):
        """Ends the program."""
        self._process.terminate()
        self._process.wait()


def scan(scanner, text, begin):
    """Sends one scan, which ends a multiple of PERIOD after `begin`; returns that time in nanoseconds."""
    scanner.begin(text)
    periods = (time.monotonic() - begin) // PERIOD + 1
    time.sleep(max(begin + periods * PERIOD - time.monotonic(), 0))
    start = time.monotonic_ns()
    scanner.end(text)
    scanner.rest()
    time.sleep(0.01)
    return start


def start_typist(turns):
    """Types scans in a separate process; returns a file that will contain the times of the Enter keys.

    A real scanner's keys arrive with an interrupt, after which no typing process competes for the processor.
    Therefore the typist runs at idle priority, and the process that reads a line sleeps until it arrives.
    """
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        return os.fdopen(reading)
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    begin = time.monotonic()
    starts = [scan(program.scanner, text, begin) for program, text in turns]
    os.write(writing, json.dumps(starts).encode())
    os._exit(0)


def main():
    """Runs the programs, sends their scans, and prints the times."""
    programs = [Program(number, **program) for number, program in enumerate(json.loads(sys.argv[2]))]
    turns = [(program, code(program.codes, number))
             for number in range(int(sys.argv[1])) for program in programs]
    with start_typist(turns) as typist:
        ends = [program.read_line(text) for program, text in turns]
        starts = json.load(typist)
    for program in programs:
        program.stop()
    times = [(end - start) / 1000 for start, end in zip(starts, ends, strict=True)]
    print(json.dumps([{"times": times[number::len(programs)], "line": program.last_line}
                      for number, program in enumerate(programs)]))


if __name__ == "__main__":
    main()
