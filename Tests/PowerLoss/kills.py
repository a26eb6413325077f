#!/usr/bin/env python3
"""Kills a process that writes a journal, at random moments, again and again, always with the same journal.

usage: kills.py WORKLOAD [--kills N] [--seed N]

WORKLOAD is the built JournalWorkload. In the end the journal must contain every acknowledged event, once and
in order, be undamaged, and have given no number twice.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading


def read_to_a_commit(process):
    """Returns the lines up to the first that reports a commit; ends the check if there is none within ten minutes."""
    limit = threading.Timer(600, process.kill)
    limit.start()
    lines = [b""]
    while not lines[-1].startswith(b"kept"):
        lines.append(process.stdout.readline())
        if not lines[-1]:
            sys.exit("no commit was reported")
    limit.cancel()
    return b"".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    workload = options.workload.resolve()
    chance = random.Random(options.seed)
    promised = set()
    given = set()
    doubled = 0
    told = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.kills):
            process = subprocess.Popen(
                [workload, "append", folder, "1000000", str(chance.choice([1, 5, 50]))],
                stdout=subprocess.PIPE)
            # Every second run is killed after a commit. On a slow machine, the others may always be killed before one.
            output = read_to_a_commit(process) if number % 2 else b""
            timer = threading.Timer(chance.uniform(0.005, 0.12), process.kill)
            timer.start()
            output += process.stdout.read()
            process.wait()
            timer.cancel()
            process.stdout.close()
            batch = []
            # The last line may be incomplete because of the kill.
            for line in output[:output.rfind(b"\n") + 1].decode().splitlines():
                word, _, rest = line.partition(" ")
                if word == "given":
                    doubled += int(rest) in given
                    given.add(int(rest))
                    batch.append(int(rest))
                elif word == "kept":
                    promised.update(batch)
                    batch = []
                elif word == "told":
                    told.append(rest)
        output = subprocess.run([workload, "check", folder], check=True, stdout=subprocess.PIPE)
        result = json.loads(output.stdout)
    events = result["events"]
    lost = len(promised - set(events))
    is_ordered = events == sorted(set(events)) and events[0] > 0
    is_whole = not result["findings"] and not result["told"] and not told
    doubled += result["next"] in given
    print(f"{options.kills} kills (seed {options.seed}): {lost} of {len(promised)} acknowledged events "
          f"lost, {doubled} of {len(given)} numbers given twice, "
          f"{'in order' if is_ordered else 'OUT OF ORDER'}, {'whole' if is_whole else 'NOT WHOLE'}")
    if not is_whole:
        print(told[:3], result["told"], result["findings"][:3], file=sys.stderr)
    return 0 if not lost and not doubled and is_ordered and is_whole and promised else 1


if __name__ == "__main__":
    sys.exit(main())
