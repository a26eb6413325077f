#!/usr/bin/env python3
"""Cuts the power of a journal's disk at random points, and looks at what is left.

usage: power_loss.py WORKLOAD [--disks N] [--seed N] [--expect-loss]

WORKLOAD is .build/debug/JournalWorkload. A preloaded library (disk_log.c) writes down every write,
truncation and synchronisation of the journal's files. From that, disks are rebuilt as they may be after
the power was cut at a random point: what was synchronised is there; of what was not, each write is
there, is not, or is torn at 512 bytes, in any order. Then the journal is opened on each disk. It must
have every event that was acknowledged by then, be whole, and give no number that was given.

--expect-loss turns the result around: for trying that a journal that is not synchronised fails here.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECTOR = 512
# Journals of several shapes: how many events, how many at most in a commit, and how often the journal
# is closed and opened again. SQLite folds its log into the database every 1,000 pages and at the end.
SHAPES = [(60, 1, 3), (400, 40, 1), (1500, 300, 2), (2500, 4, 1), (200, 3, 2)]
DISKS_A_CHECK = 50


def library(folder):
    path = folder / "disk_log.so"
    subprocess.run(
        ["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", path, HERE / "disk_log.c", "-ldl",
         "-lpthread"], check=True)
    return path


Record = collections.namedtuple("Record", "kind name offset bytes")


def read_log(path):
    records = []
    data = path.read_bytes()
    position = 0
    while position < len(data):
        end = data.index(b"\n", position)
        kind, name, offset, length = data[position:end].decode().split(" ")
        position = end + 1
        length = int(length)
        carries = kind in ("write", "said", "rename")
        records.append(Record(kind, name, int(offset), data[position:position + length] if carries else b""))
        if carries:
            position += length
    return records


class File:
    """A file on the disk, and what was done to it since it was synchronised."""

    def __init__(self):
        self.durable = bytearray()
        self.pending = []

    def apply(self, record):
        self.pending.append(record)

    def synchronise(self):
        for record in self.pending:
            change(self.durable, record, 0, len(record.bytes))
        self.pending = []

    def after_power_loss(self, chance):
        content = bytearray(self.durable)
        # Dropped writes, and any order of the others.
        kept = [record for record in self.pending if chance.random() < chance.choice([0.1, 0.5, 0.9])]
        if chance.random() < 0.5:
            chance.shuffle(kept)
        for record in kept:
            start, end = 0, len(record.bytes)
            if record.kind == "write" and chance.random() < 0.3:
                # Torn between two sectors: the front or the back is there.
                cut = chance.randrange(0, end + SECTOR, SECTOR)
                start, end = chance.choice([(0, min(cut, end)), (min(cut, end), end)])
            change(content, record, start, end)
        return content


def change(content, record, start, end):
    if record.kind == "truncate":
        if len(content) > record.offset:
            del content[record.offset:]
        else:
            content.extend(bytes(record.offset - len(content)))
        return
    first = record.offset + start
    if len(content) < first:
        content.extend(bytes(first - len(content)))
    content[first:first + end - start] = record.bytes[start:end]


def rebuild(records, folder, chance):
    """Puts the files into a folder as they may be after the records, and tells what was promised."""
    files = {}
    unlinked = {}
    given = kept = 0
    for record in records:
        if record.kind == "said":
            for line in record.bytes.decode().splitlines():
                word, _, number = line.partition(" ")
                if word == "given":
                    given = max(given, int(number))
                elif word == "kept":
                    kept = max(kept, int(number))
        elif record.kind in ("write", "truncate"):
            files.setdefault(record.name, File()).apply(record)
        elif record.kind == "sync":
            if record.name == ".":
                unlinked = {}
            elif record.name in files:
                files[record.name].synchronise()
        elif record.kind == "unlink" and record.name in files:
            # That a name is gone is itself not on the disk until its folder is.
            unlinked[record.name] = files.pop(record.name)
    for name, file in unlinked.items():
        if name not in files and chance.random() < 0.5:
            files[name] = file
    for name, file in files.items():
        if name.endswith("-shm") or name.endswith(".lock"):
            continue
        # A file that was never synchronised may not even have its name.
        if not file.durable and chance.random() < 0.3:
            continue
        (folder / name).write_bytes(file.after_power_loss(chance))
    return given, kept


def record_run(workload, library, folder, events, group, lives):
    log = folder / "log"
    disk = folder / "disk"
    disk.mkdir()
    environment = dict(
        os.environ, LD_PRELOAD=str(library), DISK_LOG_FOLDER=str(disk), DISK_LOG=str(log))
    for _ in range(lives):
        subprocess.run(
            [workload, "append", disk, str(events // lives), str(group)], env=environment, check=True,
            stdout=subprocess.DEVNULL, timeout=300)
    records = read_log(log)
    shutil.rmtree(disk)
    return records


def check(workload, disks):
    output = subprocess.run(
        [workload, "check"] + [folder for folder, _, _ in disks], check=True, timeout=600,
        stdout=subprocess.PIPE).stdout
    results = [json.loads(line) for line in output.splitlines() if line.startswith(b"{")]
    assert len(results) == len(disks), f"{len(results)} of {len(disks)} disks were checked"
    lost = corrupt = doubled = 0
    for (folder, given, kept), result in zip(disks, results):
        events = result["events"][:-1]
        numbers = set(events)
        promised = set(range(1, kept + 1))
        missing = promised - numbers
        lost += len(missing)
        wrong = [number for number in events if number < 0]
        is_corrupt = bool(result["told"] or result["findings"] or wrong) or events != sorted(events)
        corrupt += is_corrupt
        is_doubled = result["next"] <= given
        doubled += is_doubled
        if missing or is_corrupt or is_doubled:
            print(f"{folder}: given {given}, kept {kept}, next {result['next']}, missing {len(missing)}, "
                  f"told {result['told']}, findings {result['findings'][:3]}", file=sys.stderr)
    return lost, corrupt, doubled


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", type=pathlib.Path)
    parser.add_argument("--disks", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--expect-loss", action="store_true")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    totals = [0, 0, 0]
    count = promised = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        preload = library(folder)
        while count < options.disks:
            shape = SHAPES[count // DISKS_A_CHECK % len(SHAPES)]
            run = folder / f"run-{count}"
            run.mkdir()
            records = record_run(options.workload.resolve(), preload, run, *shape)
            disks = []
            for index in range(min(DISKS_A_CHECK, options.disks - count)):
                disk = run / f"disk-{index}"
                disk.mkdir()
                cut = chance.randrange(1, len(records) + 1)
                given, kept = rebuild(records[:cut], disk, chance)
                promised += kept
                disks.append((disk, given, kept))
            for place, found in enumerate(check(options.workload.resolve(), disks)):
                totals[place] += found
            count += len(disks)
            shutil.rmtree(run)
    lost, corrupt, doubled = totals
    print(f"{count} disks (seed {options.seed}): {lost} of {promised} acknowledged events lost, "
          f"{corrupt} journals not whole, {doubled} numbers given twice")
    is_right = not any(totals) and promised > 0
    return 0 if is_right != options.expect_loss else 1


if __name__ == "__main__":
    sys.exit(main())
