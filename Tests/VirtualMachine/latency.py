"""Compares the latency of the program with that of reader.c: `latency.py PROGRAM [SCANS]`.

From the Enter key to the line being readable, in a machine whose clock counts instructions: those
of the kernel and of whoever types and reads are among them, and are the same for both programs.
Prints the figures for docs/benchmarks.md.
"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys

import guest_latency
import machine

HERE = pathlib.Path(__file__).resolve().parent
PRODUCTS = 1000
CATALOG = "/run/catalog.sqlite"
RUNS = 2


def main():
    """Measures the programs by turns, and prints a table."""
    program = pathlib.Path(sys.argv[1]).resolve()
    scans = int(sys.argv[2]) if len(sys.argv) > 2 else 1200
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with machine.Machine(keyboards=(), counted=True) as guest:
        prepare(guest, program)
        run = f"{program} run --config latency.yaml"
        commands = {
            "C program": ("retail", "./reader NODE"),
            "keywedge": ("retail", f"{run} --catalog {CATALOG}"),
            "keywedge, no catalog": ("retail", run),
            "other codes, 3 lengths": ("alike", f"{run} --catalog {CATALOG}"),
            "other codes, 6 lengths": ("unlike", f"{run} --catalog {CATALOG}"),
        }
        times = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, (kind, command) in commands.items():
                output = guest.check(
                    f"python3 guest_latency.py {kind} {scans // RUNS} {command} 2>/dev/null",
                    seconds=600)
                times[name].append(json.loads(output.splitlines()[-1]))
    print_table(times)


def prepare(guest, program):
    """Puts into the machine what the measurement needs: both programs, and a catalog."""
    shutil.copy(HERE / "guest_latency.py", guest.exchange)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libevdev"], check=True,
                           capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O2", HERE / "reader.c", "-o", guest.exchange / "reader", *flags],
                   check=True)
    # Events that are lines, and no catalog but a named one.
    (guest.exchange / "latency.yaml").write_text(
        json.dumps({"events": [{"stdout": {"format": "json"}}], "catalog": {"sources": []}}))
    lines = ["id,ean,code,sku,name,price,currency"]
    for number in range(PRODUCTS):
        codes = ",".join(guest_latency.code(kind, number) for kind in ("retail", "alike", "unlike"))
        lines.append(f"P{number},{codes},Product {number},3.49,EUR")
    (guest.exchange / "products.csv").write_text("\n".join(lines) + "\n")
    guest.check(
        f"{program} catalog import products.csv --map code=ean --map code=code --map code=sku"
        f" --config latency.yaml --catalog {CATALOG}", 120)


def print_table(times):
    """Median, 99th percentile and first scan of each, and their ratios to the C program's."""
    count = len(times["keywedge"][0]) * RUNS
    print(f"{'':22}{'median':>16}{'99 %':>16}{'first scan':>16}   thousand instructions, {count} scans")
    base = None
    for name, runs in times.items():
        # The first scan of a run is that of a program whose pages are not in memory yet.
        later = [time for run in runs for time in run[1:]]
        figures = [quantile(later, 0.5), quantile(later, 0.99), max(run[0] for run in runs)]
        base = base or figures
        print(f"{name:22}" + "".join(
            f"{figure:8.1f} ({figure / other:5.2f})" for figure, other in zip(figures, base)))


def quantile(values, share):
    """The value below which a share of the values lies."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


main()
