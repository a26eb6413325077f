"""Runs in the guest: virtual uinput keyboards that do not depend on the program under test.

Reads one command per line (JSON) from standard input and answers each with one line:
    {"do": "create", "name": n, "label": …, "vendor": …, "product": …, "phys": …, "keys": [codes]}
    {"do": "plug", "name": n, "vendor": …, "product": …, "serial": …}      see guest_gadget.py
    {"do": "wait for caps lock", "name": n, "is_on": whether the LED must be on}
    {"do": "type", "name": n, "texts": [digits…], "gap": seconds between key events,
     "reader": null, or the process whose reader must have read each text before the next begins}
    {"do": "send", "name": n, "events": [[type, code, value]…]}
    {"do": "race", "texts": {n: [digits…]}}           types on all keyboards, key by key, without a pause
    {"do": "tap", "name": n, "keys": [codes]}
    {"do": "play", "steps": [[name, code, value]…], "gap": seconds between key events}
    {"do": "signal", "process": number, "signal": number}
    {"do": "wait until read", "process": number}      until the daemon's reader has read all events
    {"do": "wait until claimed", "process": number, or a file that will contain it, "node": path}
    {"do": "pour", "name": n, "text": digits, "gap": …, "process": …, "node": …}
                                                      types until the daemon has claimed the node, and then once more
    {"do": "wait for key", "node": path, "key": code} until the key is down
    {"do": "sleep", "seconds": s}
    {"do": "run", "command": [words]}
    {"do": "remove", "name": n}
    {"do": "remove all"}
"""

import fcntl
import json
import os
import pathlib
import struct
import subprocess
import sys
import time

import guest_gadget
from guest_gadget import PATIENCE

# linux/uinput.h
UI_DEV_CREATE, UI_DEV_DESTROY, UI_DEV_SETUP = 0x5501, 0x5502, 0x405C5503
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_RELBIT, UI_SET_PHYS = (
    0x40045564, 0x40045565, 0x40045566, 0x4008556C)
EV_SYN, EV_KEY, EV_REL = 0, 1, 2
ENTER = 28
# The system calls in which a thread waits for events: epoll_wait and epoll_pwait.
WAITING = ("232", "281")
EVIOCGKEY = 0x80604518  # for 96 bytes
DIGITS = dict(zip("1234567890", range(2, 12)))
KEYBOARD = list(range(1, 128))


class Keyboard:
    """One virtual device."""

    def __init__(self, label, vendor, product, phys, keys, moves=False):
        self.descriptor = os.open("/dev/uinput", os.O_RDWR)
        fcntl.ioctl(self.descriptor, UI_SET_EVBIT, EV_KEY)
        for key in keys:
            fcntl.ioctl(self.descriptor, UI_SET_KEYBIT, key)
        if moves:
            fcntl.ioctl(self.descriptor, UI_SET_EVBIT, EV_REL)
            for axis in (0, 1):
                fcntl.ioctl(self.descriptor, UI_SET_RELBIT, axis)
        if phys:
            fcntl.ioctl(self.descriptor, UI_SET_PHYS, phys.encode() + b"\0")
        setup = struct.pack("HHHH80sI", 3, vendor, product, 1, label.encode(errors='surrogateescape')[:79], 0)
        fcntl.ioctl(self.descriptor, UI_DEV_SETUP, setup)
        fcntl.ioctl(self.descriptor, UI_DEV_CREATE)

    def send(self, *events):
        """Sends events as one group, which ends with a SYN_REPORT."""
        group = [*events, (EV_SYN, 0, 0)]
        os.write(self.descriptor, b"".join(struct.pack("qqHHi", 0, 0, *event) for event in group))

    def tap(self, key):
        """Presses and releases a key."""
        self.send((EV_KEY, key, 1))
        self.send((EV_KEY, key, 0))

    def type(self, text, gap):
        """Types digits, followed by Enter."""
        for key in keys_of(text):
            for value in (1, 0):
                self.send((EV_KEY, key, value))
                if gap:
                    time.sleep(gap)

    def remove(self):
        """Unplugs the device."""
        os.close(self.descriptor)


def keys_of(text):
    """Returns the keys that type digits, followed by Enter."""
    return [DIGITS[digit] for digit in text] + [ENTER]


def race(keyboards, texts):
    """Types on all keyboards at once, one key on each in turn."""
    streams = [
        (keyboards[name], [key for text in more for key in keys_of(text)])
        for name, more in texts.items()
    ]
    for place in range(max(len(keys) for _, keys in streams)):
        for keyboard, keys in streams:
            if place < len(keys):
                keyboard.tap(keys[place])


