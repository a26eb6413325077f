"""The guest's console, which receives the keys of unclaimed keyboards."""

import time

from machine import GuestError


# How many milliseconds a key must be down before the kernel repeats it.
USUAL, NEVER = 250, 3_600_000


def delay_repeats(machine, milliseconds):
    """Sets the repeat delay of all keyboards, because keys look held down while the host suspends the guest."""
    machine.run(
        "for node in /dev/input/event*; do\n"
        f"evemu-event $node --type EV_REP --code REP_DELAY --value {milliseconds}; done")


class Console:
    """Collects the keys that reach the first virtual console, until it is closed."""

    def __init__(self, machine):
        self._machine = machine
        delay_repeats(machine, NEVER)
        machine.check(
            "rm -f console.bytes console.ready; busybox chvt 1 || exit 1\n"
            "(stty raw -echo; python3 -c 'import termios; termios.tcflush(0, termios.TCIFLUSH)'\n"
            "touch console.ready; exec cat) </dev/tty1 >console.bytes &\n"
            "echo $! >console.pid; while [ ! -e console.ready ]; do sleep 0.05; done")

    def received(self):
        """Returns all bytes received so far."""
        return (self._machine.exchange / "console.bytes").read_bytes()

    def wait_for(self, expected, seconds=240):
        """Waits until exactly these bytes have arrived."""
        deadline = time.monotonic() + seconds
        while self.received() != expected:
            if time.monotonic() > deadline:
                raise GuestError(
                    f"the console has {self.received()!r} after {seconds} s, not {expected!r}")
            time.sleep(0.05)

    def close(self):
        """Stops reading the console."""
        self._machine.run("kill $(cat console.pid)")
        delay_repeats(self._machine, USUAL)
