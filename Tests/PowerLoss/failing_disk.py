#!/usr/bin/env python3
"""Makes the journal's disk fail for a while, in several ways, and checks what happens to the events.

usage: failing_disk.py WORKLOAD

WORKLOAD is the built JournalWorkload. The disk fails while the journal is in use, or before it is opened. While
writing fails, events wait in memory, and the journal reports it; afterwards it reports that it accepts events again.
In the end it must contain every event, be undamaged, and have given no number twice.
"""

import errno
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

from power_loss import library

FAULTS = [("write", errno.ENOSPC), ("write", errno.EIO), ("sync", errno.EIO), ("sync", errno.ENOSPC)]
# The start reads the log of the previous run, and then empties it.
FAULTS_AT_START = [("read", errno.EIO), ("truncate", errno.EIO)]
EVENTS = 4000
# The least number of events in the journal before the disk fails.
EARLIER = 100


def fail_for_a_while(process, fault, call, number):
    """Makes the disk fail after 500 committed events, unless it fails already, until the journal reports it."""
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


def leave_a_journal(workload, disk, was_killed):
    """Creates a journal; if its process is killed, its last events are in SQLite's log, whose index is then removed."""
    count = EARLIER * (100 if was_killed else 1)
    process = subprocess.Popen([workload, "append", disk, str(count), "50"], stdout=subprocess.PIPE)
    for line in process.stdout:
        word, _, number = line.decode().strip().partition(" ")
        if was_killed and word == "kept" and int(number) >= EARLIER:
            process.kill()
            break
    process.stdout.close()
    process.wait(timeout=600)
    if was_killed:
        (disk / "journal.sqlite-shm").unlink()


def events_in_a_copy(workload, disk, folder):
    """Returns how many events a journal has, counted in a copy, because the check changes the journal."""
    copy = folder / "copy"
    shutil.copytree(disk, copy)
    output = subprocess.run([workload, "check", copy], check=True, stdout=subprocess.PIPE)
    shutil.rmtree(copy)
    return len(json.loads(output.stdout)["events"]) - 1


def main():
    workload = pathlib.Path(sys.argv[1]).resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        preload = library(folder)
        cases = [*itertools.product(FAULTS, (False, True)), *itertools.product(FAULTS_AT_START, (True,))]
        for (call, number), is_at_start in cases:
            disk = folder / f"{call}-{number}-{is_at_start}"
            disk.mkdir()
            leave_a_journal(workload, disk, was_killed=is_at_start)
            earlier = events_in_a_copy(workload, disk, folder)
            fault = folder / "fault"
            fault.unlink(missing_ok=True)
            if is_at_start:
                fault.write_text(f"{call} {number}\n")
            environment = dict(
                os.environ, LD_PRELOAD=str(preload), DISK_LOG_FOLDER=str(disk), DISK_FAULT=str(fault))
            # A small pipe keeps the workload from finishing before the disk fails.
            process = subprocess.Popen(
                [workload, "append", disk, str(EVENTS), "50"], env=environment, stdout=subprocess.PIPE,
                pipesize=4096)
            limit = threading.Timer(600, process.kill)
            limit.start()
            given, kept, told = fail_for_a_while(process, fault, call, number)
            limit.cancel()
            process.stdout.close()
            process.wait(timeout=600)
            output = subprocess.run([workload, "check", disk], check=True, stdout=subprocess.PIPE)
            result = json.loads(output.stdout)
            events = result["events"][:-1]
            said = len(told) == 2 and "failed" in told[0] and told[1] == "The journal accepts events again."
            if call == "read":
                said = any("is put aside" in each for each in told)
            is_right = (kept == given and earlier >= EARLIER and len(events) == earlier + EVENTS and events == sorted(set(events))
                        and events[0] > 0 and result["next"] > given and said
                        and not result["findings"] and not result["told"])
            failed += not is_right
            print(f"{call} fails with {errno.errorcode[number]}{' at the start' if is_at_start else ''}: "
                  f"{len(events)} of {earlier + EVENTS} events, "
                  f"{'as expected' if is_right else 'WRONG'}; reported: {told}")
            if not is_right:
                print(result["told"], result["findings"][:5], given, kept, result["next"], file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
