#!/usr/bin/env python3
"""Flips one bit at a time at random places of a journal, and opens it.

usage: rot.py WORKLOAD [--flips N] [--seed N]

WORKLOAD is .build/debug/JournalWorkload. The journal must open each time, give no event that is not as
it was written, and tell when it was put aside; after that it must be whole.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

FLIPS_A_CHECK = 100


def journals(workload, folder):
    """A journal that was closed in order, and one whose daemon was killed: with its log beside it."""
    closed = folder / "closed"
    closed.mkdir()
    subprocess.run([workload, "append", closed, "600", "20"], check=True, stdout=subprocess.DEVNULL)
    killed = folder / "killed"
    killed.mkdir()
    process = subprocess.Popen(
        [workload, "append", killed, "1000000", "20"], stdout=subprocess.PIPE)
    for line in process.stdout:
        if line.startswith(b"kept") and int(line.split()[1]) > 600:
            break
    process.kill()
    process.wait()
    process.stdout.close()
    return [closed, killed]


def flip(folder, chance):
    # The index of the log is made anew, and the lock is empty.
    files = [path for path in sorted(folder.iterdir()) if path.suffix not in (".lock",)
             and not path.name.endswith("-shm") and path.stat().st_size]
    sizes = [path.stat().st_size for path in files]
    path = chance.choices(files, sizes)[0]
    place = chance.randrange(path.stat().st_size)
    bit = 1 << chance.randrange(8)
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ bit]))
    return f"{path.name} byte {place} bit {bit:#x}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", type=pathlib.Path)
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    workload = options.workload.resolve()
    chance = random.Random(options.seed)
    opened = wrong = aside = unsaid = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = journals(workload, folder)
        done = 0
        while done < options.flips:
            places = {}
            for index in range(min(FLIPS_A_CHECK, options.flips - done)):
                copy = folder / f"flip-{index}"
                shutil.copytree(sources[(done + index) % len(sources)], copy)
                places[str(copy)] = flip(copy, chance)
            output = subprocess.run(
                [workload, "check", *places], stdout=subprocess.PIPE, timeout=900)
            results = [json.loads(line) for line in output.stdout.splitlines()]
            opened += len(results)
            if output.returncode or len(results) != len(places):
                print(f"failed behind {places[list(places)[len(results)]]}", file=sys.stderr)
            for result in results:
                is_wrong = any(number < 0 for number in result["events"]) \
                    or result["events"] != sorted(result["events"])
                wrong += is_wrong
                was_replaced = any("put aside" in text for text in result["told"])
                aside += was_replaced
                is_aside = any(pathlib.Path(result["folder"]).glob("*.damaged-*"))
                is_unsaid = bool(result["findings"]) or was_replaced != is_aside
                unsaid += is_unsaid
                if is_wrong or is_unsaid:
                    print(f"{places[result['folder']]}: told {result['told']}, findings "
                          f"{result['findings']}", file=sys.stderr)
            for copy in places:
                shutil.rmtree(copy)
            done += len(places)
    print(f"{options.flips} flips (seed {options.seed}): {opened} journals opened, {aside} put aside, "
          f"{wrong} gave a wrong event, {unsaid} not whole afterwards or unsaid")
    return 0 if opened == options.flips and not wrong and not unsaid and aside else 1


if __name__ == "__main__":
    sys.exit(main())
