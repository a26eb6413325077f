#!/usr/bin/env python3
"""Cuts the power of a journal's disk at random points, and checks what is left.

usage: power_loss.py WORKLOAD [--disks N] [--seed N] [--expect-loss]

WORKLOAD is the built JournalWorkload. A preloaded library (disk_log.c) records every write, truncation,
synchronisation, unlinking and renaming of the journal's files. From these records, the test rebuilds disks as a power
cut at a random point may leave them. Synchronised changes are on the disk; other changes may be missing or out of
order, and a write may be torn at 512 bytes. Then the journal is opened on each disk. It must contain every event that
was acknowledged before the cut, be undamaged, and not give a number again. Before that, half of the disks are used
once more until a second power cut.

First, a damaged journal is replaced and one of an earlier schema is converted, with a crash and a power cut after each
single step: after the next start, the journal must contain every event that could be read.

--expect-loss inverts the result; use it to see that a journal that is not synchronised fails here.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECTOR = 512
# The shapes of the journals: the number of events, the most events in a commit, and how often the journal is
# opened. SQLite moves its log into the database every 1,000 pages, and when the journal is closed.
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
    """A file on the disk, and its changes since it was last synchronised."""

    def __init__(self, content=b""):
        self.durable = bytearray(content)
        self.pending = []
        self.is_durable = bool(content)

    def apply(self, record):
        self.pending.append(record)

    def synchronise(self):
        for record in self.pending:
            change(self.durable, record, 0, len(record.bytes))
        self.pending = []
        self.is_durable = True

    def after_power_loss(self, chance):
        content = bytearray(self.durable)
        # Drops some of the changes, and sometimes shuffles the others.
        kept = [record for record in self.pending if chance.random() < chance.choice([0.1, 0.5, 0.9])]
        if chance.random() < 0.5:
            chance.shuffle(kept)
        for record in kept:
            start, end = 0, len(record.bytes)
            if record.kind == "write" and chance.random() < 0.3:
                # Tears the write between two sectors, and keeps its front or its back.
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


class Disk:
    """The files of a folder, their names, and the changes of names since the folder was last synchronised."""

    def __init__(self, contents):
        self.names = {name: File(content) for name, content in contents.items()}
        self.durable = dict(self.names)
        self.pending = []

    def apply(self, record):
        if record.kind in ("write", "truncate"):
            if record.name not in self.names:
                self.names[record.name] = File()
                self.pending.append(("create", record.name, self.names[record.name]))
            self.names[record.name].apply(record)
        elif record.kind == "sync" and record.name == ".":
            self.durable = dict(self.names)
            self.pending = []
        elif record.kind == "sync" and record.name in self.names:
            self.names[record.name].synchronise()
        elif record.kind == "unlink" and record.name in self.names:
            self.pending.append(("unlink", record.name, self.names.pop(record.name)))
        elif record.kind == "rename" and record.name in self.names:
            file = self.names.pop(record.name)
            self.names[record.bytes.decode()] = file
            self.pending.append(("rename", record.name, (record.bytes.decode(), file)))

    def after_power_loss(self, chance):
        """Returns the contents by name, as a power cut at this point may leave them."""
        names = dict(self.durable)
        for kind, name, subject in self.pending:
            # A new file that was synchronised keeps its name.
            is_kept = kind == "create" and subject.is_durable or chance.random() < 0.5
            if kind == "create" and is_kept:
                names[name] = subject
            elif kind == "unlink" and is_kept:
                names.pop(name, None)
            elif kind == "rename" and is_kept:
                names.pop(name, None)
                names[subject[0]] = subject[1]
        return {name: file.after_power_loss(chance) for name, file in names.items()}

    def contents(self):
        """Returns the contents by name, as they are without a power cut."""
        for file in self.names.values():
            file.synchronise()
        return {name: file.durable for name, file in self.names.items()}


class Promises:
    """The numbers that a process has reported as given and as kept."""

    def __init__(self):
        self.given = set()
        self.kept = set()
        self._waiting = set()

    def apply(self, record):
        for line in record.bytes.decode().splitlines():
            word, _, number = line.partition(" ")
            if word == "given":
                self.given.add(int(number))
                self._waiting.add(int(number))
            elif word == "kept":
                # The workload reports this after all numbers that it has given are committed.
                self.kept |= self._waiting
                self._waiting = set()

    def cut(self):
        """Forgets the given numbers that were not acknowledged: their events may exist or not."""
        self._waiting = set()


def replay(records, contents, promises):
    """Returns the disk after the recorded changes, and adds the process's reports to the promises."""
    disk = Disk(contents)
    for record in records:
        if record.kind == "said":
            promises.apply(record)
        else:
            disk.apply(record)
    return disk


