"""Compares the latency of the program with that of product_reader.c, which does the same work, and of
reader.c, which does the minimum: `latency.py PROGRAM [SCANS]`.

Measures from the Enter key until the line can be read: first in a machine whose clock counts instructions,
including those of the kernel and of the process that reads the line, and then in one with the host's clock.
Prints the figures for docs/benchmarks.md.
"""

import json
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys

import guest_latency
import machine

HERE = pathlib.Path(__file__).resolve().parent
PRODUCTS = 1000
CATALOG = "/run/catalog.sqlite"
JOURNAL = "/run/journal.sqlite"
BASE = "C, the same work"


def main():
    """Measures the programs with both clocks, and prints a table for each."""
    program = pathlib.Path(sys.argv[1]).resolve()
    scans = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    for counted in (True, False):
        with machine.Machine(keyboards=(), counted=counted) as guest:
            prepare(guest, program)
            results = measure(guest, program, scans)
            compare_lines(results[BASE]["line"], results["keywedge"]["line"])
            print_table({name: result["times"] for name, result in results.items()}, scans, counted)


def prepare(guest, program):
    """Copies what the measurement needs into the machine: the scripts, the C programs and a catalog."""
    for name in ("guest_latency.py", "hid_reports.py"):
        shutil.copy(HERE / name, guest.exchange)
    guest.check("modprobe uhid")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libevdev", "sqlite3"], check=True,
                           capture_output=True, text=True).stdout.split()
    for name in ("reader", "product_reader"):
        subprocess.run(["cc", "-O2", HERE / f"{name}.c", "-o", guest.exchange / name, *flags],
                       check=True)
    lines = ["id,ean,code,name,price,currency"]
    for number in range(PRODUCTS):
        codes = ",".join(guest_latency.code(kind, number) for kind in ("retail", "other"))
        lines.append(f"P{number},{codes},Product {number},3.49,EUR")
    (guest.exchange / "products.csv").write_text("\n".join(lines) + "\n")
    (guest.exchange / "catalog.yaml").write_text("{}\n")
    guest.check(
        f"{program} catalog import products.csv --map code=ean --map code=code"
        f" --config catalog.yaml --catalog {CATALOG}", 120)


def measure(guest, program, scans):
    """Returns the results of each program, by name."""
    programs = {
        BASE: {"command": f"./product_reader NODE {CATALOG}", "codes": "retail"},
        "C, digits alone": {"command": "./reader NODE", "codes": "retail"}}
    for name, codes, options, interface in (
            ("keywedge", "retail", f"--catalog {CATALOG}", "keyboard"),
            ("keywedge, HID POS", "retail", f"--catalog {CATALOG}", "hid-pos"),
            ("keywedge, serial", "retail", f"--catalog {CATALOG}", "serial"),
            ("keywedge, no catalog", "retail", "", "keyboard"),
            ("keywedge, other codes", "other", f"--catalog {CATALOG}", "keyboard"),
            ("keywedge, a journal", "retail", f"--catalog {CATALOG}", "keyboard")):
        number = len(programs)
        # Events are printed as lines; only the catalog of the command line is used.
        journal = {"journal": {"file": JOURNAL}} if name.endswith("journal") else {}
        (guest.exchange / f"{number}.yaml").write_text(json.dumps({
            **journal,
            # A busy host may suspend the machine in the middle of a scan.
            "scanners": [{"name": "till", "match": guest_latency.match(interface, number), "idle_timeout": "2s"}],
            "events": [{"stdout": {"format": "json"}}], "catalog": {"sources": []}}))
        programs[name] = {
            "command": f"{program} run --config {number}.yaml {options}", "codes": codes,
            "interface": interface}
    output = guest.check(
        f"python3 guest_latency.py {scans} {shlex.quote(json.dumps(list(programs.values())))}",
        seconds=1800)
    return dict(zip(programs, json.loads(output.splitlines()[-1])))


def compare_lines(base, line):
    """Fails unless two programs printed the same event, apart from values that differ in every line."""
    def steady(line):
        event = json.loads(line)
        for name in ("id", "time", "sequence"):
            event[name] = len(event[name])
        event["data"]["lookup"]["took_ms"] = event["data"]["keystrokes"]["duration_ms"] = 0
        return json.dumps(event)
    if steady(base) != steady(line):
        raise SystemExit(f"expected the same line from both programs, got {base}and {line}")


def print_table(times, scans, counted):
    """Prints each program's median, 99th percentile and first scan, with their ratios to the first program's."""
    unit = "thousand instructions" if counted else "microseconds"
    print(f"{'':22}{'median':>16}{'99 %':>16}{'first scan':>16}   {unit}, {scans} scans each")
    base = None
    for name, values in times.items():
        # At the first scan, the pages of the program are not in memory yet.
        figures = [quantile(values[1:], 0.5), quantile(values[1:], 0.99), values[0]]
        base = base or figures
        print(f"{name:22}" + "".join(
            f"{figure:8.1f} ({figure / other:5.2f})" for figure, other in zip(figures, base)),
            flush=True)


def quantile(values, share):
    """Returns the value below which the given share of the values lies."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


main()
