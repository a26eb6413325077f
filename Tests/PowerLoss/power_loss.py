#!/usr/bin/env python3
"""Cuts the power of a journal's disk at random points, and looks at what is left.

usage: power_loss.py WORKLOAD [--disks N] [--seed N] [--expect-loss]

WORKLOAD is the built JournalWorkload. A preloaded library (disk_log.c) writes down every write, truncation,
synchronisation, unlinking and renaming of the journal's files. From that, disks are rebuilt as they may be after the
power was cut at a random point: what was synchronised is there; of what was not, each write is there, is not, or is
torn at 512 bytes, in any order, and so are the names. Then the journal is opened on each disk. It must have every
event that was acknowledged by then, be whole, and give no number that was given. Half of the disks go through a
second life that ends with a power cut, too, before that.

First, a damaged journal is replaced and one of an earlier schema is converted, with a crash and a power cut after each
single step: the next start must have every event that could be read.

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


class Disk:
    """The files of a folder, their names, and what was done to the names since the folder was synchronised."""

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
        """The contents by name, as they may be after the power was cut now."""
        names = dict(self.durable)
        for kind, name, subject in self.pending:
            # A file that was synchronised has its name.
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
        """The contents by name, as the running machine has them."""
        for file in self.names.values():
            file.synchronise()
        return {name: file.durable for name, file in self.names.items()}


class Promises:
    """What a process said by then."""

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
                # The workload waits for all that it gave.
                self.kept |= self._waiting
                self._waiting = set()

    def cut(self):
        """What was given and not acknowledged may be there or not."""
        self._waiting = set()


def replay(records, contents, promises):
    """The disk behind the records; what was said is added to the promises."""
    disk = Disk(contents)
    for record in records:
        if record.kind == "said":
            promises.apply(record)
        else:
            disk.apply(record)
    return disk


def adopt(folder):
    """Has the marker beside a journal say that it is no copy, as on the disk that was rebuilt."""
    marker = folder / "journal.sqlite.lock"
    parts = marker.read_text().split() if marker.exists() else []
    if len(parts) == 4:
        identity = subprocess.run(
            ["stat", "-c", "%i %.9W", marker], check=True, stdout=subprocess.PIPE, text=True).stdout
        marker.write_text(" ".join([*parts[:2], identity]))


def write(contents, folder):
    folder.mkdir()
    for name, content in contents.items():
        # The index of the log is not a file that outlives the power.
        if not name.endswith("-shm"):
            (folder / name).write_bytes(content)
    adopt(folder)


def record_run(workload, library, folder, disk, *arguments):
    """Runs the workload on a disk and gives what it did there."""
    log = folder / f"log-{disk.name}"
    environment = dict(
        os.environ, LD_PRELOAD=str(library), DISK_LOG_FOLDER=str(disk), DISK_LOG=str(log))
    subprocess.run(
        [workload, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL, timeout=300)
    records = read_log(log)
    log.unlink()
    return records


def check(workload, folders):
    """Opens the journal in each folder; gives what it found there."""
    output = subprocess.run(
        [workload, "check", *folders], check=True, timeout=600, stdout=subprocess.PIPE).stdout
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


def damaged_journal(workload, disk):
    """Writes the journal of a killed daemon, whose events are in the log, and damages that."""
    process = subprocess.Popen([workload, "append", disk, "1000000", "3"], stdout=subprocess.PIPE)
    for line in process.stdout:
        if line.startswith(b"kept") and int(line.split()[1]) >= 40:
            break
    process.kill()
    process.stdout.close()
    process.wait()
    path = disk / "journal.sqlite-wal"
    log = bytearray(path.read_bytes())
    # Its checksum no longer fits, ahead of many commits.
    log[len(log) // 2] ^= 1
    path.write_bytes(log)


def former_journal(_, disk):
    """Copies a journal that an earlier keywedge wrote."""
    shutil.copy(HERE.parent / "JournalTests" / "Files" / "schema-2.sqlite", disk / "journal.sqlite")
    (disk / "journal.sqlite.lock").touch()


def cut_at_each_step(workload, preload, folder, chance, prepare, does_say):
    """Crashes and cuts the power after each step of a start; gives how many of the next starts went wrong."""
    folder.mkdir()
    disk = folder / "disk"
    disk.mkdir()
    prepare(workload, disk)
    adopt(disk)
    contents = {path.name: path.read_bytes() for path in disk.iterdir()}
    records = record_run(workload, preload, folder, disk, "check", disk)
    (first,) = check(workload, [disk])
    # Each start adds an event, and another one if it mends damage.
    whole = [number for number in first["events"] if abs(number) <= 100][:-2]
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
        numbers = [number for number in result["events"] if number in whole]
        is_wrong = numbers != whole or result["findings"] or (result["told"] and not does_say)
        wrong += bool(is_wrong)
        if is_wrong:
            print(f"{copy.name}: {len(numbers)} of {len(whole)} events, told {result['told']}, "
                  f"findings {result['findings'][:3]}", file=sys.stderr)
    print(f"{prepare.__name__.replace('_', ' ')}: {wrong} of {len(disks)} starts went wrong after a crash and a "
          f"power cut after each of {len(steps)} steps of the one before; {len(whole)} events")
    return wrong + (not whole)


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
