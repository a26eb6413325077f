"""Runs in the guest: how long from the Enter key until the reader's line can be read.

    guest_latency.py SCANS COMMAND…        NODE in the command stands for the scanner's node

Prints the times in microseconds as a JSON list, in the order of the scans. The codes are those of
`code(0)` and on.
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
PHYS = "latency/1"


def code(number):
    """The EAN-13 of a product's number."""
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


def scan(descriptor, output, text):
    """Types one scan; the time from Enter to a whole line, in microseconds."""
    for digit in text:
        key = 2 + "1234567890".index(digit)
        for value in (1, 0):
            tap(descriptor, key, value)
            time.sleep(0.001)
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
    command = [word.replace("NODE", node) for word in sys.argv[2:]]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.fileno()
    said = b""
    while b"ready" not in said and b"connected" not in said:
        said += os.read(output, 65536)
    times = []
    for number in range(int(sys.argv[1])):
        time.sleep(0.02)
        times.append(scan(descriptor, output, code(number)))
    process.terminate()
    process.wait()
    print(json.dumps(times))


if __name__ == "__main__":
    main()
