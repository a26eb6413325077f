"""Compares the latency of the program with that of reader.c: `latency.py PROGRAM [SCANS]`.

Prints the figures for docs/benchmarks.md. In an emulated machine only the comparison means much.
"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys

import machine

HERE = pathlib.Path(__file__).resolve().parent


def main():
    """Measures both, by turns, and prints a table."""
    program = pathlib.Path(sys.argv[1]).resolve()
    scans = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with machine.Machine(keyboards=()) as guest:
        shutil.copy(HERE / "guest_latency.py", guest.exchange)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libevdev"], check=True,
                               capture_output=True, text=True).stdout.split()
        subprocess.run(["cc", "-O2", HERE / "reader.c", "-o", guest.exchange / "reader", *flags],
                       check=True)
        (guest.exchange / "latency.yaml").write_text(
            json.dumps({"events": [{"stdout": {"format": "json"}}]}))
        commands = {
            "C program": "/run/exchange/reader NODE",
            "keywedge": f"{program} run --config /run/exchange/latency.yaml",
        }
        times = {name: [] for name in commands}
        for _ in range(2):
            for name, command in commands.items():
                output = guest.check(
                    f"python3 guest_latency.py {scans // 2} {command} 2>/dev/null", seconds=600)
                times[name] += json.loads(output.splitlines()[-1])
    print_table(times)


def print_table(times):
    """Median and 99th percentile of each, and their ratio."""
    print(f"{'':12}{'median':>10}{'99 %':>10}   microseconds, {len(times['keywedge'])} scans")
    figures = {name: (quantile(all, 0.5), quantile(all, 0.99)) for name, all in times.items()}
    for name, (middle, high) in figures.items():
        print(f"{name:12}{middle:10.0f}{high:10.0f}")
    ratios = [a / b for a, b in zip(figures["keywedge"], figures["C program"])]
    print(f"{'ratio':12}{ratios[0]:10.2f}{ratios[1]:10.2f}")


def quantile(values, share):
    """The value below which a share of the values lies."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


main()