def adopt(folder):
    """Writes a marker's own inode number and birth time into it, so that the journal does not count as a copy."""
    marker = folder / "journal.sqlite.lock"
    parts = marker.read_text().split() if marker.exists() else []
    if len(parts) == 4:
        identity = subprocess.run(
            ["stat", "-c", "%i %.9W", marker], check=True, stdout=subprocess.PIPE, text=True).stdout
        marker.write_text(" ".join([*parts[:2], identity]))


def write(contents, folder):
    folder.mkdir()
    for name, content in contents.items():
        # The index of SQLite's log does not survive a power cut.
        if not name.endswith("-shm"):
            (folder / name).write_bytes(content)
    adopt(folder)


def record_run(workload, library, folder, disk, *arguments):
    """Runs the workload on a disk, and returns the records of what it did there."""
    log = folder / f"log-{disk.name}"
    environment = dict(
        os.environ, LD_PRELOAD=str(library), DISK_LOG_FOLDER=str(disk), DISK_LOG=str(log))
    subprocess.run(
        [workload, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL, timeout=900)
    records = read_log(log)
    log.unlink()
    return records


def check(workload, folders):
    """Checks the journal in each folder, and returns the results."""
    output = subprocess.run(
        [workload, "check", *folders], check=True, timeout=1800, stdout=subprocess.PIPE).stdout
    results = [json.loads(line) for line in output.splitlines() if line.startswith(b"{")]
    assert len(results) == len(folders), f"{len(results)} of {len(folders)} disks were checked"
    return results


def judge(disks, results):
    lost = corrupt = doubled = 0
    for (folder, promises), result in zip(disks, results):
        events = result["events"][:-1]
        missing = promises.kept - set(events)
        lost += len(missing)
        wrong = [number for number in events if number < 0]
        is_corrupt = bool(result["told"] or result["findings"] or wrong) or events != sorted(set(events))
        corrupt += is_corrupt
        is_doubled = result["next"] <= max(promises.given, default=0)
        doubled += is_doubled
        if missing or is_corrupt or is_doubled:
            print(f"{folder}: given {len(promises.given)}, kept {len(promises.kept)}, next {result['next']}, "
                  f"missing {sorted(missing)[:3]}, told {result['told']}, findings {result['findings'][:3]}",
                  file=sys.stderr)
    return lost, corrupt, doubled


def readable_events(disk):
    """Returns the numbers of the events that SQLite can read, in a copy, because reading changes the log."""
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(shutil.copytree(disk, f"{name}/copy"))
        with contextlib.closing(sqlite3.connect(copy / "journal.sqlite")) as journal:
            return [number for number, in journal.execute("SELECT sequence FROM event ORDER BY sequence")]


def damaged_journal(workload, disk):
    """Writes a journal with a process that is killed while the events are in SQLite's log, and damages that log.

    Returns the events that can still be read.
    """
    while True:
        process = subprocess.Popen([workload, "append", disk, "1000000", "3"], stdout=subprocess.PIPE)
        for line in process.stdout:
            if line.startswith(b"kept") and int(line.split()[1]) >= 40:
                break
        process.kill()
        process.stdout.close()
        process.wait()
        whole = readable_events(disk)
        if len(whole) <= 300:
            break
        # This process was stopped before the kill, and each step would take too long with a long journal.
        for path in disk.iterdir():
            path.unlink()
    path = disk / "journal.sqlite-wal"
    log = bytearray(path.read_bytes())
    # The checksum of this part becomes wrong, and many commits follow it.
    log[len(log) // 2] ^= 1
    path.write_bytes(log)
    left = readable_events(disk)
    assert 0 < len(left) < len(whole), "the damage hides no event"
    return left


def former_journal(_, disk):
    """Copies a journal that an earlier keywedge wrote, and returns its events, which are not the workload's."""
    shutil.copy(HERE.parent / "JournalTests" / "Files" / "schema-2.sqlite", disk / "journal.sqlite")
    (disk / "journal.sqlite.lock").touch()
    return [-number for number in readable_events(disk)]


def cut_at_each_step(workload, preload, folder, chance, prepare, does_say):
    """Crashes and cuts the power after each step of a start; returns how many of the next starts went wrong."""
    folder.mkdir()
    disk = folder / "disk"
    disk.mkdir()
    whole = prepare(workload, disk)
    assert whole, "no event can be read"
    adopt(disk)
    contents = {path.name: path.read_bytes() for path in disk.iterdir()}
    records = record_run(workload, preload, folder, disk, "check", disk)
    steps = [number for number, record in enumerate(records, 1) if record.kind != "said"]
    wrong = 0
    disks = []
    for number in steps:
        for kind in ("kill", "cut"):
            after = replay(records[:number], contents, Promises())
            copy = folder / f"{kind}-{number}"
            write(after.contents() if kind == "kill" else after.after_power_loss(chance), copy)
            disks.append(copy)
    for copy, result in zip(disks, check(workload, disks)):
        # Each start adds events.
        numbers, more = result["events"][:len(whole)], result["events"][len(whole):]
        is_wrong = (numbers != whole or not more or more != sorted(set(more)) or more[0] <= abs(whole[-1])
                    or result["findings"] or (result["told"] and not does_say))
        wrong += bool(is_wrong)
        if is_wrong:
            print(f"{copy.name}: {len(set(numbers) & set(whole))} of {len(whole)} events, then {more}, "
                  f"told {result['told']}, findings {result['findings'][:3]}", file=sys.stderr)
    print(f"{prepare.__name__.replace('_', ' ')}: {wrong} of {len(disks)} starts went wrong after a crash and a "
          f"power cut after each of {len(steps)} steps of the previous start; {len(whole)} events")
    return wrong


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
    workload = options.workload.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        preload = library(folder)
        wrong = cut_at_each_step(workload, preload, folder / "damaged", chance, damaged_journal, True)
        wrong += cut_at_each_step(workload, preload, folder / "former", chance, former_journal, False)
        while count < options.disks:
            events, group, lives = SHAPES[count // DISKS_A_CHECK % len(SHAPES)]
            run = folder / f"run-{count}"
            run.mkdir()
            disk = run / "disk"
            disk.mkdir()
            records = []
            for _ in range(lives):
                records += record_run(
                    workload, preload, run, disk, "append", disk, str(events // lives), str(group))
            disks = []
            for index in range(min(DISKS_A_CHECK, options.disks - count)):
                promises = Promises()
                cut = chance.randrange(1, len(records) + 1)
                contents = replay(records[:cut], {}, promises).after_power_loss(chance)
                if index % 2:
                    promises.cut()
                    second = run / f"second-{index}"
                    write(contents, second)
                    more = record_run(
                        workload, preload, run, second, "append", second, "40", str(group))
                    cut = chance.randrange(1, len(more) + 1)
                    contents = replay(more[:cut], contents, promises).after_power_loss(chance)
                write(contents, run / f"disk-{index}")
                promised += len(promises.kept)
                disks.append((run / f"disk-{index}", promises))
            for place, found in enumerate(judge(disks, check(workload, [folder for folder, _ in disks]))):
                totals[place] += found
            count += len(disks)
            shutil.rmtree(run)
    lost, corrupt, doubled = totals
    print(f"{count} disks (seed {options.seed}): {lost} of {promised} acknowledged events lost, "
          f"{corrupt} journals not whole, {doubled} numbers given twice")
    is_right = not any(totals) and not wrong and promised > 0
    return 0 if is_right != options.expect_loss else 1


if __name__ == "__main__":
    sys.exit(main())
