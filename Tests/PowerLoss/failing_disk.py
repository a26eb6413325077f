#!/usr/bin/env python3
"""Makes the journal's disk fail for a while, in every way, and checks what happens to the events.

usage: failing_disk.py WORKLOAD

WORKLOAD is .build/debug/JournalWorkload. The disk fails while the journal is in use, or before it is opened. While
the disk fails, events wait in memory, and the journal reports it; afterwards it reports that it accepts events again.
In the end it must contain every event, be undamaged, and have given no number twice.
"""

import errno
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from power_loss import library

FAULTS = [("write", errno.ENOSPC), ("write", errno.EIO), ("sync", errno.EIO), ("sync", errno.ENOSPC)]
EVENTS = 4000
# The events of a journal that exists before the disk fails.
EARLIER = 100


def fail_for_a_while(process, fault, call, number):
    """Makes the disk fail, after some acknowledged events unless it fails already, until the journal has reported it."""
    given = kept = 0
    told = []
    for line in process.stdout:
        word, _, rest = line.decode().strip().partition(" ")
        if word == "given":
            given = max(given, int(rest))
        elif word == "kept":
            kept = max(kept, int(rest))
            if kept > 500 and not told and not fault.exists():
                fault.write_text(f"{call} {number}\n")
        elif word == "told":
            told.append(rest)
            fault.unlink(missing_ok=True)
    return given, kept, told


def main():
    workload = pathlib.Path(sys.argv[1]).resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        preload = library(folder)
        cases = [*itertools.product(FAULTS, (False, True)), (("read", errno.EIO), True)]
        for (call, number), is_at_start in cases:
            disk = folder / f"{call}-{number}-{is_at_start}"
            disk.mkdir()
            subprocess.run([workload, "append", disk, str(EARLIER), "50"], check=True, stdout=subprocess.DEVNULL)
            fault = folder / "fault"
            if is_at_start:
                fault.write_text(f"{call} {number}\n")
            environment = dict(
                os.environ, LD_PRELOAD=str(preload), DISK_LOG_FOLDER=str(disk), DISK_FAULT=str(fault))
            process = subprocess.Popen(
                [workload, "append", disk, str(EVENTS), "50"], env=environment, stdout=subprocess.PIPE)
            given, kept, told = fail_for_a_while(process, fault, call, number)
            process.stdout.close()
            process.wait(timeout=600)
            output = subprocess.run([workload, "check", disk], check=True, stdout=subprocess.PIPE)
            result = json.loads(output.stdout)
            events = result["events"][:-1]
            said = len(told) == 2 and "failed" in told[0] and told[1] == "The journal accepts events again."
            if call == "read":
                said = any("is put aside" in each for each in told)
            is_right = (kept == given and len(events) == EARLIER + EVENTS and events == sorted(set(events))
                        and events[0] > 0 and result["next"] > given and said
                        and not result["findings"] and not result["told"])
            failed += not is_right
            print(f"{call} fails with {errno.errorcode[number]}{' at the start' if is_at_start else ''}: "
                  f"{len(events)} of {EARLIER + EVENTS} events, "
                  f"{'as they must be' if is_right else 'WRONG'}; told: {told}")
            if not is_right:
                print(result["told"], result["findings"][:5], given, kept, result["next"], file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
