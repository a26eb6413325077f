"""Runs in the guest: scanners that type at once, all read by one daemon.

    guest_scanners.py COUNT SECONDS COMMAND

Each of COUNT virtual scanners types an EAN-13 and Enter, a key event every two milliseconds, again and again with
a quarter to three quarters of a second in between. COMMAND reads all of them and prints a line of JSON for each
scan. Prints, as JSON, how many scans were typed, how many lines came for them and how many others, the times from
Enter to the line in microseconds, what the daemon has in memory, and how much of the time it ran.
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
# How long after the last key a line may come.
PATIENCE = 20


def key_events(count, seconds):
    """What is typed: (when, scanner, key, value, text of the scan that ends there or None), in order."""
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
    """Types in a process of its own that makes way for everybody; a file that the times of the Enters come from."""
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
    """Nanoseconds that all threads of a process have run."""
    total = 0
    for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
        with open(path) as file:
            total += int(file.read().split()[0])
    return total


def memory(process):
    """Resident megabytes of a process."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def read_lines(output, until):
    """Lines, each with the moment at which it could be read, until there is enough or no more comes."""
    rest = b""
    while select.select([output], [], [], PATIENCE)[0]:
        moment = time.monotonic_ns()
        *lines, rest = (rest + os.read(output, 1 << 16)).split(b"\n")
        for line in lines:
            yield moment, json.loads(line)
        if until():
            return


def main():
    """Measures."""
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
