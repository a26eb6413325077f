"""Runs in the guest: stops one thread of a process until the process ends.

    guest_stop_thread.py THREAD

A signal would stop all threads of the process; a tracer can stop a single one. Prints `stopped`.
"""

import ctypes
import os
import sys

PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207
ALL = 0x40000000  # __WALL


def main():
    """Stops the thread, and waits until it has ended."""
    thread = int(sys.argv[1])
    libc = ctypes.CDLL(None, use_errno=True)
    for request in (PTRACE_SEIZE, PTRACE_INTERRUPT):
        if libc.ptrace(request, thread, None, None) != 0:
            sys.exit(os.strerror(ctypes.get_errno()))
    while True:
        _, status = os.waitpid(thread, ALL)
        if not os.WIFSTOPPED(status):
            return
        print("stopped", flush=True)


main()
