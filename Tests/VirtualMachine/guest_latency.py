"""Runs in the guest: how long from the Enter key until the reader's line can be read.

    guest_latency.py CODES SCANS COMMAND…        NODE in the command stands for the scanner's node

CODES is `retail` for EAN-13, `alike` for others of three lengths, `unlike` for others of six.
Prints the times in microseconds as a JSON list, in the order of the scans. The codes are those of
`code(CODES, 0)` and on.
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

KEYBOARD = list(range(1, 128))
# The kernel's tick takes thousands of instructions every 4 ms. Enter comes at all distances from it
# alike: by the golden ratio, which never comes close to the same one twice.
PERIOD = 0.012 + 0.004 * 0.618_034
PHYS = "latency/1"


def code(kind, number):
    """A code of a product's: all of its codes are in the catalog."""
    if kind == "alike":
        return f"{5 * 10 ** (4, 8, 10)[number % 3] + number}"
    if kind == "unlike":
        return f"{6 * 10 ** (4, 5, 6, 8, 9, 10)[number % 6] + number}"
    digits = f"{400_000_000_000 + number:012d}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return digits + str(-total % 10)


def create():
    """A virtual scanner of a known maker's; its descriptor and its node."""
    descriptor = os.open("/dev/uinput", os.O_RDWR)
    fcntl.ioctl(descriptor, 0x40045564, 1)  # UI_SET_EVBIT, EV_KEY
    for key in KEYBOARD:
        fcntl.ioctl(descriptor, 0x40045565, key)  # UI_SET_KEYBIT
    fcntl.ioctl(descriptor, 0x4008556C, PHYS.encode() + b"\0")  # UI_SET_PHYS
    # UI_DEV_SETUP and UI_DEV_CREATE
    fcntl.ioctl(descriptor, 0x405C5503, struct.pack("HHHH80sI", 3, 0x0C2E, 1, 1, b"Latency", 0))
    fcntl.ioctl(descriptor, 0x5501)
    time.sleep(0.5)
    for folder in glob.glob("/sys/class/input/event*"):
        with open(f"{folder}/device/phys") as file:
            if file.read().strip() == PHYS:
                return descriptor, "/dev/input/" + os.path.basename(folder)
    raise SystemExit("no node for the virtual scanner")


def tap(descriptor, key, value):
    """One key event and its report."""
    os.write(descriptor, struct.pack("qqHHiqqHHi", 0, 0, 1, key, value, 0, 0, 0, 0, 0))


def scan(descriptor, output, text, begin):
    """Types one scan, its Enter whole periods after `begin`; the time from there to a whole line, in
    microseconds."""
    for digit in text:
        key = 2 + "1234567890".index(digit)
        for value in (1, 0):
            tap(descriptor, key, value)
            time.sleep(0.001)
    periods = (time.monotonic() - begin) // PERIOD + 1
    time.sleep(max(begin + periods * PERIOD - time.monotonic(), 0))
    start = time.monotonic_ns()
    tap(descriptor, 28, 1)
    line = b""
    while not line.endswith(b"\n"):
        if not select.select([output], [], [], 20)[0]:
            raise SystemExit("no line came")
        end = time.monotonic_ns()
        line += os.read(output, 65536)
    if text.encode() not in line:
        raise SystemExit(f"expected {text}, got {line!r}")
    tap(descriptor, 28, 0)
    return (end - start) / 1000


def main():
    """Measures."""
    descriptor, node = create()
    command = [word.replace("NODE", node) for word in sys.argv[3:]]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.fileno()
    said = b""
    while b"ready" not in said and b"connected" not in said:
        said += os.read(output, 65536)
    begin = time.monotonic()
    times = []
    for number in range(int(sys.argv[2])):
        time.sleep(0.01)
        times.append(scan(descriptor, output, code(sys.argv[1], number), begin))
    process.terminate()
    process.wait()
    print(json.dumps(times))


if __name__ == "__main__":
    main()