def wait_until_read(process):
    """Waits until the daemon's reader sleeps in epoll again, because then no device has unread events.

    A thread that gets an event, or continues after SIGSTOP, is already awake when the call that woke
    it returns. Therefore this function never returns too early.
    """
    wait_until(lambda: waits(process, "scanner-reader"), "the reader does not wait for events")


def waits(process, thread):
    """Returns whether a thread of the daemon sleeps in epoll."""
    for folder in pathlib.Path(f"/proc/{number_of(process)}/task").iterdir():
        try:
            if (folder / "comm").read_text() == f"{thread}\n":
                return (folder / "syscall").read_text().split()[0] in WAITING and not is_stopped(folder)
        except (FileNotFoundError, ProcessLookupError):
            pass  # The thread has ended in the meantime.
    return False


def has_claimed(process, node):
    """Returns whether the daemon has claimed a node: its finder claims each node that it opens, and then sleeps.

    This is reliable only while no key is down.
    """
    return number_of(process) is not None and has_open(process, node) and waits(process, "scanner-finder")


def number_of(process):
    """Returns a process ID, which is given directly or as a file; None while the file does not contain it."""
    if isinstance(process, int):
        return process
    try:
        return int(pathlib.Path(process).read_text())
    except (FileNotFoundError, ValueError):
        return None


def has_open(process, node):
    """Returns whether a process has a node open."""
    for link in pathlib.Path(f"/proc/{number_of(process)}/fd").iterdir():
        try:
            if os.readlink(link) == node:
                return True
        except FileNotFoundError:
            pass  # The descriptor was closed in the meantime.
    return False


def wait_for_key(node, key):
    """Waits until a key of a device is down."""
    keys = bytearray(96)
    with open(node, "rb") as device:
        def is_down():
            fcntl.ioctl(device, EVIOCGKEY, keys)
            return keys[key // 8] >> key % 8 & 1
        wait_until(is_down, "the key does not go down")


def wait_until(is_so, failure, pause=0.005):
    """Waits until `is_so` returns true; raises TimeoutError with the text `failure` if that takes too long."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(failure)
        time.sleep(pause)


def is_stopped(folder):
    """Returns whether a signal has stopped a thread."""
    return "State:\tT" in (folder / "status").read_text()


def obey(keyboards, command):
    """Runs one command."""
    name = command.get("name")
    match command["do"]:
        case "create":
            keyboards[name] = Keyboard(
                command["label"], command["vendor"], command["product"], command.get("phys"),
                command.get("keys") or KEYBOARD, command.get("moves", False))
        case "plug":
            keyboards[name] = guest_gadget.Gadget(
                name, command["vendor"], command["product"], command["serial"])
        case "type":
            for text in command["texts"]:
                keyboards[name].type(text, command["gap"])
                if reader := command.get("reader"):
                    wait_until_read(reader)
        case "send":
            keyboards[name].send(*command["events"])
        case "race":
            race(keyboards, command["texts"])
        case "tap":
            for key in command["keys"]:
                keyboards[name].tap(key)
        case "play":
            for keyboard, code, value in command["steps"]:
                keyboards[keyboard].send((EV_KEY, code, value))
                if command["gap"]:
                    time.sleep(command["gap"])
        case "signal":
            os.kill(command["process"], command["signal"])
        case "wait until read":
            wait_until_read(command["process"])
        case "wait until claimed":
            wait_until(lambda: has_claimed(command["process"], command["node"]), "nothing is claimed", 0.05)
            wait_until_read(command["process"])
        case "pour":
            is_last = False
            while not is_last:
                is_last = has_claimed(command["process"], command["node"])
                keyboards[name].type(command["text"], command["gap"])
        case "wait for key":
            wait_for_key(command["node"], command["key"])
        case "wait for caps lock":
            keyboards[name].wait_for_caps_lock(command["is_on"])
        case "run":
            subprocess.run(command["command"], check=True, stdout=subprocess.DEVNULL)
        case "sleep":
            time.sleep(command["seconds"])
        case "remove":
            keyboards.pop(name).remove()
        case "remove all":
            while keyboards:
                keyboards.popitem()[1].remove()


def main():
    """Runs commands until the input ends."""
    keyboards = {}
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            obey(keyboards, json.loads(line))
            print("done", flush=True)
        except Exception as error:
            print(f"failed: {error!r}", flush=True)


main()
