"""Runs in the guest: several scanners that type at the same time, all read by one daemon.

    guest_scanners.py COUNT SECONDS COMMAND

Each of COUNT virtual scanners repeatedly types an EAN-13 and Enter, with a key event every two milliseconds and a
pause of 0.25 to 0.75 seconds after each code. COMMAND reads all scanners and prints a line of JSON for each scan.
Prints as JSON: how many scans were typed, how many lines came for them, how many other lines came, the times from
Enter to the line in microseconds, the daemon's resident memory, and its processor time per elapsed time.
"""

import glob
import json
import os
import random
import select
import subprocess
import sys
import time

import guest_latency

PACE = 0.002
PAUSES = (0.25, 0.75)
ENTER = 28
# How many seconds after the last key a line may still arrive.
PATIENCE = 20


def key_events(count, seconds):
    """Yields the keys to type: (time, scanner, key, value, text of the scan if this key ends it, or None)."""
    number = 0
    for scanner in range(count):
        moment = random.uniform(*PAUSES)
        while moment < seconds:
            text = guest_latency.code("retail", number)
            number += 1
            for key in [2 + "1234567890".index(digit) for digit in text] + [ENTER]:
                for value in (1, 0):
                    yield moment, scanner, key, value, text if (key, value) == (ENTER, 1) else None
                    moment += PACE
            moment += random.uniform(*PAUSES)


def start_typist(keyboards, events):
    """Types in a separate process at idle priority; returns a file that will contain the times of the Enter keys."""
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        return os.fdopen(reading)
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    begin, starts = time.monotonic(), {}
    for moment, scanner, key, value, text in events:
        wait = begin + moment - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        if text:
            starts[text] = time.monotonic_ns()
        guest_latency.tap(keyboards[scanner], key, value)
    os.write(writing, json.dumps(starts).encode())
    os._exit(0)


def run_time(process):
    """Returns the processor time of a process, summed over its threads, in nanoseconds."""
    total = 0
    for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
        with open(path) as file:
            total += int(file.read().split()[0])
    return total


def memory(process):
    """Returns the resident memory of a process in megabytes."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def read_lines(output, until):
    """Yields lines with their times of arrival, until `until` returns true or no more lines arrive."""
    rest = b""
    while select.select([output], [], [], PATIENCE)[0]:
        moment = time.monotonic_ns()
        *lines, rest = (rest + os.read(output, 1 << 16)).split(b"\n")
        for line in lines:
            yield moment, json.loads(line)
        if until():
            return


def main():
    """Runs the daemon while the scanners type, and prints the figures."""
    count, seconds = int(sys.argv[1]), float(sys.argv[2])
    keyboards = [guest_latency.create(number)[0] for number in range(count)]
    daemon = subprocess.Popen(sys.argv[3:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = daemon.stdout.fileno()
    connected = []
    for _, event in read_lines(output, lambda: len(connected) == count):
        if event["type"] == "keywedge.scanner.connected":
            connected.append(event)
    events = sorted(key_events(count, seconds))
    wanted = {event[4] for event in events} - {None}
    begin, ran, found, others = time.monotonic_ns(), run_time(daemon.pid), {}, 0
    with start_typist(keyboards, events) as typist:
        for moment, event in read_lines(output, lambda: len(found) == len(wanted)):
            if event["type"] == "keywedge.scan" and event["data"]["text"] in wanted - found.keys():
                found[event["data"]["text"]] = moment
            else:
                others += 1
        took, ran = time.monotonic_ns() - begin, run_time(daemon.pid) - ran
        starts = json.load(typist)
    print(json.dumps({
        "typed": len(wanted), "lines": len(found), "others": others, "share": ran / took, "memory": memory(daemon.pid),
        "times": [(moment - starts[text]) / 1000 for text, moment in found.items()]}))
    daemon.terminate()
    daemon.wait()


if __name__ == "__main__":
    main()
